import { z } from 'zod';

/** One event that was sent to a hook, and the result. */
export const FiredCall = z.strictObject({
  call: z.string(),
  wanted: z.int(),
  /** The output that it must print; a gate prints nothing. */
  wanted_stdout: z.string(),
  /** Null if the hook could not be started or took too long. */
  exit: z.int().nullable(),
  stdout: z.string(),
  stderr: z.string(),
});

/** A fault of hooks, with a stable code. */
export const HookFault = z.strictObject({
  code: z.enum([
    'hook_missing',
    'hook_altered',
    'matcher_too_narrow',
    'hooks_disabled',
    'settings_unreadable',
    'gate_differs',
    'pins_broken',
    'binding_broken',
    'worktree_unbound',
    'answer_unexpected',
    'host_too_old',
    'switch_set',
  ]),
  message: z.string(),
  fix: z.string(),
});

/** The report of `vade capability doctor`. */
export const HookReport = z.strictObject({
  settings: z.string(),
  /** The folder of bindings of the repository. */
  tasks: z.string(),
  hooks: z.array(
    z.strictObject({
      event: z.enum(['PreToolUse', 'WorktreeCreate']),
      tasks: z.string().nullable(),
      matcher: z.string().nullable(),
      /** Empty if somebody has altered the hook. */
      fired: z.array(FiredCall),
    }),
  ),
  host: z.strictObject({
    program: z.string().nullable(),
    version: z.string().nullable(),
    /** Whether it blocks a call whose hook fails; null if its version is not known. */
    blocks_on_failure: z.boolean().nullable(),
  }),
  /** Of the host's settings: whether it confines what its agents run, always or with exceptions. */
  host_sandbox: z.enum(['on', 'with_exceptions', 'off']),
  faults: z.array(HookFault),
});

export type FiredCall = z.infer<typeof FiredCall>;
export type HookFault = z.infer<typeof HookFault>;
export type HookReport = z.infer<typeof HookReport>;

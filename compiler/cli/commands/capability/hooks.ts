import { z } from 'zod';
import { HookReport } from '../../../capabilities/schema/hook-report.ts';
import { CAPABILITY_INSTALL, CAPABILITY_UNINSTALL, HOOKS } from '../../../capabilities/use-cases/flags.ts';
import type { HookChange } from '../../../capabilities/use-cases/install-hooks.ts';
import { VadeError } from '../../../schema/errors.ts';
import { defineCommand } from '../../registry.ts';

const HookShape = z.object({
  type: z.string(),
  command: z.string(),
  timeout: z.int(),
  onFailure: z.literal('block'),
});
const ChangeShape = z.object({
  effect: z.enum(['changed', 'noop', 'would_change', 'would_noop']),
  settings: z.string(),
  tasks: z.string(),
  hook: HookShape.nullable(),
  host_sandbox: z.record(z.string(), z.unknown()).nullable(),
});

function told({ changed, ...change }: HookChange, isDry: boolean) {
  const effect = isDry ? (changed ? 'would_change' : 'would_noop') : changed ? 'changed' : 'noop';
  const proposed = change.host_sandbox === null ? [] : [JSON.stringify(change.host_sandbox, null, 2)];
  const text = [
    `${effect}: ${change.settings}`,
    ...(change.hook === null ? [] : [change.hook.command]),
    ...proposed,
  ].join('\n');
  return { data: { effect, ...change }, text };
}

export const capabilityInstallCommand = defineCommand({
  path: 'capability.install',
  description: 'Let Claude Code ask the gate before every tool call; its other settings stay as they are',
  danger: 'mutating',
  flags: CAPABILITY_INSTALL,
  exits: ['PRECONDITION', 'NOT_FOUND', 'CONFLICT', 'PERMISSION_DENIED'],
  output: ChangeShape,
  examples: [
    {
      description: 'What would be written',
      command: 'vade capability install --orchestrator orchestrator.pem --trust root.json --dry-run',
    },
  ],
  run: async (args, world) => {
    const { installHooks } = await import('../../../capabilities/use-cases/install-hooks.ts');
    return told(await installHooks(args, world), args['dry-run']);
  },
});

export const capabilityUninstallCommand = defineCommand({
  path: 'capability.uninstall',
  description: 'Remove the gate from the settings of Claude Code, and change nothing else',
  danger: 'mutating',
  flags: CAPABILITY_UNINSTALL,
  exits: ['PRECONDITION', 'NOT_FOUND', 'CONFLICT'],
  output: ChangeShape,
  examples: [{ description: 'What would be removed', command: 'vade capability uninstall --dry-run' }],
  run: async (args, world) => {
    const { uninstallHooks } = await import('../../../capabilities/use-cases/install-hooks.ts');
    return told(await uninstallHooks(args, world), args['dry-run']);
  },
});

/** The meaning of each state of the host's own sandbox for agents that the host starts. */
const HOST_SANDBOX = {
  on: 'the host’s own sandbox is on',
  with_exceptions:
    'the host’s own sandbox is on, but commands may be run without it: vade capability install --host-sandbox',
  off: 'the host’s own sandbox is off: agents that it starts are unconfined: vade capability install --host-sandbox',
} as const;

/** The report for people: what each hook was asked, what came back, and what is wrong. */
function reported({ settings, hooks, host, host_sandbox, faults }: HookReport): string[] {
  const fired = hooks.flatMap((hook) => [
    `${settings}: ${hook.event} ${hook.matcher ?? '*'} with the bindings of ${hook.tasks ?? 'an unknown folder'}`,
    ...(hook.fired.length === 0 ? ['  not run: the hook, or the gate beside it, was changed'] : []),
    ...hook.fired.flatMap(({ call, exit, wanted, stdout, wanted_stdout, stderr }) => [
      `  ${exit === wanted && stdout === wanted_stdout ? 'correct' : 'WRONG'}  exit ${exit ?? 'none'}  ${call}`,
      ...[stdout, stderr].flatMap((it) => (it === '' ? [] : it.split('\n').map((line) => `      ${line}`))),
    ]),
  ]);
  const version =
    host.program === null
      ? 'Claude Code is not in PATH, so its version is unknown: it may let a call through when its hook times out'
      : `${host.program}: ${host.version ?? 'its version is unknown'}`;
  return [
    ...fired,
    version,
    HOST_SANDBOX[host_sandbox],
    ...faults.map((it) => `${it.code}: ${it.message}. Fix: ${it.fix}`),
  ];
}

export const capabilityDoctorCommand = defineCommand({
  path: 'capability.doctor',
  description: 'Run each installed hook with allowed and denied calls, and report its answers and what is wrong',
  danger: 'safe',
  flags: HOOKS,
  exits: ['PRECONDITION', 'NOT_FOUND'],
  output: HookReport,
  examples: [{ description: 'Check the installed hooks', command: 'vade capability doctor' }],
  run: async (args, world) => {
    const { examineHooks } = await import('../../../tasks/use-cases/doctor/examine-hooks.ts');
    const report = await examineHooks(args, world);
    const [first] = report.faults;
    if (first === undefined) return { data: report, text: reported(report) };
    world.say(reported(report));
    const message = `${report.faults.length} faults, the first: ${first.message}`;
    throw new VadeError('hooks_unsound', message, { ...report, suggestion: first.fix });
  },
});

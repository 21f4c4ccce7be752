import { z } from 'zod';
import type { HookChange } from '../../../app/capability/install-hooks.ts';
import { BUNDLE_FLAGS, defineCommand, DRY_RUN, type Flags } from '../../registry.ts';

const { trust, dev } = BUNDLE_FLAGS;

const PLACE = {
  repo: { type: 'string', default: '.', description: 'Repository whose agents are bound' },
  settings: { type: 'string', description: 'Settings of Claude Code; default: ~/.claude/settings.json' },
} as const satisfies Flags;

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
});

function told({ changed, ...change }: HookChange, isDry: boolean) {
  const effect = isDry ? (changed ? 'would_change' : 'would_noop') : changed ? 'changed' : 'noop';
  const text = [`${effect}: ${change.settings}`, ...(change.hook === null ? [] : [change.hook.command])].join('\n');
  return { data: { effect, ...change }, text };
}

export const capabilityInstallCommand = defineCommand({
  path: 'capability.install',
  description: 'Let Claude Code ask the gate before every tool call; its other settings stay as they are',
  danger: 'mutating',
  flags: {
    ...PLACE,
    orchestrator: {
      type: 'string',
      required: true,
      description: 'Public key of the orchestrator, which seals bindings',
    },
    worktrees: { type: 'string', description: 'Folder of all worktrees of agents; default: <repository>.worktrees' },
    trust,
    dev,
    'dry-run': DRY_RUN,
  },
  exits: ['PRECONDITION', 'NOT_FOUND', 'CONFLICT', 'PERMISSION_DENIED'],
  output: ChangeShape,
  examples: [
    {
      description: 'What would be written',
      command: 'vade capability install --orchestrator orchestrator.pem --trust root.json --dry-run',
    },
  ],
  run: async (args, world) => {
    const { installHooks } = await import('../../../app/capability/install-hooks.ts');
    return told(await installHooks(args, world), args['dry-run']);
  },
});

export const capabilityUninstallCommand = defineCommand({
  path: 'capability.uninstall',
  description: 'Take the gate out of the settings of Claude Code, and leave everything else',
  danger: 'mutating',
  flags: { ...PLACE, 'dry-run': DRY_RUN },
  exits: ['PRECONDITION', 'NOT_FOUND', 'CONFLICT'],
  output: ChangeShape,
  examples: [{ description: 'What would be removed', command: 'vade capability uninstall --dry-run' }],
  run: async (args, world) => {
    const { uninstallHooks } = await import('../../../app/capability/install-hooks.ts');
    return told(await uninstallHooks(args, world), args['dry-run']);
  },
});

import { z } from 'zod';
import { LEFT_REASONS, Left, TARGETS } from '../../../export/exported-agent.ts';
import { printable } from '../../../schema/diagnostics.ts';
import { BUNDLE_FLAGS, defineCommand, DRY_RUN, type Flags } from '../../registry.ts';

const flags = {
  target: { type: 'enum', values: TARGETS, required: true, description: 'Format of the files' },
  agent: { type: 'string', id: true, required: true, description: 'Agent, by short name or ID' },
  out: { type: 'string', default: '.', description: 'Folder to write below: the top of a project' },
  skills: { type: 'string', default: '.agents/skills', description: 'Folder of the skills below --out' },
  check: { type: 'boolean', description: 'Write nothing; fail if a file differs from the bundle' },
  'dry-run': DRY_RUN,
  ...BUNDLE_FLAGS,
} as const satisfies Flags;

export const exportCommand = defineCommand({
  path: 'export',
  description: 'Write an agent’s instructions as files that other hosts read: AGENTS.md, skills, Cursor, Copilot',
  danger: 'mutating',
  flags,
  exits: ['PRECONDITION', 'NOT_FOUND', 'CONFLICT', 'PERMISSION_DENIED'],
  output: z.object({
    effect: z.enum(['updated', 'noop', 'would_update', 'would_noop']),
    target: z.enum(TARGETS),
    agent: z.string(),
    revision: z.string(),
    files: z.array(
      z.object({ path: z.string(), action: z.enum(['create', 'update', 'remove', 'unchanged', 'foreign']) }),
    ),
    left: z.array(Left),
  }),
  examples: [
    { description: 'One file for most hosts', command: 'vade export --dev --agent cto --target agents-md' },
    {
      description: 'Fail where committed skills are not those of the bundle',
      command: 'vade export --trust root.json --agent cto --target skills --skills .claude/skills --check',
    },
  ],
  run: async (args, world) => {
    const { exportAgent } = await import('../../../app/export/export-agent.ts');
    const exported = exportAgent(args, world);
    const changes = exported.files.filter((it) => it.action !== 'unchanged');
    const writes = !args['dry-run'];
    const effect = `${writes ? '' : 'would_'}${changes.length === 0 ? 'noop' : writes ? 'updated' : 'update'}`;
    const lines = [
      ...exported.files.map(({ path, action }) => `${action.padEnd(9)}  ${path}`),
      ...exported.left.map(({ unit, part, reason }) => `left       ${unit}${OF_PART[part]}: ${LEFT_REASONS[reason]}`),
    ];
    const warnings = exported.left.length === 0 ? [] : [warningOf(exported.left)];
    return { data: { effect, target: args.target, ...exported }, text: lines.map(printable).join('\n'), warnings };
  },
});

const OF_PART = { unit: '', intents: ' (some intents)', always: ' (that it always applies)' } as const;

function warningOf(left: readonly Left[]) {
  const names = [...new Set(left.map((it) => it.unit))];
  return {
    code: 'EXPORT_INCOMPLETE',
    message: `${names.length} units are not exported whole: ${names.slice(0, 10).join(', ')}`,
  };
}

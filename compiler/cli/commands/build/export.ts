import { z } from 'zod';
import { EXPORT } from '../../../app/flags/sources.ts';
import { ALL, LEFT_REASONS, Left, TARGETS } from '../../../export/exported-agent.ts';
import { defineCommand } from '../../registry.ts';

export const exportCommand = defineCommand({
  path: 'export',
  description:
    'Write an agent’s instructions as files that other hosts read: AGENTS.md, Claude Code, Copilot, Cursor, skills',
  danger: 'mutating',
  flags: EXPORT,
  exits: ['PRECONDITION', 'NOT_FOUND', 'CONFLICT', 'PERMISSION_DENIED'],
  output: z.object({
    effect: z.enum(['updated', 'noop', 'would_update', 'would_noop']),
    target: z.enum([...TARGETS, ALL]),
    agent: z.string(),
    revision: z.string(),
    files: z.array(
      z.object({ path: z.string(), action: z.enum(['create', 'update', 'remove', 'unchanged', 'foreign']) }),
    ),
    left: z.array(Left),
  }),
  examples: [
    { description: 'For every host', command: 'vade export --dev --agent cto --target all' },
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
    return { data: { effect, target: args.target, ...exported }, text: lines, warnings };
  },
});

const OF_PART = { unit: '', always: ' (that it always applies)' } as const;

function warningOf(left: readonly Left[]) {
  const names = [...new Set(left.map((it) => it.unit))];
  return {
    code: 'EXPORT_INCOMPLETE',
    message: `${names.length} units are not exported whole: ${names.slice(0, 10).join(', ')}`,
  };
}

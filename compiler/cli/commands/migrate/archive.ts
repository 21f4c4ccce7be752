import { z } from 'zod';
import { ARCHIVE } from '../../../app/flags/sources.ts';
import { defineCommand } from '../../registry.ts';

export const archiveCommand = defineCommand({
  path: 'archive',
  description:
    'Archive the legacy files that an agent’s units replaced, with a redirect; a preview unless --write is given',
  danger: 'mutating',
  flags: ARCHIVE,
  exits: ['PRECONDITION', 'NOT_FOUND', 'CONFLICT'],
  output: z.object({
    effect: z.enum(['updated', 'noop', 'would_update', 'would_noop']),
    agent: z.string(),
    moved: z.array(z.object({ path: z.string(), to: z.string() })),
    units: z.array(z.string()),
    kept: z.array(z.object({ path: z.string(), reason: z.string() })),
    /** The cause where no file is archived. */
    nothing_because: z.string().nullable(),
  }),
  examples: [
    { description: 'See what would move', command: 'vade archive --agent cto' },
    { description: 'Move it', command: 'vade archive --agent cto --write' },
  ],
  run: async (args, world) => {
    const { openRetirement, retireFiles } = await import('../../../app/retire-files.ts');
    const { plan, top } = await openRetirement(args, world);
    const changes = retireFiles(top, plan, args.write);
    const change = changes.moved.length + changes.units.length > 0;
    const effect = `${args.write ? '' : 'would_'}${change ? (args.write ? 'updated' : 'update') : 'noop'}`;
    const nothing_because = plan.moves.length + plan.kept.length === 0 ? UNNAMED : null;
    const lines = [
      ...(nothing_because === null ? [] : [nothing_because]),
      ...changes.moved.map((it) => `${it.path} → ${it.to}`),
      ...changes.units.map((file) => `${file}: without path`),
      ...changes.kept.map((it) => `${it.path} stays: ${it.reason.replaceAll('_', ' ')}`),
      ...(args.write ? [] : ['nothing was written; add --write to write']),
    ];
    return { data: { effect, agent: args.agent, ...changes, nothing_because }, text: lines };
  },
});

const UNNAMED =
  'no unit of the agent names a file, or named one before (path): a file that became units stays where it is';

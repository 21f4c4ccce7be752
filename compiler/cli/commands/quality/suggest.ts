import { z } from 'zod';
import { suggestionText } from '../../../present/terminal/suggestions.ts';
import { UnsolvedReason } from '../../../schema/report/suggestion.ts';
import { SUGGEST } from '../../../world/flags/quality.ts';
import { defineCommand } from '../../registry.ts';

const Edit = z.object({ file: z.string(), diff: z.string().nullable() });

export const suggestCommand = defineCommand({
  path: 'suggest',
  description:
    'Suggest words that win lost probes and make units findable, and lose no probe; a preview unless --write is given',
  danger: 'mutating',
  flags: SUGGEST,
  exits: ['PRECONDITION', 'NOT_FOUND'],
  output: z.object({
    effect: z.enum(['updated', 'noop', 'would_update', 'would_noop']),
    agent: z.string(),
    k: z.int(),
    lost: z.int(),
    // short, since the manifest pays for tokens; the full shapes are Suggestion and UnsolvedProbe
    suggestions: z.array(z.looseObject({ unit: z.string(), probe: z.string() })),
    unsolved: z.array(z.looseObject({ unit: z.string(), probe: z.string(), reason: UnsolvedReason })),
    won: z.array(z.string()),
    hard_to_find: z.array(z.looseObject({ unit: z.string(), findability_after: z.number() })),
    edits: z.array(Edit),
    held: z.array(z.string()),
  }),
  examples: [
    { description: 'Every lost probe of an agent', command: 'vade suggest --agent cto' },
    { description: 'What agents had to choose', command: 'vade suggest --agent cto --probes proposed.yaml' },
    { description: 'Write the words', command: 'vade suggest --agent cto --write' },
    { description: 'Any intent', command: 'vade suggest --agent cto --unit limits --probe "drop a table"' },
  ],
  run: async (args, world) => {
    const { suggestWords } = await import('../../../app/suggest/suggest-words.ts');
    const data = await suggestWords(args, world);
    return { data, text: suggestionText(data) };
  },
});

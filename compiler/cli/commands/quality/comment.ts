import { z } from 'zod';
import { COMMENT } from '../../../world/flags/quality.ts';
import { defineCommand } from '../../registry.ts';

/** Short, since the manifest pays for tokens; the full shape is Comparison. */
const Compared = z.looseObject({
  deployment: z.string(),
  agents: z.array(z.looseObject({ name: z.string(), lost: z.array(z.string()), units: z.array(z.looseObject({})) })),
  diagnostics: z.array(z.looseObject({ rule: z.string(), message: z.string() })),
});

export const commentCommand = defineCommand({
  path: 'comment',
  description: 'Compare two bundles for the reviewer of a pull request: what changes for agents, as Markdown',
  danger: 'safe',
  flags: COMMENT,
  oneOf: [['base', 'comparison']],
  exits: ['PRECONDITION', 'NOT_FOUND', 'PERMISSION_DENIED'],
  output: Compared,
  examples: [
    {
      description: 'A branch beside main’s signed bundle',
      command: 'vade comment --dev --base main-bundle --base-trust root.json --head bundle --format markdown',
    },
    {
      description: 'Show what a job without permissions has compared',
      command: 'vade comment --comparison comparison.json --format markdown',
    },
  ],
  run: async (args, world) => {
    const { compareBundles } = await import('../../../app/comment/compare-bundles.ts');
    const { readComparison } = await import('../../../app/comment/read-results.ts');
    const { toMarkdown } = await import('../../../present/comment/markdown.ts');
    const { base, comparison = '' } = args;
    const data =
      base === undefined ? readComparison(comparison, world) : await compareBundles({ ...args, base }, world);
    return { data, text: toMarkdown(data).trimEnd() };
  },
});

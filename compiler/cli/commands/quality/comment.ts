import { z } from 'zod';
import { MODELS } from '../../flags.ts';
import { BUNDLE_FLAGS, defineCommand, type Flags } from '../../registry.ts';

const { trust, dev } = BUNDLE_FLAGS;

const flags = {
  base: {
    type: 'string',
    description: 'Folder of the bundle before, as main’s compile wrote it; this or --comparison',
  },
  head: { type: 'string', default: 'bundle', description: 'Folder of the bundle after' },
  'base-trust': { type: 'string', description: 'Trust root of the base; default: that of the head' },
  result: { type: 'array', description: 'JSON that vade compile or vade lint printed, for its diagnostics' },
  replay: { type: 'string', description: 'JSON that vade replay printed, for recalls of the audit that change' },
  comparison: { type: 'string', description: 'JSON that this command printed before, to be shown; untrusted' },
  format: {
    type: 'enum',
    values: ['json', 'markdown', 'text'],
    description: 'Default on a terminal: text, which is the Markdown',
  },
  models: MODELS,
  trust,
  dev,
} as const satisfies Flags;

/** Short, since the manifest pays for tokens; the full shape is Comparison. */
const Compared = z.looseObject({
  deployment: z.string(),
  agents: z.array(z.looseObject({ name: z.string(), lost: z.array(z.string()), units: z.array(z.looseObject({})) })),
  diagnostics: z.array(z.looseObject({ rule: z.string(), message: z.string() })),
});

export const commentCommand = defineCommand({
  path: 'comment',
  description: 'Compare two bundles for the reviewer of a pull request: what agents get otherwise, as Markdown',
  danger: 'safe',
  flags,
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

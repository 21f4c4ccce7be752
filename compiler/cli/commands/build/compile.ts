import { z } from 'zod';
import { compileBundle } from '../../../app/compile-bundle.ts';
import { COMPILE } from '../../../app/flags/sources.ts';
import { compiledText } from '../../../present/terminal/compiled.ts';
import { ListedUnits } from '../../../schema/bundle/manifest.ts';
import { defineCommand } from '../../registry.ts';

export const compileCommand = defineCommand({
  path: 'compile',
  description: 'Compile the sources at a commit into a signed bundle',
  danger: 'mutating',
  scopes: ['bundle:sign'],
  flags: COMPILE,
  exits: ['PRECONDITION', 'NOT_FOUND', 'CONFLICT', 'PERMISSION_DENIED'],
  output: z.object({
    effect: z.enum(['created', 'updated', 'noop', 'would_create', 'would_update', 'would_noop']),
    revision: z.string(),
    deployment: z.string(),
    serial: z.int(),
    commit: z.string(),
    gardens: z.int(),
    reused: z.int(),
    /** Number of findable units that each manifest lists, and the units without a trigger. */
    listed: z.array(ListedUnits),
    out: z.string(),
    /** Paths below `out` that were damaged, and are written again. */
    repaired: z.array(z.string()),
  }),
  examples: [
    { description: 'Compile this repository for development', command: 'vade compile --dev' },
    {
      description: 'Compile for production',
      command: 'vade compile --trust root.json --key signing.pem --previous bundle',
    },
    {
      description: 'Check a branch as main’s compile will, without its key',
      command: 'vade compile --trust root.json --dry-run',
    },
    {
      description: 'Compile a branch beside the signed bundle of main',
      command: 'vade compile --dev --previous main-bundle --previous-trust root.json',
    },
  ],
  run: async (args, world) => {
    const { bundle, written, gardens, reused, listed, warnings } = await compileBundle(args, world);
    const { revision, statement } = bundle;
    const { deployment, serial, commit } = statement.predicate;
    const effect = args['dry-run'] ? WOULD[written.effect] : written.effect;
    const repaired = written.repaired.map((it) => it.place);
    const counted = { gardens, reused, listed: [...listed], out: args.out, repaired };
    const data = { effect, revision, deployment, serial, commit, ...counted };
    return { data, text: compiledText(data), warnings };
  },
});

const WOULD = { created: 'would_create', updated: 'would_update', noop: 'would_noop' } as const;

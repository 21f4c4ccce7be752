import { resolve } from 'node:path';
import { z } from 'zod';
import type { Compiled } from '../../compile.ts';
import type { Bundle } from '../../model/bundle.ts';
import { VadeError } from '../../model/errors.ts';
import { renderFault, type Fault } from '../../model/fault.ts';
import { compileWith } from '../compiling.ts';
import { MODELS } from '../models.ts';
import {
  BUNDLE_FLAGS,
  defineCommand,
  DRY_RUN,
  type Arguments,
  type Flags,
  type Outcome,
  type World,
} from '../registry.ts';
import { pinnedRoot, signingKey } from '../trust.ts';

const { trust, dev } = BUNDLE_FLAGS;

const flags = {
  repo: { type: 'string', default: '.', description: 'Git repository' },
  source: {
    type: 'string',
    default: 'instructions',
    description: 'Folder of the sources in the repository',
  },
  ref: { type: 'string', default: 'HEAD', description: 'Commit to compile' },
  out: { type: 'string', default: 'bundle', description: 'Folder of the bundle to write' },
  previous: {
    type: 'string',
    description: 'Earlier bundle to build on: never changes bytes, may refuse',
  },
  key: { type: 'string', description: 'Ed25519 signing key in PEM; or VADE_SIGNING_KEY' },
  models: MODELS,
  'skip-coverage-gate': {
    type: 'boolean',
    description: 'Let failures pass where administrators approved it; they are certified again within a week',
  },
  'dry-run': DRY_RUN,
  trust,
  dev,
} as const satisfies Flags;

export const compileCommand = defineCommand({
  path: 'compile',
  description: 'Compile the sources at a commit into a signed bundle',
  danger: 'mutating',
  flags,
  exits: ['PRECONDITION', 'NOT_FOUND', 'CONFLICT', 'PERMISSION_DENIED'],
  output: z.object({
    effect: z.enum(['created', 'noop', 'would_create', 'would_noop']),
    revision: z.string(),
    deployment: z.string(),
    serial: z.int(),
    commit: z.string(),
    gardens: z.int(),
    reused: z.int(),
    out: z.string(),
  }),
  examples: [
    { description: 'Compile this repository for development', command: 'vade compile --dev' },
    {
      description: 'Compile for production',
      command: 'vade compile --trust root.json --key signing.pem --previous bundle',
    },
  ],
  run: async (args, world) => {
    const pinned = pinnedRoot(args, world);
    const signer = signingKey(args.key, args, world);
    const { openSources } = await import('../../edge/source.ts');
    const repo = resolve(world.cwd, args.repo);
    const sources = await openSources({ repo, folder: args.source, ref: args.ref, lenient: args.dev });
    for (const notice of sources.notices) world.say(`warning: ${notice}`);
    const compiled = await compileWith(
      { sources, pinned, signer, previous: previousFolder(args, world), models: args.models },
      args['skip-coverage-gate'],
      world,
    );
    for (const it of compiled.faults) world.say(renderFault(it));
    if (compiled.bundle === null) throw refusal(compiled.faults);
    for (const it of compiled.bundle.statement.predicate.gardens) world.detail(`garden ${it.garden} ${it.digest}`);
    const same = await isCurrent(resolve(world.cwd, args.out), compiled.bundle.revision);
    if (!args['dry-run'] && !same) {
      world.progress('writing', 0, 1);
      const { writeBundle } = await import('../../edge/bundlewriter.ts');
      writeBundle(resolve(world.cwd, args.out), compiled.bundle, previousFolder(args, world));
    }
    const effect = `${args['dry-run'] ? 'would_' : ''}${same ? 'noop' : args['dry-run'] ? 'create' : 'created'}`;
    return report(compiled, compiled.bundle, sources.notices, args.out, effect);
  },
});

type Args = Arguments<typeof flags>;

/** Whether the folder already holds this very bundle. */
async function isCurrent(out: string, revision: string): Promise<boolean> {
  const { currentRevision } = await import('../../edge/bundle.ts');
  try {
    return currentRevision(out) === revision;
  } catch {
    return false;
  }
}

function previousFolder({ previous }: Args, world: World): string | null {
  return previous === undefined ? null : resolve(world.cwd, previous);
}

function report(
  { gardens, reused, faults }: Compiled,
  bundle: Bundle,
  notices: readonly string[],
  out: string,
  effect: string,
): Outcome {
  const { revision, statement } = bundle;
  const { deployment, serial, commit } = statement.predicate;
  return {
    data: { effect, revision, deployment, serial, commit, gardens, reused, out },
    text: `${effect}: ${deployment} serial ${serial}: ${gardens} gardens (${reused} unchanged) in ${out}, revision ${revision}`,
    warnings: [
      ...notices.map((message) => ({ code: 'SOURCE_NOTICE', message })),
      ...faults.map((it) => ({ code: it.rule.toUpperCase(), message: it.message, context: it })),
    ],
  };
}

function refusal(faults: readonly Fault[]): VadeError {
  const errors = faults.filter((it) => it.severity === 'error');
  return new VadeError('sources_invalid', `${errors.length} faults in the sources; nothing was written`, { faults });
}

import { resolve } from 'node:path';
import { z } from 'zod';
import type { PreviousFolder } from '../../../app/compile-options.ts';
import { compileWith } from '../../../app/compile.ts';
import type { Compiled } from '../../../compile.ts';
import type { Written } from '../../../io/bundle/write-bundle.ts';
import type { OpenResults } from '../../../io/files/kept-results.ts';
import { named } from '../../../quality/probe-faults.ts';
import type { Bundle } from '../../../schema/bundle/bundle.ts';
import { ListedUnits } from '../../../schema/bundle/manifest.ts';
import { renderDiagnostic, type Diagnostic } from '../../../schema/diagnostics.ts';
import { VadeError } from '../../../schema/errors.ts';
import type { TrustRoot } from '../../../schema/source/trust-root.ts';
import { expiredApprovers } from '../../../trust/consent.ts';
import type { Signer } from '../../../trust/dsse.ts';
import type { SignedRoot } from '../../../trust/root-chain.ts';
import type { Arguments, Flags } from '../../../world/flags/flag.ts';
import { BUNDLE_FLAGS, DRY_RUN, MODELS, PREVIOUS_TRUST } from '../../../world/flags/shared.ts';
import { signingRoot, previousRoot, signingKey } from '../../../world/trust-keys.ts';
import { type Warning, type World } from '../../../world/world.ts';
import { defineCommand, type CommandResult } from '../../registry.ts';

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
    description:
      'Earlier bundle: its unchanged gardens are reused, with the same bytes; a rewritten history is refused',
  },
  'previous-trust': PREVIOUS_TRUST,
  base: {
    type: 'string',
    description:
      'Branch that the ref will be merged into, default: the trunk; approvers with newer commits are reported',
  },
  key: {
    type: 'string',
    description: 'Ed25519 signing key in PEM; or VADE_SIGNING_KEY; --dry-run needs none, so a branch can be checked',
  },
  models: MODELS,
  'skip-coverage-gate': {
    type: 'boolean',
    description: 'Bypass the coverage gate where administrators approved it; the deadline for passing it is a week',
  },
  'allow-quarantine': {
    type: 'boolean',
    description: 'Quarantine units that fail a security rule, instead of failing',
  },
  'dry-run': DRY_RUN,
  trust,
  dev,
} as const satisfies Flags;

export const compileCommand = defineCommand({
  path: 'compile',
  description: 'Compile the sources at a commit into a signed bundle',
  danger: 'mutating',
  scopes: ['bundle:sign'],
  flags,
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
    const pinned = signingRoot(args, world);
    const signer = signerFor(args, world);
    const { openSourcesAt } = await import('../../../world/read-sources.ts');
    const repo = resolve(world.cwd, args.repo);
    const sources = await openSourcesAt({ repo, folder: args.source, ref: args.ref, lenient: args.dev }, world);
    const notices = [...sources.notices];
    for (const notice of notices) world.say(`warning: ${notice}`);
    const previous = previousFolder(args, world);
    const kept = args.dev && args.trust === undefined ? await openKept(pinned, signer, world) : null;
    const compiled = await compileWith(
      {
        sources,
        pinned,
        signer,
        previous,
        base: args.base,
        onNotice: (it) => notices.push(it),
        models: args.models,
        kept,
      },
      { skip: args['skip-coverage-gate'], allowQuarantine: args['allow-quarantine'] },
      world,
    );
    for (const it of compiled.faults) world.say(renderDiagnostic(it));
    if (!args['dry-run']) kept?.save();
    if (compiled.bundle === null) throw refusal(compiled.faults);
    for (const it of compiled.bundle.statement.predicate.gardens) world.detail(`garden ${it.garden} ${it.digest}`);
    world.progress('writing', 95, 100);
    const written = await write(compiled.bundle, previous, args, world);
    if (signer === null) notices.push(UNSIGNED);
    notices.push(...tellExpired(compiled.bundle, pinned.root, world));
    return report(compiled, compiled.bundle, written, { ...args, notices });
  },
});

type Args = Arguments<typeof flags>;

/** Only a compile with the development root of this folder reads results of earlier runs. */
async function openKept(pinned: SignedRoot, signer: Signer | null, world: World): Promise<OpenResults | null> {
  const { openKeptResults } = await import('../../../world/kept-results.ts');
  return openKeptResults(pinned, signer, world);
}

/** Writes the bundle, unless it is there; a dry run only says what would be written. */
async function write(bundle: Bundle, previous: PreviousFolder | null, args: Args, world: World): Promise<Written> {
  const { clearLeftovers, examineBundle, isCurrent, writeBundle } = await import('../../../io/bundle/write-bundle.ts');
  const out = resolve(world.cwd, args.out);
  // an intact bundle is a noop without write permission; a writer of another one examines the folder under its lock
  const mayBeDone = args['dry-run'] || isCurrent(out, bundle.revision);
  const found = mayBeDone ? examineBundle(out, bundle) : null;
  const isDone = found !== null && (args['dry-run'] || found.effect === 'noop');
  if (!isDone) return writeBundle(out, bundle, previous?.folder ?? null);
  if (!args['dry-run']) clearLeftovers(out);
  return found;
}

/** A dry run signs nothing, so that a branch is checked under the trust root of production without its key. */
function signerFor(args: Args, world: World): Signer | null {
  const hasKey = args.key !== undefined || args.dev || Boolean(world.env['VADE_SIGNING_KEY']);
  return args['dry-run'] && !hasKey ? null : signingKey(args.key, args, world);
}

/** A signed bundle that every reader refuses, since it counts an approval's key by its own time. */
function tellExpired({ built, capabilities }: Bundle, root: TrustRoot, world: World): string[] {
  const gardens = [...built, ...(capabilities ? [capabilities] : [])];
  const approvers = gardens.flatMap(({ statement }) => statement.predicate.approvals.flatMap(({ by }) => by));
  return expiredApprovers(approvers, root, world.now().toISOString()).map(
    (it) => `every key of ${it} has expired: servers refuse what only ${it} approved; approve it again with a new key`,
  );
}

const UNSIGNED = 'no key was given, so nothing was signed; a signed bundle has another revision';

const WOULD = { created: 'would_create', updated: 'would_update', noop: 'would_noop' } as const;

function previousFolder(args: Args, world: World): PreviousFolder | null {
  const pinned = previousRoot(args, world);
  return args.previous === undefined ? null : { folder: resolve(world.cwd, args.previous), pinned };
}

function report(
  { gardens, reused, listed, faults }: Compiled,
  bundle: Bundle,
  written: Written,
  { out, notices, 'dry-run': dryRun }: Pick<Args, 'out' | 'dry-run'> & { readonly notices: readonly string[] },
): CommandResult {
  const { revision, statement } = bundle;
  const { deployment, serial, commit } = statement.predicate;
  const effect = dryRun ? WOULD[written.effect] : written.effect;
  const repaired = written.repaired.map((it) => it.place);
  const rewritten = repaired.length > 0 ? `, ${repaired.length} damaged ${dryRun ? 'to be ' : ''}repaired` : '';
  return {
    data: { effect, revision, deployment, serial, commit, gardens, reused, listed: [...listed], out, repaired },
    text: `${effect}: ${deployment} serial ${serial}: ${gardens} gardens (${reused} unchanged${rewritten}) in ${out}, revision ${revision}${tellListed(listed)}${tellUntriggered(listed)}`,
    warnings: [
      ...notices.map((message) => ({ code: 'SOURCE_NOTICE', message })),
      ...faults.map((it) => ({ code: it.rule.toUpperCase(), message: it.message, context: it })),
      ...damageWarnings(written),
    ],
  };
}

/** Maximum number of agents that are named; the data have all. */
const MOST_TOLD = 10;

/** Numbers of units that the manifests list; the manifests that leave out most come first. */
function tellListed(listed: readonly ListedUnits[]): string {
  if (listed.length === 0) return '';
  const left = (it: ListedUnits) => it.units - it.listed;
  const told = listed.toSorted((a, b) => left(b) - left(a)).slice(0, MOST_TOLD);
  const more = listed.length > told.length ? `, and ${listed.length - told.length} more agents` : '';
  return `\nunits in the manifest: ${told.map((it) => `${it.agent} ${it.listed} of ${it.units}`).join(', ')}${more}`;
}

/** No error and no warning: other agents' texts may lead to such a unit, or its probes show that it is found. */
function tellUntriggered(listed: readonly ListedUnits[]): string {
  const lacking = listed.filter((it) => it.untriggered.length > 0);
  if (lacking.length === 0) return '';
  const told = lacking
    .slice(0, MOST_TOLD)
    .map((it) => `${it.agent}: ${named(it.untriggered.slice(0, MOST_TOLD), it.untriggered.length)}`);
  const more = lacking.length > told.length ? `; and ${lacking.length - told.length} more agents` : '';
  return `\nunits without triggers, which the coverage gate cannot check: ${told.join('; ')}${more}`;
}

/** Damage is reported even if it was repaired: the disk may be failing. */
function damageWarnings({ repaired, damaged }: Written): Warning[] {
  return [
    ...repaired.map(({ place, reason }) => ({
      code: 'BUNDLE_REPAIRED',
      message: `${place} was damaged (${reason}) and is written again`,
      context: { place, reason },
    })),
    ...damaged.map(({ place, reason }) => ({
      code: 'OLDER_ROOT_DAMAGED',
      message: `${place} is kept for a rollback and is damaged (${reason}): compile its commit to repair it`,
      context: { place, reason },
    })),
  ];
}

function refusal(faults: readonly Diagnostic[]): VadeError {
  const errors = faults.filter((it) => it.severity === 'error');
  return new VadeError('sources_invalid', `${errors.length} errors in the sources; nothing was written`, { faults });
}

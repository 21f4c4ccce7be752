import { resolve } from 'node:path';
import type { BundleWrite } from '../io/bundle/write-bundle.ts';
import type { OpenResults } from '../io/files/kept-results.ts';
import type { Bundle } from '../schema/bundle/bundle.ts';
import { type Diagnostic, renderDiagnostic } from '../schema/diagnostics.ts';
import { VadeError } from '../schema/errors.ts';
import type { TrustRoot } from '../schema/source/trust-root.ts';
import { expiredApprovers } from '../trust/consent.ts';
import type { Signer } from '../trust/dsse.ts';
import { expiringParts } from '../trust/expiry.ts';
import type { SignedRoot } from '../trust/root-chain.ts';
import type { Arguments } from '../world/flags/flag.ts';
import { previousRoot, signingKey, signingRoot } from '../world/trust-keys.ts';
import type { Warning, World } from '../world/world.ts';
import type { PreviousFolder } from './compile-options.ts';
import { compileWith } from './compile.ts';
import type { COMPILE } from './flags/sources.ts';

type Args = Arguments<typeof COMPILE>;

/**
 * Compiles the sources at a commit, and writes the bundle unless it is a dry run.
 *
 * @throws source_not_found, ref_not_found, sources_invalid, bundle_unverified, output_failed
 */
export async function compileBundle(args: Args, world: World) {
  const pinned = signingRoot(args, world);
  const signer = signerFor(args, world);
  const { openSourcesAt } = await import('../world/read-sources.ts');
  const repo = resolve(world.cwd, args.repo);
  const sources = await openSourcesAt({ repo, folder: args.source, ref: args.ref, lenient: args.dev }, world);
  const notices = [...sources.notices];
  for (const notice of notices) world.say(`warning: ${notice}`);
  const previous = previousFolder(args, world);
  const { published, skipped } = await publishedIn(args, pinned, world);
  const kept = args.dev && args.trust === undefined ? await openKept(pinned, signer, world) : null;
  const { base, models } = args;
  const onNotice = (it: string) => notices.push(it);
  const compiled = await compileWith(
    { sources, pinned, signer, previous, published, base, onNotice, models, kept },
    { skip: args['skip-coverage-gate'], allowQuarantine: args['allow-quarantine'] },
    world,
  );
  for (const it of compiled.faults) world.say(renderDiagnostic(it));
  if (!args['dry-run']) kept?.save();
  const { bundle, trust } = compiled;
  if (bundle === null || trust === null) throw refusal(compiled.faults);
  for (const it of bundle.statement.predicate.gardens) world.detail(`garden ${it.garden} ${it.digest}`);
  world.progress('writing', 95, 100);
  const written = await write(bundle, previous, args, world);
  if (signer === null) notices.push(UNSIGNED);
  notices.push(...tellExpired(bundle, trust, world));
  const warnings = [...skipped, ...warningsOf(notices, compiled.faults, written), ...expiryWarnings(trust, world)];
  return { ...compiled, bundle, written, warnings };
}

/** Value of `--previous` with which nothing is compared. */
const NO_PREVIOUS = 'none';

/**
 * The bundle in the output folder, whose facts keep their text unless `--previous` names another bundle. A compile for
 * development may change them, and a dry run writes nothing.
 */
async function publishedIn(args: Args, pinned: SignedRoot, world: World) {
  const skipped: Warning[] = [];
  if (args.dev || args['dry-run'] || args.previous !== undefined) return { published: null, skipped };
  const { openPublished } = await import('./previous-bundle.ts');
  const published = openPublished(resolve(world.cwd, args.out), pinned, world.now(), (reason) => {
    const message = `published facts were not compared with those of ${args.out}: ${reason}`;
    world.say(`warning: ${message}`);
    skipped.push({ code: 'FACTS_NOT_COMPARED', message });
  });
  return { published, skipped };
}

/** Only a compile with the development root of this folder reads results of earlier runs. */
async function openKept(pinned: SignedRoot, signer: Signer | null, world: World): Promise<OpenResults | null> {
  const { openKeptResults } = await import('../world/kept-results.ts');
  return openKeptResults(pinned, signer, world);
}

/** Writes the bundle, unless it is there; a dry run only says what would be written. */
async function write(bundle: Bundle, previous: PreviousFolder | null, args: Args, world: World): Promise<BundleWrite> {
  const { clearLeftovers, examineBundle, isCurrent, writeBundle } = await import('../io/bundle/write-bundle.ts');
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

/** The trust root or a key that ends soon: servers then refuse what was signed under it. */
function expiryWarnings(trust: TrustRoot, world: World): Warning[] {
  return expiringParts(trust, world.now().getTime()).map((it) => ({
    code: 'TRUST_EXPIRES',
    message: `${it}; servers then refuse what is signed under it: draft the next root with vade trust draft`,
  }));
}

const UNSIGNED = 'no key was given, so nothing was signed; a signed bundle has another revision';

function previousFolder(args: Args, world: World): PreviousFolder | null {
  const pinned = previousRoot(args, world);
  return args.previous === undefined || args.previous === NO_PREVIOUS
    ? null
    : { folder: resolve(world.cwd, args.previous), pinned };
}

function warningsOf(notices: readonly string[], faults: readonly Diagnostic[], written: BundleWrite): Warning[] {
  return [
    ...notices.map((message) => ({ code: 'SOURCE_NOTICE', message })),
    ...faults.map((it) => ({ code: it.rule.toUpperCase(), message: it.message, context: it })),
    ...damageWarnings(written),
  ];
}

/** Damage is reported even if it was repaired: the disk may be failing. */
function damageWarnings({ repaired, damaged }: BundleWrite): Warning[] {
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

import { resolve } from 'node:path';
import { changeSidecar } from '../../io/bundle/change-sidecars.ts';
import { openBundle, type OpenBundle } from '../../io/bundle/open-bundle.ts';
import { assertNoneMissing, FRESHNESS, readSidecar, withdrawalsOf } from '../../io/bundle/sidecar-files.ts';
import type { Freshness } from '../../schema/bundle/freshness.ts';
import type { Signer } from '../../trust/dsse.ts';
import { openFreshness, readFreshness, signFreshness } from '../../trust/freshness.ts';
import type { Withdrawals } from '../../trust/judge-withdrawals.ts';
import type { Arguments } from '../../world/flags/flag.ts';
import { signingRoot, signingKey } from '../../world/trust-keys.ts';
import type { World } from '../../world/world.ts';
import type { FRESHEN } from '../flags/trust.ts';
import { toSecond } from '../to-second.ts';

const DAY_MS = 86_400_000;
const SECOND_MS = 1000;

type FreshenFlags = Arguments<typeof FRESHEN>;

/** A signed freshness statement. */
interface SignedFreshness {
  readonly statement: Freshness;
  readonly envelope: Buffer;
  /** The withdrawals of the bundle. */
  readonly withdrawals: Withdrawals;
}

/**
 * Signs that the current revision and its withdrawals are the newest, and writes the statement into the bundle.
 *
 * @throws trust_required, signing_key_required, bundle_not_found, bundle_unverified, file_locked, output_failed
 */
export function freshenBundle(flags: FreshenFlags, world: World): SignedFreshness {
  const pinned = signingRoot(flags, world);
  const signer = signingKey(flags.key, flags, world);
  const now = world.now();
  const bundle = openBundle(resolve(world.cwd, flags.bundle), { pinned, now: now.toISOString() });
  const signed = createStatement(bundle, signer, now, flags.days * DAY_MS);
  if (!flags['dry-run']) changeSidecar(bundle.folder, FRESHNESS, () => signed.envelope);
  return signed;
}

/**
 * Signs the current revision and withdrawals. A withdrawal that the previous statement names must not be missing, so
 * that a folder that lost some is not confirmed.
 *
 * @throws bundle_unverified: withdrawals_missing, and the reason if a server would refuse the statement
 */
function createStatement(bundle: OpenBundle, signer: Signer, now: Date, ms: number): SignedFreshness {
  const withdrawals = withdrawalsOf(bundle);
  assertNoneMissing(withdrawals.missing);
  const of = { deployment: bundle.root.predicate.deployment, revision: bundle.revision };
  const before = issuedBefore(readSidecar(bundle.folder, FRESHNESS), bundle);
  // replicas refuse a statement older than their own, even if a clock was wrong
  const issued = toSecond(new Date(Math.max(now.getTime(), before + SECOND_MS)));
  const expires = toSecond(new Date(now.getTime() + ms));
  const statement: Freshness = { ...of, issued, expires, withdrawals: [...withdrawals.listed] };
  const envelope = signFreshness(statement, [signer]);
  // never write a statement that servers would refuse
  openFreshness(envelope, bundle.trust, of, bundle.now);
  return { withdrawals, statement, envelope };
}

/** When the existing statement was signed, in milliseconds since 1970; 0 without a valid one. */
function issuedBefore(bytes: Buffer | null, { trust, root, now }: OpenBundle): number {
  try {
    return bytes ? Date.parse(readFreshness(bytes, trust, root.predicate.deployment, now).issued) : 0;
  } catch {
    return 0;
  }
}

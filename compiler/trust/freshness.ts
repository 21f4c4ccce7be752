import { Freshness, FRESHNESS_TYPE } from '../schema/bundle/freshness.ts';
import { refuse } from '../schema/refusals.ts';
import type { TrustRoot } from '../schema/source/trust-root.ts';
import { canonicalBytes } from './canonical.ts';
import { openEnvelope, signEnvelope, type Signer } from './dsse.ts';
import { readPayload } from './read-payload.ts';

/** Signs that a revision is still the newest, and what is withdrawn. */
export function signFreshness(freshness: Freshness, signers: readonly Signer[]): Buffer {
  return signEnvelope(FRESHNESS_TYPE, canonicalBytes(freshness), signers);
}

/**
 * Proves a freshness statement: by the keys for freshness, or for bundles where the root names none of its own.
 *
 * @param of the bundle it has to speak of
 * @throws bundle_unverified: not_fresh for another revision, or when its time is over
 */
export function openFreshness(
  bytes: Buffer,
  root: TrustRoot,
  of: Pick<Freshness, 'deployment' | 'revision'>,
  now: string,
): Freshness {
  const freshness = readFreshness(bytes, root, of.deployment, now);
  if (freshness.revision !== of.revision) throw refuse('not_fresh', 'the freshness statement is of another revision');
  if (Date.parse(freshness.expires) <= Date.parse(now)) {
    throw refuse('not_fresh', `the freshness statement expired at ${freshness.expires}`);
  }
  return freshness;
}

/**
 * A freshness statement that is signed as it has to be, whatever its revision, and even when its time is over: what it
 * says was withdrawn stays withdrawn.
 *
 * @throws bundle_unverified
 */
export function readFreshness(bytes: Buffer, root: TrustRoot, deployment: string, now: string): Freshness {
  const role = root.roles.freshness ?? root.roles.bundle;
  const payload = openEnvelope(bytes, FRESHNESS_TYPE, root, role, now);
  if (isUnbound(payload)) {
    const message = 'the freshness statement names no withdrawals, as earlier versions signed it: run vade freshen';
    throw refuse('format_unknown', message);
  }
  const freshness = readPayload(Freshness, payload, 'a freshness statement');
  if (freshness.deployment !== deployment) throw refuse('statement_misplaced', 'freshness of another deployment');
  return freshness;
}

/** What a signed freshness statement says was withdrawn; nothing where there is none that is signed. */
export function boundBy(bytes: Buffer | null, root: TrustRoot, deployment: string, now: string): readonly string[] {
  try {
    return bytes ? readFreshness(bytes, root, deployment, now).withdrawals : [];
  } catch {
    return [];
  }
}

const Unbound = Freshness.omit({ withdrawals: true });

function isUnbound(payload: Buffer): boolean {
  try {
    return Unbound.safeParse(JSON.parse(payload.toString('utf8'))).success;
  } catch {
    return false;
  }
}

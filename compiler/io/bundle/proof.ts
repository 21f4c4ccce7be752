import type { RootStatement } from '../../schema/bundle/bundle.ts';
import type { GardenStatement, Subject } from '../../schema/bundle/garden.ts';
import { refuse } from '../../schema/refusals.ts';
import type { TrustRoot } from '../../schema/source/trust-root.ts';
import { assertSubject, openGarden, openRoot } from '../../trust/attest.ts';
import { sha256 } from '../../trust/canonical.ts';
import { assertInForce, chainFrom, type SignedRoot } from '../../trust/root-chain.ts';

const REVISION = /^([1-9]\d{0,14})-([0-9a-f]{64})$/;
const TRUST_FILE = /^trust\/([1-9]\d*)\.json$/;

/** What a reader believes, and when. */
export interface Belief {
  readonly pinned: SignedRoot;
  /** ISO 8601, for the validity of trust roots. */
  readonly now: string;
}

/** A root whose statement is proven; what it lists is not yet. */
export interface ProvenRoot {
  readonly revision: string;
  readonly root: RootStatement;
  /** Every trust root from the pinned one to `trust`. */
  readonly chain: readonly TrustRoot[];
  readonly trust: TrustRoot;
  readonly signed_by: readonly string[];
  /** The instant at which trust was judged, ISO 8601. */
  readonly now: string;
}

export interface ProvenEnvelope {
  readonly name: string;
  readonly digest: string;
  readonly envelope: Buffer;
  readonly statement: GardenStatement;
  readonly signed_by: readonly string[];
}

/** Whether a line is a revision, `<serial>-<root digest>`, and no path. */
export function isRevision(text: string): boolean {
  return REVISION.test(text);
}

/** The serial that a revision begins with. */
export function serialOf(revision: string): number {
  return Number(REVISION.exec(revision)?.[1]);
}

/**
 * Proves the envelope of a root: by its name, by the chain of trust, and by the keys that the chain ends with.
 *
 * @param files what is offered with it; trust roots are looked for in it
 * @throws bundle_unverified
 */
export function proveRoot(
  revision: string,
  envelope: Buffer,
  files: ReadonlyMap<string, Buffer>,
  belief: Belief,
): ProvenRoot {
  if (sha256(envelope) !== REVISION.exec(revision)?.[2])
    throw refuse('digest_mismatch', 'the root is not the one its name says');
  const chain = proveTrust(files, belief);
  const trust = chain.at(-1) ?? belief.pinned.root;
  const { statement: root, signed_by } = openRoot(envelope, trust, belief.now);
  if (root.predicate.serial !== serialOf(revision))
    throw refuse('digest_mismatch', 'the root has another serial than its name');
  return { revision, root, chain, trust, signed_by, now: belief.now };
}

function proveTrust(files: ReadonlyMap<string, Buffer>, { pinned, now }: Belief): TrustRoot[] {
  const offered = new Map<number, Buffer>();
  for (const [name, bytes] of files) {
    const version = TRUST_FILE.exec(name)?.[1];
    if (version !== undefined) offered.set(Number(version), bytes);
  }
  const chain = chainFrom(pinned, offered).map(({ root }) => root);
  assertInForce(chain.at(-1) ?? pinned.root, now);
  return chain;
}

/** Proves the envelope of one garden of a root. @throws bundle_unverified */
export function proveEnvelope(
  garden: string,
  digest: string,
  envelope: Buffer,
  { root, trust, now }: Pick<ProvenRoot, 'root' | 'trust' | 'now'>,
): ProvenEnvelope {
  if (sha256(envelope) !== digest) throw refuse('digest_mismatch', `garden ${garden} is not the one the root names`);
  const { statement, signed_by } = openGarden(envelope, trust, now);
  const { predicate } = statement;
  if (predicate.garden !== garden || predicate.deployment !== root.predicate.deployment) {
    throw refuse('statement_misplaced', `garden ${garden} speaks for another garden`);
  }
  return { name: garden, digest, envelope, statement, signed_by };
}

/** The statement covers the list of files: one missing, one too many or one changed is a refusal. */
export function assertListed(subjects: readonly Subject[], files: ReadonlyMap<string, Buffer>, of: string): void {
  // what is no file, a fact or a garden, carries no size
  const listed = new Map(subjects.filter((it) => it.annotations).map((it) => [it.name, it]));
  for (const [name, bytes] of files) assertSubject(listed, name, bytes);
  if (files.size !== listed.size) throw refuse('file_missing', `${of} misses files that were signed`);
}

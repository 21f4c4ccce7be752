import type { RootEntry, RootStatement } from '../../schema/bundle/bundle.ts';
import type { CapabilityStatement } from '../../schema/bundle/capability-garden.ts';
import type { GardenStatement, Subject } from '../../schema/bundle/garden.ts';
import { refuse } from '../../schema/refusals.ts';
import type { TrustRoot } from '../../schema/source/trust-root.ts';
import { assertSubject, openCapabilities, openGarden, openRoot, type Signed } from '../../trust/attest.ts';
import { sha256 } from '../../trust/canonical.ts';
import { assertInForce, chainFrom, type SignedRoot } from '../../trust/root-chain.ts';

const REVISION = /^([1-9]\d{0,14})-([0-9a-f]{64})$/;
const TRUST_FILE = /^trust\/([1-9]\d*)\.json$/;

/** The trust root that a reader verifies with, and the time of the verification. */
export interface Belief {
  readonly pinned: SignedRoot;
  /** ISO 8601, for the validity of trust roots. */
  readonly now: string;
}

/** A root whose statement is verified; the files that it lists are not verified yet. */
export interface ProvenRoot {
  readonly revision: string;
  /** Names the gardens that recall answers from, and no others. */
  readonly root: RootStatement;
  /** Gardens of other kinds that this version knows. */
  readonly beside: readonly RootEntry[];
  /** Every trust root from the pinned one to `trust`. */
  readonly chain: readonly TrustRoot[];
  readonly trust: TrustRoot;
  /** `trust` as it is signed. */
  readonly signedTrust: SignedRoot;
  readonly signed_by: readonly string[];
  /** The time of the verification, ISO 8601. */
  readonly now: string;
}

export interface ProvenEnvelope<S = GardenStatement> {
  readonly name: string;
  readonly digest: string;
  readonly envelope: Buffer;
  readonly statement: S;
  readonly signed_by: readonly string[];
}

/** Whether a text is a revision, `<serial>-<root digest>`, and so not a path. */
export function isRevision(text: string): boolean {
  return REVISION.test(text);
}

/** The serial that a revision begins with. */
export function serialOf(revision: string): number {
  return Number(REVISION.exec(revision)?.[1]);
}

/**
 * Verifies the envelope of a root: its digest by its name, its signatures by the last trust root of the chain.
 *
 * @param files untrusted files beside the envelope; the trust roots are taken from them
 * @throws bundle_unverified
 */
export function proveRoot(
  revision: string,
  envelope: Buffer,
  files: ReadonlyMap<string, Buffer>,
  belief: Belief,
): ProvenRoot {
  assertNamed(revision, envelope);
  const signedChain = proveTrust(files, belief);
  const chain = signedChain.map((it) => it.root);
  const signedTrust = signedChain.at(-1) ?? belief.pinned;
  const { root: trust } = signedTrust;
  const { statement: root, beside, signed_by } = openRoot(envelope, trust, belief.now);
  if (root.predicate.serial !== serialOf(revision))
    throw refuse('digest_mismatch', 'the serial of the root differs from its name');
  return { revision, root, beside, chain, trust, signedTrust, signed_by, now: belief.now };
}

/** Refuses the envelope of a root whose digest is not in its name. @throws bundle_unverified */
export function assertNamed(revision: string, envelope: Buffer): void {
  if (sha256(envelope) === REVISION.exec(revision)?.[2]) return;
  throw refuse('digest_mismatch', 'the digest of the root differs from its name');
}

function proveTrust(files: ReadonlyMap<string, Buffer>, { pinned, now }: Belief): SignedRoot[] {
  const offered = new Map<number, Buffer>();
  for (const [name, bytes] of files) {
    const version = TRUST_FILE.exec(name)?.[1];
    if (version !== undefined) offered.set(Number(version), bytes);
  }
  const chain = chainFrom(pinned, offered);
  assertInForce((chain.at(-1) ?? pinned).root, now);
  return chain;
}

/** The verified envelope of the atoms and roles. */
export type ProvenCapabilities = ProvenEnvelope<CapabilityStatement>;

type ProveEnvelope<S> = (
  garden: string,
  digest: string,
  envelope: Buffer,
  root: Pick<ProvenRoot, 'root' | 'trust' | 'now'>,
) => ProvenEnvelope<S>;

/** Verifies the envelope of one garden of a root that recall answers from. @throws bundle_unverified */
export const proveEnvelope = proveBy(openGarden);

/** Verifies the envelope of the atoms and roles of a root. @throws bundle_unverified */
export const proveCapabilityEnvelope = proveBy(openCapabilities);

function proveBy<S extends { readonly predicate: GardenPlace }>(
  open: (envelope: Buffer, trust: TrustRoot, now: string) => Signed<S>,
): ProveEnvelope<S> {
  return (name, digest, envelope, { root, trust, now }) => {
    if (sha256(envelope) !== digest) throw refuse('digest_mismatch', `garden ${name} is not the one the root names`);
    const { statement, signed_by } = open(envelope, trust, now);
    assertPlaced(name, statement.predicate, root);
    return { name, digest, envelope, statement, signed_by };
  };
}

interface GardenPlace {
  readonly garden: string;
  readonly deployment: string;
}

function assertPlaced(garden: string, predicate: GardenPlace, root: RootStatement): void {
  if (predicate.garden === garden && predicate.deployment === root.predicate.deployment) return;
  throw refuse('statement_misplaced', `the statement of garden ${garden} is about another garden`);
}

/** Refuses a missing, an additional and a changed file: the statement covers the list of files. */
export function assertListed(subjects: readonly Subject[], files: ReadonlyMap<string, Buffer>, of: string): void {
  // subjects that are no files, such as facts and gardens, have no size
  const listed = new Map(subjects.filter((it) => it.annotations).map((it) => [it.name, it]));
  for (const [name, bytes] of files) assertSubject(listed, name, bytes);
  if (files.size !== listed.size) throw refuse('file_missing', `files of ${of} are missing`);
}

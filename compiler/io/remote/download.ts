import { MAX_ENVELOPE_BYTES, MAX_FILE_BYTES, MAX_GARDEN_BYTES, type RootEntry } from '../../schema/bundle/bundle.ts';
import type { Subject } from '../../schema/bundle/garden.ts';
import { refuse } from '../../schema/refusals.ts';
import { assertSubject } from '../../trust/attest.ts';
import { successorOf, type SignedRoot } from '../../trust/root-chain.ts';
import { GARDEN_ENVELOPE, ROOT_ENVELOPE } from '../bundle/open-bundle.ts';
import {
  assertNamed,
  proveCapabilityEnvelope,
  proveEnvelope,
  proveRoot,
  type Belief,
  type ProvenRoot,
} from '../bundle/prove-root.ts';
import { bounded } from './download-limits.ts';
import type { Remote } from './remote.ts';

/** Number of files of a garden that are fetched at once. */
const FILES_AT_ONCE = 6;

/** The maximum length of a chain of trust roots. */
const MAX_ROTATIONS = 1000;

/**
 * The most that is read of a host before a signature proves it, counted after decompression. A chain of trust roots has
 * a few kilobytes a root.
 */
const MAX_UNPROVEN_BYTES = 4 * MAX_ENVELOPE_BYTES;

/**
 * Downloads a root, its trust roots and `org.json`. The versions of the trust roots are counted here, not listed by the
 * host; then the verified root lists the files.
 *
 * @throws bundle_not_found, bundle_unverified
 */
export async function downloadRoot(
  remote: Remote,
  revision: string,
  belief: Belief,
): Promise<{ proven: ProvenRoot; files: Map<string, Buffer> }> {
  const at = `roots/${revision}`;
  const unproven = bounded(remote, MAX_UNPROVEN_BYTES);
  const envelope = await mustGet(unproven, `${at}/${ROOT_ENVELOPE}`, MAX_ENVELOPE_BYTES);
  assertNamed(revision, envelope);
  const offered = await downloadTrust(unproven, at, belief.pinned);
  const proven = proveRoot(revision, envelope, offered, belief);
  const files = await downloadListed(remote, { at, subjects: proven.root.subject }, offered);
  return { proven, files: files.set(ROOT_ENVELOPE, envelope) };
}

/** Untrusted input: each trust root is verified before the next one is asked for. */
async function downloadTrust(remote: Remote, at: string, pinned: SignedRoot): Promise<Map<string, Buffer>> {
  const offered = new Map<string, Buffer>();
  for (let current = pinned; offered.size < MAX_ROTATIONS;) {
    const name = `trust/${current.root.version + 1}.json`;
    const got = await remote.get(`${at}/${name}`, MAX_ENVELOPE_BYTES);
    if (got.kind !== 'found') break;
    current = successorOf(current, got.bytes);
    offered.set(name, got.bytes);
  }
  return offered;
}

/** A version of a garden whose statement is verified; its files are not fetched yet. */
export interface ListedGarden extends Listed {
  readonly envelope: Buffer;
}

interface Listed {
  readonly at: string;
  readonly subjects: readonly Subject[];
}

/** Downloads and verifies the statement of one version of a garden. @throws bundle_not_found, bundle_unverified */
export async function downloadStatement(
  remote: Remote,
  { garden, digest, kind }: RootEntry,
  root: ProvenRoot,
): Promise<ListedGarden> {
  assertPlain(garden);
  const at = `gardens/${garden}/${digest}`;
  const envelope = await mustGet(remote, `${at}/${GARDEN_ENVELOPE}`, MAX_ENVELOPE_BYTES);
  const prove = kind === 'capability' ? proveCapabilityEnvelope : proveEnvelope;
  const { statement } = prove(garden, digest, envelope, root);
  return { at, subjects: statement.subject, envelope };
}

/** Downloads and verifies the files of a garden. @throws bundle_not_found, bundle_unverified */
export async function downloadGarden(remote: Remote, garden: ListedGarden): Promise<Map<string, Buffer>> {
  const files = await downloadListed(remote, garden, new Map());
  return files.set(GARDEN_ENVELOPE, garden.envelope);
}

/** The bytes of all files that a statement lists. */
export function bytesOf({ subjects }: Listed): number {
  return subjects.reduce((all, it) => all + sizeOf(it), 0);
}

/** Downloads and verifies every file that a verified statement lists, except for those in `have`. */
async function downloadListed(
  remote: Remote,
  { at, subjects }: Listed,
  have: ReadonlyMap<string, Buffer>,
): Promise<Map<string, Buffer>> {
  const listed = new Map(subjects.filter((it) => it.annotations).map((it) => [it.name, it]));
  if (bytesOf({ at, subjects }) > MAX_GARDEN_BYTES) throw refuse('file_unreadable', `${at} is larger than the limit`);
  const files = new Map<string, Buffer>();
  await inParallel([...listed.values()], FILES_AT_ONCE, async (subject) => {
    assertPlain(subject.name);
    const limit = Math.min(sizeOf(subject), MAX_FILE_BYTES);
    const bytes = have.get(subject.name) ?? (await mustGet(remote, `${at}/${subject.name}`, limit));
    assertSubject(listed, subject.name, bytes);
    files.set(subject.name, bytes);
  });
  return files;
}

const sizeOf = ({ annotations }: Subject) => annotations?.size ?? 0;

async function mustGet(remote: Remote, path: string, limit: number): Promise<Buffer> {
  const got = await remote.get(path, limit);
  if (got.kind === 'found') return got.bytes;
  throw refuse('file_missing', `${path} is missing`, { file: path });
}

/** Refuses a path that leaves its folder, even if it is signed. */
function assertPlain(path: string): void {
  const isPlain = path.split('/').every((it) => it !== '' && it !== '.' && it !== '..');
  if (isPlain && !/[\\\0]/.test(path) && path !== GARDEN_ENVELOPE && path !== ROOT_ENVELOPE) return;
  throw refuse('file_unexpected', 'the name of a file leaves its folder');
}

/** Processes a list with limited parallelism; rejects with the first error. */
export async function inParallel<T>(
  items: readonly T[],
  width: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const rest = [...items];
  const worker = async () => {
    for (let item = rest.shift(); item !== undefined; item = rest.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: width }, worker));
}

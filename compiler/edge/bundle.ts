import { join } from 'node:path';
import { z } from 'zod';
import { MAX_ENVELOPE_BYTES, MAX_FILE_BYTES, type RootStatement } from '../model/bundle.ts';
import { VadeError } from '../model/errors.ts';
import { Fact, FactVersion } from '../model/fact.ts';
import type { GardenStatement, Subject } from '../model/garden.ts';
import { ModelPin, Org } from '../model/org.ts';
import { refuse } from '../model/refusal.ts';
import type { TrustRoot } from '../model/trustroot.ts';
import { assertSubject, openGarden, openRoot } from '../trust/attest.ts';
import { sha256 } from '../trust/canonical.ts';
import { assertInForce, chainFrom, type SealedRoot } from '../trust/chain.ts';
import { readCapped, readTree } from './tree.ts';

/** Where things stand in a bundle directory (DESIGN §8). */
export const CURRENT = 'current';
export const GARDEN_ENVELOPE = 'garden.dsse.json';
export const ROOT_ENVELOPE = 'root.dsse.json';
const REVISION = /^([1-9]\d*)-([0-9a-f]{64})$/;

const FactsFile = z.strictObject({ format: z.literal(1), facts: z.array(Fact) });
const HistoryFile = z.strictObject({ format: z.literal(1), facts: z.array(FactVersion) });
const BundleOrg = Org.extend({ model: ModelPin.nullable() });

/** What a reader believes, and when. */
export interface Belief {
  readonly pinned: SealedRoot;
  /** ISO 8601, for the validity of trust roots. */
  readonly now: string;
}

/** A bundle whose root is proven; gardens are proven as they are read. */
export interface OpenBundle {
  readonly folder: string;
  readonly revision: string;
  readonly root: RootStatement;
  readonly org: z.infer<typeof BundleOrg>;
  readonly trust: TrustRoot;
  /** Every root from the pinned one to `trust`. */
  readonly chain: readonly TrustRoot[];
  readonly signed_by: readonly string[];
  /** The instant at which trust was judged, ISO 8601. */
  readonly now: string;
  /** The envelope alone; `null` for a garden the root does not name. */
  readonly envelope: (garden: string) => ProvenEnvelope | null;
  /** Every file of a garden, each read once and proven from the same buffer. */
  readonly readGarden: (garden: string) => ProvenGarden;
  /** One file of a garden, proven. */
  readonly readFile: (garden: ProvenEnvelope, path: string) => Buffer;
}

export interface ProvenEnvelope {
  readonly name: string;
  readonly digest: string;
  readonly envelope: Buffer;
  readonly statement: GardenStatement;
  readonly signed_by: readonly string[];
}

export interface ProvenGarden extends ProvenEnvelope {
  readonly files: ReadonlyMap<string, Buffer>;
}

/** The revision a bundle directory says is current. @throws bundle_not_found */
export function currentRevision(folder: string): string {
  let line: string;
  try {
    line = readCapped(join(folder, CURRENT), 200).toString('utf8');
  } catch {
    throw new VadeError('bundle_not_found', `${folder} holds no bundle`);
  }
  const revision = line.slice(0, -1);
  if (line.endsWith('\n') && REVISION.test(revision)) return revision;
  throw refuse('format_unknown', `${folder}/${CURRENT} names no root`);
}

/**
 * Opens a bundle: trust chain, root and what stands beside it are proven before anything is believed.
 *
 * @throws bundle_not_found, bundle_unverified
 */
export function openBundle(folder: string, belief: Belief, revision = currentRevision(folder)): OpenBundle {
  const place = join(folder, 'roots', revision);
  const files = readTree(place, MAX_ENVELOPE_BYTES);
  const envelope = take(files, ROOT_ENVELOPE);
  if (sha256(envelope) !== REVISION.exec(revision)?.[2])
    throw refuse('digest_mismatch', 'the root is not the one its name says');
  const chain = proveTrust(files, belief);
  const trust = chain.at(-1) ?? belief.pinned.root;
  const { statement: root, signed_by } = openRoot(envelope, trust, belief.now);
  if (root.predicate.serial !== Number(revision.split('-')[0]))
    throw refuse('digest_mismatch', 'the root has another serial than its name');
  assertListed(root.subject, files, 'the root');
  const org = BundleOrg.parse(JSON.parse(take(files, 'org.json').toString('utf8')));
  const digests = new Map(root.predicate.gardens.map((it) => [it.garden, it.digest]));
  const readEnvelope = (garden: string) => {
    const digest = digests.get(garden);
    return digest === undefined ? null : proveEnvelope(folder, garden, digest, root, { trust, now: belief.now });
  };
  return {
    folder,
    revision,
    root,
    org,
    trust,
    chain,
    now: belief.now,
    signed_by,
    envelope: readEnvelope,
    readGarden: (garden) => {
      const proven = readEnvelope(garden);
      if (!proven) throw new VadeError('agent_not_found', `the bundle has no garden ${garden}`);
      return proveGarden(folder, proven);
    },
    readFile: (garden, path) => {
      const bytes = readCapped(join(gardenFolder(folder, garden.name, garden.digest), path), MAX_FILE_BYTES);
      assertSubject(new Map(garden.statement.subject.map((it) => [it.name, it])), path, bytes);
      return bytes;
    },
  };
}

/** The folder of one version of a garden. */
export function gardenFolder(folder: string, garden: string, digest: string): string {
  return join(folder, 'gardens', garden, digest);
}

/** The facts in force of a proven garden. */
export function readFacts(bytes: Buffer): Fact[] {
  return FactsFile.parse(JSON.parse(bytes.toString('utf8'))).facts;
}

/** The earlier versions of a proven garden. */
export function readHistory(bytes: Buffer): FactVersion[] {
  return HistoryFile.parse(JSON.parse(bytes.toString('utf8'))).facts;
}

function proveTrust(files: Map<string, Buffer>, { pinned, now }: Belief): TrustRoot[] {
  const offered = new Map<number, Buffer>();
  for (const [name, bytes] of files) {
    const version = /^trust\/([1-9]\d*)\.json$/.exec(name)?.[1];
    if (version !== undefined) offered.set(Number(version), bytes);
  }
  const chain = chainFrom(pinned, offered).map(({ root }) => root);
  assertInForce(chain.at(-1) ?? pinned.root, now);
  return chain;
}

function proveEnvelope(
  folder: string,
  garden: string,
  digest: string,
  root: RootStatement,
  { trust, now }: { trust: TrustRoot; now: string },
): ProvenEnvelope {
  const envelope = readCapped(join(gardenFolder(folder, garden, digest), GARDEN_ENVELOPE), MAX_ENVELOPE_BYTES);
  if (sha256(envelope) !== digest) throw refuse('digest_mismatch', `garden ${garden} is not the one the root names`);
  const { statement, signed_by } = openGarden(envelope, trust, now);
  const { predicate } = statement;
  if (predicate.garden !== garden || predicate.deployment !== root.predicate.deployment) {
    throw refuse('statement_misplaced', `garden ${garden} speaks for another garden`);
  }
  return {
    name: garden,
    digest,
    envelope,
    statement,
    signed_by,
  };
}

function proveGarden(folder: string, proven: ProvenEnvelope): ProvenGarden {
  const place = gardenFolder(folder, proven.name, proven.digest);
  const files = readTree(place, MAX_FILE_BYTES, GARDEN_ENVELOPE);
  assertListed(proven.statement.subject, files, `garden ${proven.name}`);
  return { ...proven, files };
}

/** The statement covers the list of files: one missing, one too many or one changed is a refusal. */
function assertListed(subjects: readonly Subject[], files: ReadonlyMap<string, Buffer>, of: string): void {
  // what is no file, a fact or a garden, carries no size
  const listed = new Map(subjects.filter((it) => it.annotations).map((it) => [it.name, it]));
  for (const [name, bytes] of files) assertSubject(listed, name, bytes);
  if (files.size !== listed.size) throw refuse('file_missing', `${of} misses files that were signed`);
}

function take(files: Map<string, Buffer>, name: string): Buffer {
  const bytes = files.get(name);
  if (!bytes) throw refuse('file_missing', `${name} is missing`);
  if (name === ROOT_ENVELOPE) files.delete(name);
  return bytes;
}

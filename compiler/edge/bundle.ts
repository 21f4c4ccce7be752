import { join } from 'node:path';
import { z } from 'zod';
import { MAX_ENVELOPE_BYTES, MAX_FILE_BYTES, type RootStatement } from '../model/bundle.ts';
import { VadeError } from '../model/errors.ts';
import { Fact, FactVersion } from '../model/fact.ts';
import { IN_TOTO_TYPE, type GardenStatement } from '../model/garden.ts';
import { ModelPin, Org } from '../model/org.ts';
import type { TrustRoot } from '../model/trustroot.ts';
import { assertSubject, openGarden, openRoot } from '../trust/attest.ts';
import { sha256 } from '../trust/canonical.ts';
import { assertInForce, walkChain, type SealedRoot } from '../trust/chain.ts';
import { claimedKeyIds } from '../trust/dsse.ts';
import { readCapped, readTree, refuse } from './tree.ts';

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
  readonly signed_by: readonly string[];
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
    line = readCapped(join(folder, CURRENT), 200).toString('utf8').trim();
  } catch {
    throw new VadeError('bundle_not_found', `${folder} holds no bundle`);
  }
  if (!REVISION.test(line)) throw refuse(`${folder}/${CURRENT} names no root`);
  return line;
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
  if (sha256(envelope) !== REVISION.exec(revision)?.[2]) throw refuse('the root is not the one its name says');
  const trust = proveTrust(files, belief);
  const root = openRoot(envelope, trust);
  if (root.predicate.serial !== Number(revision.split('-')[0]))
    throw refuse('the root has another serial than its name');
  const subjects = new Map(root.subject.map((it) => [it.name, it]));
  for (const [name, bytes] of files) assertSubject(subjects, name, bytes);
  if (files.size !== root.subject.filter((it) => it.annotations).length)
    throw refuse('the root misses files that were signed');
  const org = BundleOrg.parse(JSON.parse(take(files, 'org.json').toString('utf8')));
  const digests = new Map(root.predicate.gardens.map((it) => [it.garden, it.digest]));
  const readEnvelope = (garden: string) => {
    const digest = digests.get(garden);
    return digest === undefined ? null : proveEnvelope(folder, garden, digest, root, trust);
  };
  return {
    folder,
    revision,
    root,
    org,
    trust,
    signed_by: claimedKeyIds(envelope, IN_TOTO_TYPE),
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

function proveTrust(files: Map<string, Buffer>, { pinned, now }: Belief): TrustRoot {
  const offered = new Map<number, Buffer>();
  for (const [name, bytes] of files) {
    const version = /^trust\/([1-9]\d*)\.json$/.exec(name)?.[1];
    if (version !== undefined) offered.set(Number(version), bytes);
  }
  const { root } = walkChain(pinned, offered);
  assertInForce(root, now);
  return root;
}

function proveEnvelope(
  folder: string,
  garden: string,
  digest: string,
  root: RootStatement,
  trust: TrustRoot,
): ProvenEnvelope {
  const envelope = readCapped(join(gardenFolder(folder, garden, digest), GARDEN_ENVELOPE), MAX_ENVELOPE_BYTES);
  if (sha256(envelope) !== digest) throw refuse(`garden ${garden} is not the one the root names`);
  const statement = openGarden(envelope, trust);
  const { predicate } = statement;
  if (predicate.garden !== garden || predicate.deployment !== root.predicate.deployment) {
    throw refuse(`garden ${garden} speaks for another garden`);
  }
  return {
    name: garden,
    digest,
    envelope,
    statement,
    signed_by: claimedKeyIds(envelope, IN_TOTO_TYPE),
  };
}

/** The statement covers the list of files: one missing, one too many or one changed is a refusal. */
function proveGarden(folder: string, proven: ProvenEnvelope): ProvenGarden {
  const place = gardenFolder(folder, proven.name, proven.digest);
  const expected = new Map(proven.statement.subject.filter((it) => it.annotations).map((it) => [it.name, it]));
  const files = readTree(place, MAX_FILE_BYTES);
  files.delete(GARDEN_ENVELOPE);
  for (const [name, bytes] of files) assertSubject(expected, name, bytes);
  if (files.size !== expected.size) throw refuse(`garden ${proven.name} misses files that were signed`);
  return { ...proven, files };
}

function take(files: Map<string, Buffer>, name: string): Buffer {
  const bytes = files.get(name);
  if (!bytes) throw refuse(`${name} is missing`);
  if (name === ROOT_ENVELOPE) files.delete(name);
  return bytes;
}

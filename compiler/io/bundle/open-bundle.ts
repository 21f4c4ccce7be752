import { join } from 'node:path';
import { z } from 'zod';
import { MAX_ENVELOPE_BYTES, MAX_FILE_BYTES } from '../../schema/bundle/bundle.ts';
import { Fact, FactVersion } from '../../schema/bundle/fact.ts';
import { CARRIED, CarriedFile } from '../../schema/bundle/withdrawal.ts';
import { VadeError } from '../../schema/errors.ts';
import { refuse } from '../../schema/refusals.ts';
import { ModelPin, Org } from '../../schema/source/org.ts';
import { assertSubject, openGardenAhead } from '../../trust/attest.ts';
import { readContent } from '../../trust/read-payload.ts';
import { listNames, readCapped, readTree, stampTree } from '../files/tree.ts';
import {
  assertListed,
  isRevision,
  proveEnvelope,
  proveRoot,
  type Belief,
  type ProvenEnvelope,
  type ProvenRoot,
} from './prove-root.ts';
import { asWritten } from '../../schema/text-file.ts';

export { isRevision, serialOf, type Belief, type ProvenEnvelope } from './prove-root.ts';

/** File names in a bundle's folder (DESIGN §8). */
export const CURRENT = 'current';
export const GARDEN_ENVELOPE = 'garden.dsse.json';
export const ROOT_ENVELOPE = 'root.dsse.json';

const FactsFile = z.strictObject({ format: z.literal(1), facts: z.array(Fact) });
const HistoryFile = z.strictObject({ format: z.literal(1), facts: z.array(FactVersion) });
const BundleOrg = Org.extend({ model: ModelPin.nullable() });

/** A bundle with a verified root; gardens are verified when they are read. */
export interface OpenBundle extends ProvenRoot {
  readonly folder: string;
  /** The root's own files, verified, with its envelope. */
  readonly files: ReadonlyMap<string, Buffer>;
  readonly org: z.infer<typeof BundleOrg>;
  /** Facts that the root withdraws, as `series digest`. */
  readonly withdrawn: ReadonlySet<string>;
  /** Reads a garden's envelope in advance, and verifies its signatures in other threads. */
  readonly readAhead: (garden: string) => Promise<void>;
  /** Only the envelope; `null` for a garden that the root does not name. */
  readonly envelope: (garden: string) => ProvenEnvelope | null;
  /** Every file of a garden, each read once and verified from the same buffer. */
  readonly readGarden: (garden: string) => ProvenGarden;
  /** One verified file of a garden. */
  readonly readFile: (garden: ProvenEnvelope, path: string) => Buffer;
}

export interface ProvenGarden extends ProvenEnvelope {
  readonly files: ReadonlyMap<string, Buffer>;
}

/** The current revision of a bundle's folder. @throws bundle_not_found */
export function currentRevision(folder: string): string {
  let line: string;
  try {
    line = readCapped(join(folder, CURRENT), 200).toString('utf8');
  } catch {
    const suggestion = 'run vade compile --dev first; or give the folder of one with --bundle';
    throw new VadeError('bundle_not_found', `${folder} contains no bundle`, { suggestion });
  }
  const written = asWritten(line);
  const revision = written.slice(0, -1);
  if (written.endsWith('\n') && isRevision(revision)) return revision;
  throw refuse('format_unknown', `${folder}/${CURRENT} does not name a root`);
}

/**
 * Opens a bundle, and verifies the chain of trust roots, the root and its files before it uses any of them.
 *
 * @throws bundle_not_found, bundle_unverified
 */
export function openBundle(folder: string, belief: Belief, revision = currentRevision(folder)): OpenBundle {
  const place = join(folder, 'roots', revision);
  const files = readTree(place, MAX_ENVELOPE_BYTES);
  const envelope = take(files, ROOT_ENVELOPE);
  const proven = proveRoot(revision, envelope, files, belief);
  const { root } = proven;
  assertListed(root.subject, files, 'the root');
  const org = readContent(BundleOrg, take(files, 'org.json'), 'org.json');
  const envelopes = openEnvelopes(folder, proven);
  return {
    ...proven,
    folder,
    files: new Map([...files, [ROOT_ENVELOPE, envelope]]),
    org,
    withdrawn: new Set(carriedIn(files.get(CARRIED))),
    ...envelopes,
    readGarden: (garden) => {
      const own = envelopes.envelope(garden);
      if (!own) throw new VadeError('agent_not_found', `the bundle has no garden ${garden}`);
      return proveGarden(folder, own);
    },
    readFile: (garden, path) => {
      const bytes = readCapped(join(gardenFolder(folder, garden.name, garden.digest), path), MAX_FILE_BYTES);
      assertSubject(new Map(garden.statement.subject.map((it) => [it.name, it])), path, bytes);
      return bytes;
    },
  };
}

/** The withdrawals that were committed to the sources; none if the root has no such file. */
function carriedIn(bytes: Buffer | undefined): readonly string[] {
  return bytes ? readContent(CarriedFile, bytes, CARRIED).withdrawn : [];
}

/** The envelopes of a root's gardens. */
function openEnvelopes(folder: string, proven: ProvenRoot): Pick<OpenBundle, 'envelope' | 'readAhead'> {
  const digests = new Map(proven.root.predicate.gardens.map((it) => [it.garden, it.digest]));
  const ahead = new Map<string, Buffer>();
  const read = (garden: string, digest: string) =>
    readCapped(join(gardenFolder(folder, garden, digest), GARDEN_ENVELOPE), MAX_ENVELOPE_BYTES);
  return {
    readAhead: async (garden) => {
      const digest = digests.get(garden);
      if (digest === undefined) return;
      try {
        const bytes = read(garden, digest);
        ahead.set(garden, bytes);
        await openGardenAhead(bytes, proven.trust);
      } catch {
        // `envelope` reports the error
      }
    },
    envelope: (garden) => {
      const digest = digests.get(garden);
      if (digest === undefined) return null;
      const bytes = ahead.get(garden) ?? read(garden, digest);
      ahead.delete(garden);
      return proveEnvelope(garden, digest, bytes, proven);
    },
  };
}

/** The folder of one version of a garden. */
export function gardenFolder(folder: string, garden: string, digest: string): string {
  return join(folder, 'gardens', garden, digest);
}

/**
 * A stamp that changes whenever a file of a root or of one version of a garden may have changed, so that readers check
 * again only then.
 *
 * @param garden null for the root itself
 */
export function stampOf(folder: string, revision: string, garden: { name: string; digest: string } | null): string {
  return stampTree(garden ? gardenFolder(folder, garden.name, garden.digest) : join(folder, 'roots', revision));
}

/** The revisions that a bundle's folder keeps, in no order. */
export function keptRevisions(folder: string): string[] {
  return listNames(join(folder, 'roots')).filter(isRevision);
}

/** The facts in force of a verified garden. */
export function readFacts(bytes: Buffer): Fact[] {
  return readContent(FactsFile, bytes, 'facts.json').facts;
}

/** The earlier versions of the facts of a verified garden. */
export function readHistory(bytes: Buffer): FactVersion[] {
  return readContent(HistoryFile, bytes, 'history.json').facts;
}

function proveGarden(folder: string, proven: ProvenEnvelope): ProvenGarden {
  const place = gardenFolder(folder, proven.name, proven.digest);
  const files = readTree(place, MAX_FILE_BYTES, GARDEN_ENVELOPE);
  assertListed(proven.statement.subject, files, `garden ${proven.name}`);
  return { ...proven, files };
}

function take(files: Map<string, Buffer>, name: string): Buffer {
  const bytes = files.get(name);
  if (!bytes) throw refuse('file_missing', `${name} is missing`);
  if (name === ROOT_ENVELOPE) files.delete(name);
  return bytes;
}

import { isDeepStrictEqual } from 'node:util';
import type { GraphLibrary } from '../../recall/ann/ann-port.ts';
import { hnswLibrary } from '../../recall/ann/hnsw.ts';
import { loadIndex } from '../../recall/index/search-index.ts';
import { criticalUnits } from '../../recall/rank/boost.ts';
import { SCORING } from '../../recall/rank/scoring.ts';
import { readyGarden, recallFact, type RecallGarden } from '../../recall/recall-garden.ts';
import type { Coverage } from '../../schema/bundle/coverage.ts';
import type { Fact } from '../../schema/bundle/fact.ts';
import type { GardenPredicate } from '../../schema/bundle/garden.ts';
import { GENERATOR } from '../../schema/bundle/generator-version.ts';
import type { VadeError } from '../../schema/errors.ts';
import { agentUnknown } from '../../schema/known-keys.ts';
import { refuse } from '../../schema/refusals.ts';
import { languageOf } from '../../schema/source/language.ts';
import { ProbeReport } from '../../schema/source/probe.ts';
import { SHARED } from '../../schema/uri.ts';
import { byText } from '../../trust/canonical.ts';
import { assertCertified } from '../../trust/certificate.ts';
import { assertApproved } from '../../trust/consent.ts';
import { readFacts, type OpenBundle, type ProvenEnvelope, type ProvenGarden } from './open-bundle.ts';

/** A rendered boot stub and its profile. */
export interface ServedStub {
  readonly profile: string;
  readonly text: string;
  readonly token_count: number;
}

/** One agent's garden in memory, together with the shared one, ready to answer; only what answers need. */
export interface LoadedGarden {
  readonly proven: Pick<ProvenEnvelope, 'name' | 'digest'>;
  readonly predicate: GardenPredicate;
  readonly manifest: Buffer | undefined;
  readonly stub: (profile: string) => ServedStub | null;
  readonly recall: RecallGarden;
  /** A notice for the operator. */
  readonly notice: string | null;
}

const WITHOUT_GRAPH = 'hnswlib-node is not installed: each recall scans all vectors, exact and slower';

/** The garden of an agent, by its exact ID or short name; null if there is none. */
export function findGarden(bundle: OpenBundle, agent: string): string | null {
  const found = bundle.root.predicate.gardens.find(
    (it) => it.agent_id !== null && (it.agent_id === agent || it.garden === agent),
  );
  return found?.garden ?? null;
}

/** The garden of an agent that a bundle has to have. @throws agent_not_found */
export function gardenOf(bundle: OpenBundle, agent: string): string {
  const garden = findGarden(bundle, agent);
  if (garden === null) throw agentMissing(bundle, agent);
  return garden;
}

/** The error for an agent that a bundle does not have, for who may know which ones it has. */
export function agentMissing(bundle: OpenBundle, wanted: string): VadeError {
  return agentUnknown('the bundle', wanted, agentNames(bundle));
}

/** Short names of a bundle's agents, sorted. */
export function agentNames({ root }: OpenBundle): string[] {
  const agents = root.predicate.gardens.filter((it) => it.agent_id !== null);
  return agents.map((it) => it.garden).sort();
}

/**
 * Verifies and loads an agent's garden.
 *
 * @param library called only for a garden with a graph of its vectors
 * @throws bundle_unverified
 */
export function loadGarden(
  bundle: OpenBundle,
  name: string,
  shared: readonly Fact[],
  library: () => GraphLibrary | null = hnswLibrary,
): LoadedGarden {
  return loadProven(bundle, bundle.readGarden(name), shared, library);
}

/** Loads a garden whose files are verified, after verifying its approvals and certificate. @throws bundle_unverified */
export function loadProven(
  bundle: OpenBundle,
  own: ProvenGarden,
  shared: readonly Fact[],
  library: () => GraphLibrary | null = hnswLibrary,
): LoadedGarden {
  const { name } = own;
  const { predicate } = own.statement;
  const wanted = bundle.root.predicate.gardens.find((it) => it.garden === SHARED)?.digest;
  if (predicate.shared !== wanted) {
    throw refuse('statement_misplaced', `garden ${name} was compiled with another shared garden`);
  }
  const { files } = own;
  const facts = ownFacts(bundle, own);
  const all = [...facts, ...shared].sort((a, b) => byText(a.name, b.name));
  const coverage = proveCertificate(bundle, own, all);
  const index = loadIndex((path) => files.get(path), library);
  // all gardens share the objects of the shared facts; of its own facts, a garden keeps only the parts that answers
  // need
  const isShared = new Set(shared);
  const kept = all.map((it) => (isShared.has(it) ? it : recallFact(it)));
  return {
    proven: { name, digest: own.digest },
    predicate,
    manifest: copyOf(files.get('manifest.json')),
    stub: stubsOf(own),
    recall: readyGarden(index, kept, fallbacksIn(own), criticalUnits(coverage, probesIn(own))),
    notice: index.lacks_library ? WITHOUT_GRAPH : null,
  };
}

/** A copy in its own memory: a small buffer is a slice of a pool, and would keep the whole pool alive. */
function copyOf(bytes: Buffer | undefined): Buffer | undefined {
  if (!bytes) return undefined;
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  copy.set(bytes);
  return copy;
}

/** The legacy files that replace missing facts (§21.6.1). */
function fallbacksIn({ files, name, statement }: ProvenGarden): Map<string, string> {
  const texts = statement.predicate.paths.map((path) => {
    const bytes = files.get(`files/${path}`);
    if (!bytes) throw refuse('file_missing', `garden ${name} has no legacy file ${path}`);
    return [path, bytes.toString('utf8')] as const;
  });
  return new Map(texts);
}

/** The results of the garden's probes when it was compiled; null if it has no probes. */
function probesIn({ files }: Pick<ProvenGarden, 'files'>): ProbeReport | null {
  const bytes = files.get('probes.json');
  return bytes ? ProbeReport.parse(JSON.parse(bytes.toString('utf8'))) : null;
}

/** Refuses a garden whose coverage certificate was made for another index, model or text (§21.8.3). */
export function proveCertificate(bundle: OpenBundle, garden: ProvenGarden, facts: readonly Fact[]): Coverage {
  const { predicate } = garden.statement;
  const proven = garden.statement.subject.filter(({ name }) => name.startsWith('index/'));
  const index = new Map(proven.map(({ name, digest }) => [name, digest.sha256]));
  // use one object for all gardens, so that its digest is computed once
  const model = isDeepStrictEqual(predicate.model, bundle.org.model) ? bundle.org.model : predicate.model;
  const bound = { index, model, generator: GENERATOR, scoring: SCORING, facts };
  const language = languageOf(bundle.org, predicate.agent);
  return assertCertified(predicate, bound, garden.files, { root: bundle.trust, now: bundle.now, language });
}

/** Verifies and reads the shared garden's facts. */
export function loadShared(bundle: OpenBundle): Fact[] {
  return ownFacts(bundle, bundle.readGarden(SHARED));
}

/** A garden's facts in force, after verifying the approvals that they need. */
export function ownFacts({ root, trust, now }: OpenBundle, { files, name, statement }: ProvenGarden): Fact[] {
  const bytes = files.get('facts.json');
  if (!bytes) throw refuse('file_missing', `garden ${name} has no facts`);
  const facts = readFacts(bytes);
  const { deployment } = root.predicate;
  const used = statement.predicate.approvals;
  assertApproved({ deployment, garden: name, now, used }, facts, files, trust);
  return facts;
}

/** §21.1.3: an unknown profile gets the generic stub. Copies the stubs, so that the other files can be freed. */
function stubsOf({ files, statement }: ProvenGarden): LoadedGarden['stub'] {
  const stubs = new Map<string, ServedStub>();
  for (const known of statement.predicate.stubs) {
    const bytes = files.get(`stubs/${known.profile}.md`);
    if (bytes) stubs.set(known.profile, { ...known, text: bytes.toString('utf8') });
  }
  return (profile) => stubs.get(profile) ?? stubs.get('generic') ?? null;
}

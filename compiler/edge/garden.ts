import { isDeepStrictEqual } from 'node:util';
import type { Fact } from '../model/fact.ts';
import { GENERATOR } from '../model/generator.ts';
import type { GardenPredicate } from '../model/garden.ts';
import { refuse } from '../model/refusal.ts';
import { SHARED } from '../model/uri.ts';
import { readyGarden, type RecallGarden } from '../recall/garden.ts';
import type { GraphLibrary } from '../recall/nearest.ts';
import { SCORING } from '../recall/scoring.ts';
import { INDEX_FILES, loadIndex } from '../recall/searchindex.ts';
import { assertApproved } from '../trust/authority.ts';
import { assertCertified } from '../trust/certificate.ts';
import { byText } from '../trust/canonical.ts';
import { readFacts, type OpenBundle, type ProvenEnvelope, type ProvenGarden } from './bundle.ts';
import { hnswLibrary } from './hnsw.ts';

/** A boot stub as it was rendered, under the profile it was rendered for. */
export interface ServedStub {
  readonly profile: string;
  readonly text: string;
  readonly token_count: number;
}

/** One agent's garden in memory, together with the shared one: ready to answer. */
export interface LoadedGarden {
  readonly proven: ProvenEnvelope;
  readonly predicate: GardenPredicate;
  readonly manifest: Buffer | undefined;
  readonly stub: (profile: string) => ServedStub | null;
  readonly recall: RecallGarden;
  /** What an operator should know of it. */
  readonly notice: string | null;
}

const WITHOUT_GRAPH = 'hnswlib-node is not installed: each recall scans all vectors, exact and slower';

/** The garden of an agent, by its exact id or short name; null for anything else. */
export function findGarden(bundle: OpenBundle, agent: string): string | null {
  const found = bundle.root.predicate.gardens.find(
    (it) => it.agent_id !== null && (it.agent_id === agent || it.garden === agent),
  );
  return found?.garden ?? null;
}

/**
 * Proves and loads an agent's garden.
 *
 * @param library asked only for a garden with a graph of its vectors
 * @throws bundle_unverified
 */
export function loadGarden(
  bundle: OpenBundle,
  name: string,
  shared: readonly Fact[],
  library: () => GraphLibrary | null = hnswLibrary,
): LoadedGarden {
  const own = bundle.readGarden(name);
  const { predicate } = own.statement;
  const wanted = bundle.root.predicate.gardens.find((it) => it.garden === SHARED)?.digest;
  if (predicate.shared !== wanted) {
    throw refuse('statement_misplaced', `garden ${name} was compiled with another shared garden`);
  }
  const { files } = own;
  const facts = ownFacts(bundle, own);
  const all = [...facts, ...shared].sort((a, b) => byText(a.name, b.name));
  proveCertificate(bundle, own, all);
  const index = loadIndex((path) => files.get(path), library);
  return {
    proven: {
      name,
      digest: own.digest,
      envelope: own.envelope,
      statement: own.statement,
      signed_by: own.signed_by,
    },
    predicate,
    manifest: files.get('manifest.json'),
    stub: (profile) => stubOf(own, profile) ?? stubOf(own, 'generic'),
    recall: readyGarden(
      index,
      all,
      new Map(predicate.paths.map((path) => [path, files.get(`files/${path}`)?.toString('utf8') ?? ''])),
    ),
    notice: files.has(INDEX_FILES.graph) && index.nearest === null ? WITHOUT_GRAPH : null,
  };
}

/** Refuses a garden whose coverage certificate is not one of exactly this (§21.8.3). */
export function proveCertificate(bundle: OpenBundle, garden: ProvenGarden, facts: readonly Fact[]): void {
  const { predicate } = garden.statement;
  const proven = garden.statement.subject.filter(({ name }) => name.startsWith('index/'));
  const index = new Map(proven.map(({ name, digest }) => [name, digest.sha256]));
  // one object for all gardens, so that its digest is worked out once
  const model = isDeepStrictEqual(predicate.model, bundle.org.model) ? bundle.org.model : predicate.model;
  const bound = { index, model, generator: GENERATOR, scoring: SCORING, facts };
  assertCertified(predicate, bound, garden.files, { root: bundle.trust, now: bundle.now });
}

/** Proves and reads the shared garden's facts. */
export function loadShared(bundle: OpenBundle): Fact[] {
  return ownFacts(bundle, bundle.readGarden(SHARED));
}

/** A garden's facts in force; what only an administrator may allow is checked against the approvals beside them. */
export function ownFacts({ root, trust, now }: OpenBundle, { files, name }: ProvenGarden): Fact[] {
  const bytes = files.get('facts.json');
  if (!bytes) throw refuse('file_missing', `garden ${name} has no facts`);
  const facts = readFacts(bytes);
  assertApproved({ deployment: root.predicate.deployment, garden: name, now }, facts, files, trust);
  return facts;
}

/** §21.1.3: a profile that was not rendered is delivered as generic, by the caller. */
function stubOf({ files, statement }: ProvenGarden, profile: string): ServedStub | null {
  const known = statement.predicate.stubs.find((it) => it.profile === profile);
  const bytes = known && files.get(`stubs/${known.profile}.md`);
  return bytes ? { ...known, text: bytes.toString('utf8') } : null;
}

import { VadeError } from '../model/errors.ts';
import type { Fact } from '../model/fact.ts';
import type { GardenPredicate } from '../model/garden.ts';
import { SHARED } from '../model/uri.ts';
import { readyGarden, type RecallGarden } from '../recall/garden.ts';
import type { GraphLibrary } from '../recall/nearest.ts';
import { INDEX_FILES, loadIndex } from '../recall/searchindex.ts';
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
    throw new VadeError('bundle_unverified', `garden ${name} was compiled with another shared garden`);
  }
  const { files } = own;
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
      [...ownFacts(own), ...shared].sort((a, b) => byText(a.name, b.name)),
      new Map(predicate.paths.map((path) => [path, files.get(`files/${path}`)?.toString('utf8') ?? ''])),
    ),
    notice: files.has(INDEX_FILES.graph) && index.nearest === null ? WITHOUT_GRAPH : null,
  };
}

/** Proves and reads the shared garden's facts. */
export function loadShared(bundle: OpenBundle): Fact[] {
  return ownFacts(bundle.readGarden(SHARED));
}

function ownFacts({ files, name }: ProvenGarden): Fact[] {
  const bytes = files.get('facts.json');
  if (!bytes) throw new VadeError('bundle_unverified', `garden ${name} has no facts`);
  return readFacts(bytes);
}

/** §21.1.3: a profile that was not rendered is delivered as generic, by the caller. */
function stubOf({ files, statement }: ProvenGarden, profile: string): ServedStub | null {
  const known = statement.predicate.stubs.find((it) => it.profile === profile);
  const bytes = known && files.get(`stubs/${known.profile}.md`);
  return bytes ? { ...known, text: bytes.toString('utf8') } : null;
}

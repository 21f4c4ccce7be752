import type { ProvenEnvelope } from '../../compiler/io/bundle/open-bundle.ts';
import { Manifest } from '../../compiler/schema/bundle/manifest.ts';
import type { ArchivedDocument, AuditLog, Release } from '../audit/records/log.ts';
import type { Gardens } from './gardens.ts';
import { yieldBetween } from './yield-turns.ts';

/** Gardens per write to the audit. */
const BATCH = 50;

/** Retry interval after a failure, in milliseconds. */
const RETRY_MS = 60_000;

type Served = Pick<Gardens, 'bundle' | 'envelope'>;

/** Archives the served manifests and boot stubs (§21.7). */
export interface Archive {
  /**
   * Archives new and changed gardens in the background. Tries failed writes of the audit again.
   *
   * @param isServed checked before each step; a snapshot that is no longer served is not archived
   */
  readonly keep: (gardens: Served, names: readonly string[], isServed: () => boolean) => Promise<void>;
  /** Ends the archived versions of agents that the served bundle no longer has. */
  readonly deactivateOthers: (bundle: Pick<Served['bundle'], 'root'>) => Promise<void>;
}

export interface ArchiveContext {
  readonly audit: Pick<AuditLog, 'archive'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Called once per outage of the archive. */
  readonly onFailure: (error: unknown) => void;
}

export function createArchive({ audit, now, onFailure }: ArchiveContext): Archive {
  /** The last archived digest, by garden. */
  const archived = new Map<string, string>();
  let hasFailed = false;
  const keep: Archive['keep'] = async (gardens, names, isServed) => {
    try {
      for (const some of batches(changedIn(gardens, names, archived))) {
        const at = now();
        const { documents, inForce, read } = await readBatch(gardens, some, at, isServed);
        if (!isServed()) return;
        if (inForce.length > 0) await audit.archive({ documents, inForce, agents: null, at });
        for (const [garden, digest] of read) archived.set(garden, digest);
        hasFailed = false;
      }
    } catch (error) {
      if (!hasFailed) onFailure(error);
      hasFailed = true;
      setTimeout(() => void (isServed() && keep(gardens, names, isServed)), RETRY_MS).unref();
    }
  };
  const deactivateOthers: Archive['deactivateOthers'] = async ({ root }) => {
    const agents = root.predicate.gardens.flatMap(({ agent_id }) => agent_id ?? []);
    await audit.archive({ documents: [], inForce: [], agents, at: now() }).catch(onFailure);
  };
  return { keep, deactivateOthers };
}

type GardenVersion = readonly [garden: string, digest: string];

function changedIn(
  { bundle }: Served,
  names: readonly string[],
  archived: ReadonlyMap<string, string>,
): GardenVersion[] {
  const wanted = new Set(names);
  const entries = bundle.root.predicate.gardens.filter((it) => wanted.has(it.garden));
  return entries.filter((it) => archived.get(it.garden) !== it.digest).map((it) => [it.garden, it.digest]);
}

function batches(versions: readonly GardenVersion[]): GardenVersion[][] {
  const count = Math.ceil(versions.length / BATCH);
  return Array.from({ length: count }, (_, i) => versions.slice(i * BATCH, (i + 1) * BATCH));
}

/** One garden per turn of the event loop; a garden that does not verify is skipped until it does. */
async function readBatch(
  gardens: Served,
  versions: readonly GardenVersion[],
  at: number,
  isServed: () => boolean,
): Promise<{ documents: ArchivedDocument[]; inForce: Mutable<Release['inForce']>; read: GardenVersion[] }> {
  const documents: ArchivedDocument[] = [];
  const inForce: Mutable<Release['inForce']> = [];
  const read: GardenVersion[] = [];
  await yieldBetween(versions, (version) => {
    const own = isServed() ? documentsOf(gardens, version[0], at) : null;
    if (own === null) return;
    documents.push(...own.documents);
    inForce.push(...own.inForce);
    read.push(version);
  });
  return { documents, inForce, read };
}

type Mutable<T> = T extends readonly (infer U)[] ? U[] : never;

const NOTHING: Pick<Release, 'documents' | 'inForce'> = { documents: [], inForce: [] };

/** Null for a garden that does not verify. */
function documentsOf(gardens: Served, garden: string, at: number): Pick<Release, 'documents' | 'inForce'> | null {
  try {
    const proven = gardens.envelope(garden);
    const agent = proven?.statement.predicate.agent;
    if (!proven || !agent) return NOTHING;
    const documents = documentsIn(gardens, proven, agent.agent_id, at);
    const version = proven.statement.predicate.manifest_version ?? '';
    return { documents, inForce: [{ agent_id: agent.agent_id, version }] };
  } catch {
    return null;
  }
}

function documentsIn({ bundle }: Served, proven: ProvenEnvelope, agent_id: string, at: number): ArchivedDocument[] {
  const { manifest_version, stubs } = proven.statement.predicate;
  const common = { agent_id, version: manifest_version ?? '', created_at: at };
  const documents = stubs.map(({ profile, token_count }): ArchivedDocument => {
    const body = bundle.readFile(proven, `stubs/${profile}.md`).toString('utf8');
    return { ...common, kind: 'stub', name: profile, token_count, body };
  });
  if (manifest_version === null) return documents;
  const body = bundle.readFile(proven, 'manifest.json').toString('utf8');
  const { fact_uri, token_count } = Manifest.parse(JSON.parse(body));
  return [{ ...common, kind: 'manifest', name: fact_uri, token_count, body }, ...documents];
}

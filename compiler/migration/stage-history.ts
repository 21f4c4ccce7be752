import { z } from 'zod';
import { MigrationMode } from '../schema/source/agent.ts';
import type { Commit } from '../schema/source/sources.ts';
import type { BlobStore } from '../sources/blobs.ts';
import { normaliseText } from '../sources/front-matter.ts';
import { decodeYaml } from '../sources/yaml.ts';

/** The migration keys of an old `agent.yaml`; other keys are not validated. */
const Peek = z.looseObject({
  agent_id: z.string().default(''),
  migration_mode: MigrationMode.default('stigmem'),
  sensitive: z.boolean().default(false),
});

/** An `agent.yaml` at one commit; `at` is the index of the commit in the history. */
interface StageRecord extends z.infer<typeof Peek> {
  readonly at: number;
}

/** The last change of an agent's stage (§21.6.2). */
export interface Move {
  readonly from: MigrationMode;
  readonly to: MigrationMode;
  /** Indexes in the history of the commits that started the previous stage and this one. */
  readonly began: number;
  readonly at: number;
  /** Whether the agent was marked sensitive at any time since the start of the previous stage. */
  readonly sensitive: boolean;
}

/** An agent's current stage, since when, and the move into it; `move` is null for the agent's first stage. */
export interface StageHistory {
  readonly mode: MigrationMode;
  readonly since: number;
  readonly sensitive: boolean;
  readonly move: Move | null;
}

/** Records of every `agent.yaml` that ever named a migration mode, and of those with the same agent IDs. */
export interface StageRecords {
  /** Oldest first. */
  readonly byPath: ReadonlyMap<string, readonly StageRecord[]>;
  readonly byId: ReadonlyMap<string, readonly (readonly [path: string, record: StageRecord])[]>;
}

/** One version of an `agent.yaml` before decoding. */
interface AgentVersion {
  readonly at: number;
  readonly text: string;
}

/**
 * Reads the migration keys of every version of every `agent.yaml`. A version that cannot be decoded is skipped, because
 * it was never compiled. Most files never mention a migration mode; these are not decoded.
 */
export async function readStageRecords(
  commits: readonly Commit[],
  folder: string,
  blobs: BlobStore,
): Promise<StageRecords> {
  const changes = commits.flatMap(({ changes }, at) =>
    changes.flatMap(({ path, blob }) => (blob !== null && isAgentFile(folder, path) ? [{ at, path, blob }] : [])),
  );
  await blobs.load(changes.map((it) => it.blob));
  const versions = new Map<string, AgentVersion[]>();
  for (const { at, path, blob } of changes) {
    const text = normaliseText(blobs.blob(blob) ?? Buffer.of(0));
    if (text === null) continue;
    const known = versions.get(path);
    if (known) known.push({ at, text });
    else versions.set(path, [{ at, text }]);
  }
  return decodeRecords(versions);
}

function decodeRecords(versions: ReadonlyMap<string, readonly AgentVersion[]>): StageRecords {
  // a backslash may escape letters of the key, so such texts are decoded too
  const mentioning = [...versions].filter(([, all]) => all.some(({ text }) => /migration_mode|\\/.test(text)));
  const byPath = new Map(mentioning.map(([path, all]) => [path, decodeAll(path, all)]));
  const ids = new Set([...byPath.values()].flatMap((all) => all.map((it) => it.agent_id)));
  for (const [path, all] of versions) {
    const named = all.some(({ text }) => text.match(UUIDS)?.some((id) => ids.has(id)));
    if (!byPath.has(path) && named) byPath.set(path, decodeAll(path, all));
  }
  const byId = new Map<string, [string, StageRecord][]>();
  for (const [path, all] of byPath) {
    for (const it of all) byId.set(it.agent_id, [...(byId.get(it.agent_id) ?? []), [path, it]]);
  }
  return { byPath, byId };
}

const UUIDS = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

function decodeAll(path: string, versions: readonly AgentVersion[]): StageRecord[] {
  return versions.flatMap(({ at, text }) => {
    const peeked = decodeYaml(Peek, text, path).value;
    return peeked ? [{ ...peeked, at }] : [];
  });
}

/**
 * The stage history of an agent along the first-parent history. An agent is new if no earlier commit has its
 * `agent.yaml`, or one in another folder with its ID: deleting it or renaming its folder does not make it new.
 *
 * @param file its `agent.yaml`
 * @returns null if its history never named a migration mode
 */
export function stageHistoryOf({ byPath, byId }: StageRecords, file: string): StageHistory | null {
  const own = byPath.get(file) ?? [];
  const [first] = own;
  const last = own.at(-1);
  if (!first || !last) return null;
  const alike = last.agent_id === '' ? [] : (byId.get(last.agent_id) ?? []);
  const before = alike.flatMap(([path, it]) => (path !== file && it.at <= first.at ? [it] : []));
  const all = [...before.sort((a, b) => a.at - b.at), ...own];
  const since = startOfRun(all, all.length - 1);
  const present = { mode: last.migration_mode, since: all[since]?.at ?? 0 };
  const sensitive = (from: number) => all.slice(from).some((it) => it.sensitive);
  const previous = all[since - 1];
  if (!previous) return { ...present, sensitive: sensitive(since), move: null };
  const start = startOfRun(all, since - 1);
  const move: Move = {
    from: previous.migration_mode,
    to: last.migration_mode,
    began: all[start]?.at ?? 0,
    at: present.since,
    sensitive: sensitive(start),
  };
  return { ...present, sensitive: sensitive(since), move };
}

/** The index of the first record in the unbroken run of one mode that ends at `end`. */
function startOfRun(all: readonly StageRecord[], end: number): number {
  let start = end;
  while (start > 0 && all[start - 1]?.migration_mode === all[end]?.migration_mode) start -= 1;
  return start;
}

function isAgentFile(folder: string, path: string): boolean {
  const parts = path.startsWith(`${folder}/agents/`) ? path.slice(folder.length + 1).split('/') : [];
  return parts.length === 3 && parts[2] === 'agent.yaml';
}

import { instant } from '../schema/primitives.ts';
import type { Change, Commit } from '../schema/source/sources.ts';
import { SHARED } from '../schema/uri.ts';
import { gardenOf, probedAgent } from '../sources/classify-files.ts';
import { sha256 } from '../trust/canonical.ts';

/** The state of one garden's history: its version, its serial, and a digest over its changes. */
export interface Trace {
  /** Counts the first-parent commits that touch the agent's folder or probes, `shared/` or `org.yaml`. */
  readonly version: number;
  /** When the last of these commits was made. */
  readonly versioned_at: string;
  /** The last of these commits, and its counted changes. */
  readonly versioned_by: { readonly commit: Commit; readonly changes: readonly Change[] } | undefined;
  /** sha256 over every change that the version counts, and of the previous version; null for the first. */
  readonly sources: { readonly now: string; readonly before: string | null };
  /** Place of the last commit that touches any of these paths or a legacy file of the garden; never decreases. */
  readonly serial: number;
  readonly commit: string;
  readonly committed_at: string;
  /** sha256 over every change to these paths. */
  readonly digest: string;
}

/**
 * Follows every garden through the history in one pass (DESIGN §6.2).
 *
 * @param places of commits on the first-parent chain
 * @param legacy gardens by legacy path
 */
export function traceGardens(
  commits: readonly Commit[],
  folder: string,
  gardens: readonly string[],
  places: ReadonlyMap<string, number>,
  legacy: ReadonlyMap<string, ReadonlySet<string>>,
): Map<string, Trace> {
  const own = new Map<string, Touch[]>(gardens.map((name) => [name, []]));
  const common: Touch[] = [];
  const ownerOf = ownersIn(folder);
  commits.forEach((commit, at) => {
    for (const change of commit.changes) {
      const { path, blob } = change;
      const touch = { at, change, line: `${commit.id} ${path}\0${blob ?? ''}`, legacy: false };
      const garden = ownerOf(path);
      if (garden === SHARED) common.push(touch);
      else if (garden !== null) own.get(garden)?.push(touch);
      for (const name of legacy.get(path) ?? []) own.get(name)?.push({ ...touch, legacy: true });
    }
  });
  const commonDigest = sha256(common.map((it) => it.line).join('\n'));
  const digestOf = (touches: readonly Touch[]) => sha256([commonDigest, ...touches.map((it) => it.line)].join('\n'));
  return new Map(
    [...own].map(([name, touches]) => {
      const summary = summarise([...common, ...touches], commits, places);
      return [name, { ...summary, digest: digestOf(touches) }];
    }),
  );
}

/** One change that concerns a garden, and the index of its commit. */
interface Touch {
  readonly at: number;
  readonly change: Change;
  readonly line: string;
  readonly legacy: boolean;
}

function summarise(touches: readonly Touch[], commits: readonly Commit[], places: ReadonlyMap<string, number>) {
  const latest = (numbers: Iterable<number>) => [...numbers].reduce((last, at) => Math.max(last, at), 0);
  const counted = touches.filter((it) => !it.legacy);
  const versions = new Set(counted.map((it) => it.at));
  const upTo = (at: number) =>
    sha256(
      counted
        .filter((it) => it.at <= at)
        .map((it) => it.line)
        .sort()
        .join('\n'),
    );
  const [now = 0, before] = [...versions].sort((a, b) => b - a);
  const versioned = commits[now];
  const last = commits[latest(touches.map((it) => it.at))];
  return {
    version: Math.max(1, versions.size),
    versioned_at: instant(versioned?.committed ?? 0),
    versioned_by: versioned && {
      commit: versioned,
      changes: counted.filter((it) => it.at === now).map((it) => it.change),
    },
    sources: { now: upTo(now), before: before === undefined ? null : upTo(before) },
    serial: places.get(last?.id ?? '') ?? 1,
    commit: last?.id ?? '',
    committed_at: instant(last?.committed ?? 0),
  };
}

/** The garden that a path counts for; `shared` means all. Probes order what a manifest lists. Cached by path. */
function ownersIn(folder: string): (path: string) => string | null {
  const owners = new Map<string, string | null>();
  return (path) => {
    let owner = owners.get(path);
    if (owner === undefined) {
      owner = path === `${folder}/org.yaml` ? SHARED : (probedAgent(folder, path) ?? gardenOf(folder, path));
      owners.set(path, owner);
    }
    return owner;
  };
}

import type { Commit } from '../model/sources.ts';
import { SHARED } from '../model/uri.ts';
import { sha256 } from '../trust/canonical.ts';
import { gardenOf } from './survey.ts';
import { instant } from './version.ts';

/** How far one garden has come: what its serial counts, and a digest over all of it. */
export interface Trace {
  /** First-parent commits that touch the agent's folder, `shared/`, `org.yaml` or a legacy file of its own. */
  readonly serial: number;
  readonly commit: string;
  readonly committed_at: string;
  /** sha256 over every change to those paths. */
  readonly digest: string;
}

/**
 * Follows every garden through the history in one pass (DESIGN §6.2).
 *
 * @param legacy gardens by legacy path
 */
export function traceGardens(
  commits: readonly Commit[],
  folder: string,
  gardens: readonly string[],
  legacy: ReadonlyMap<string, readonly string[]>,
): Map<string, Trace> {
  const own = new Map<string, { at: number; line: string }[]>(gardens.map((name) => [name, []]));
  const common: { at: number; line: string }[] = [];
  const ownerOf = ownersIn(folder);
  commits.forEach((commit, at) => {
    for (const { path, blob } of commit.changes) {
      const entry = { at, line: `${commit.id} ${path}\0${blob ?? ''}` };
      const garden = ownerOf(path);
      if (garden === SHARED) common.push(entry);
      else if (garden !== null) own.get(garden)?.push(entry);
      for (const name of legacy.get(path) ?? []) own.get(name)?.push(entry);
    }
  });
  const commonDigest = sha256(common.map((it) => it.line).join('\n'));
  return new Map(
    [...own].map(([name, entries]) => {
      const all = name === SHARED ? common : [...common, ...entries];
      const touched = new Set(all.map((it) => it.at));
      const last = commits[Math.max(common.at(-1)?.at ?? 0, name === SHARED ? 0 : (entries.at(-1)?.at ?? 0))];
      const digest = sha256([commonDigest, ...entries.map((it) => it.line)].join('\n'));
      const trace = {
        serial: Math.max(1, touched.size),
        commit: last?.id ?? '',
        committed_at: instant(last?.committed ?? 0),
        digest,
      };
      return [name, trace] as const;
    }),
  );
}

/** Which garden a path counts for; `shared` stands for all of them. Each path is looked at once. */
function ownersIn(folder: string): (path: string) => string | null {
  const owners = new Map<string, string | null>();
  return (path) => {
    let owner = owners.get(path);
    if (owner === undefined) {
      owner = path === `${folder}/org.yaml` ? SHARED : gardenOf(folder, path);
      owners.set(path, owner);
    }
    return owner;
  };
}

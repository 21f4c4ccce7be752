import { CURRENT, currentRevision, stampOf } from '../../compiler/io/bundle/open-bundle.ts';
import { sidecarStamp, FRESHNESS, ROLLBACK, WITHDRAWN } from '../../compiler/io/bundle/sidecar-files.ts';
import { VadeError } from '../../compiler/schema/errors.ts';
import { reasonOf } from '../../compiler/schema/refusals.ts';
import type { DamagedGarden, Refused } from './snapshot.ts';

/** Where new roots are announced. */
export interface Announced {
  /** Changes whenever another root may be announced; costs one stat. */
  readonly stamp: () => string;
  /** @throws bundle_not_found, bundle_unverified */
  readonly revision: () => string;
}

/** Which root is offered, and whether it is worth a try. */
export interface Candidates {
  /** The root to try now; null where the one that is served is offered, or one that was refused just as it is. */
  readonly next: (serving: string) => string | null;
  /** @returns whether this is news: the same root, refused again for the same reason, is not */
  readonly refuse: (revision: string, error: unknown) => boolean;
  /** The same of something that never became a root here, and so is not tried. */
  readonly note: (revision: string, error: unknown) => boolean;
  /** How many roots were refused, each for each of its reasons once. */
  readonly refused: () => number;
  readonly lastRefusal: () => Refused | null;
  /** The garden that what is offered was refused for; null where it was not, or not for a garden. */
  readonly refusedFor: () => DamagedGarden | null;
  /** Since when something is offered that was refused; null where what is offered is served. */
  readonly staleSince: () => number | null;
}

/** A folder announces its root in `current`, which its writer replaces last. */
export function announcedIn(folder: string): Announced {
  return { stamp: () => sidecarStamp(folder, CURRENT), revision: () => currentRevision(folder) };
}

/** A refused root gets another try this often, in milliseconds: a model may be there by then, or a clock be right. */
const RETRY_MS = 60_000;

/** @param now milliseconds since 1970 */
export function watchCandidates(folder: string, announced: Announced, now: () => number): Candidates {
  let looked = announced.stamp();
  let offered = revisionOf(announced);
  let standing: RefusedRoot | null = null;
  let last: Refused | null = null;
  let since: number | null = null;
  let count = 0;
  const note = (revision: string, error: unknown) => {
    const reason = reasonOf(error);
    if (last?.revision === revision && last.reason === reason) return false;
    last = { revision, reason, at: now() };
    count++;
    return true;
  };
  const refuse = (revision: string, error: unknown) => {
    const places = placesOf(folder, revision, error);
    standing = { revision, garden: gardenOf(error)?.name ?? null, places, lay: places(), triedAt: now() };
    since ??= now();
    return note(revision, error);
  };
  return {
    next: (serving) => {
      const stamp = announced.stamp();
      if (stamp !== looked) [looked, standing, offered] = [stamp, null, revisionOf(announced)];
      const revision = offered;
      if (revision === serving) [since, standing] = [null, null];
      return revision === serving || isRefused(standing, revision, now()) ? null : revision;
    },
    refuse,
    note,
    refused: () => count,
    lastRefusal: () => last,
    refusedFor: () => {
      const { revision = '', garden = null } = standing ?? {};
      return garden === null ? null : { revision, garden };
    },
    staleSince: () => since,
  };
}

/** Empty where nothing, or no revision, is announced: what then fails says why. */
function revisionOf(announced: Announced): string {
  try {
    return announced.revision();
  } catch {
    return '';
  }
}

/** A root that was refused, and how all lay that it was refused for. */
interface RefusedRoot {
  readonly revision: string;
  /** The garden that it was refused for; null where it was another thing. */
  readonly garden: string | null;
  readonly places: () => string;
  readonly lay: string;
  /** Milliseconds since 1970. */
  readonly triedAt: number;
}

function isRefused(standing: RefusedRoot | null, revision: string, now: number): boolean {
  if (standing?.revision !== revision) return false;
  return standing.lay === standing.places() && Math.abs(now - standing.triedAt) < RETRY_MS;
}

/** The root's own files, those of the garden that failed, and what stands beside: half a root may become a whole one. */
function placesOf(folder: string, revision: string, error: unknown): () => string {
  const garden = gardenOf(error);
  return () =>
    [
      ...[ROLLBACK, WITHDRAWN, FRESHNESS].map((name) => sidecarStamp(folder, name)),
      stampOf(folder, revision, null),
      garden ? stampOf(folder, revision, garden) : '',
    ].join('\n');
}

/** The garden, and its version, that a refusal is about; null where it is about none. */
function gardenOf(error: unknown): { name: string; digest: string } | null {
  const { garden: name, digest } = error instanceof VadeError ? error.details : {};
  return typeof name === 'string' && typeof digest === 'string' ? { name, digest } : null;
}

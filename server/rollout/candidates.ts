import { CURRENT, currentRevision, stampOf } from '../../compiler/io/bundle/open-bundle.ts';
import { sidecarStamp, FRESHNESS, ROLLBACK, WITHDRAWN } from '../../compiler/io/bundle/sidecar-files.ts';
import { VadeError } from '../../compiler/schema/errors.ts';
import { orNull } from '../../compiler/schema/or-null.ts';
import { reasonOf } from '../../compiler/schema/refusals.ts';
import type { DamagedGarden, Refused } from './snapshot.ts';

/** The announcement of new roots. */
export interface Announced {
  /** Changes whenever a new root may be announced; costs one stat call. */
  readonly stamp: () => string;
  /** @throws bundle_not_found, bundle_unverified */
  readonly revision: () => string;
}

/** The announced root, and whether to try it. */
export interface AnnouncedRoot {
  /** The root to try now; null if it is already served, or was refused in its present state. */
  readonly next: (serving: string) => string | null;
  /** @returns whether this is new: false if the same root was last refused for the same reason */
  readonly refuse: (revision: string, error: unknown) => boolean;
  /** The same for a candidate that was never stored here, and so cannot be tried. */
  readonly note: (revision: string, error: unknown) => boolean;
  /** Number of refused roots; a root counts once per reason. */
  readonly refused: () => number;
  readonly lastRefusal: () => Refused | null;
  /** The garden that the refused candidate failed on; null if none is refused, or for another reason. */
  readonly refusedFor: () => DamagedGarden | null;
  /** When the announced root was first refused; null if the announced root is served. */
  readonly staleSince: () => number | null;
}

/** A folder announces its root in `current`, the file that its writer replaces last. */
export function announcedIn(folder: string): Announced {
  return { stamp: () => sidecarStamp(folder, CURRENT), revision: () => currentRevision(folder) };
}

/** Retry interval of a refused root, in milliseconds: a model may have arrived, or a clock may be correct. */
const RETRY_MS = 60_000;

/** @param now milliseconds since 1970 */
export function watchCandidates(folder: string, announced: Announced, now: () => number): AnnouncedRoot {
  let looked = announced.stamp();
  let offered = revisionOf(announced);
  let refusal: RefusedRoot | null = null;
  let since: number | null = null;
  const refusals = countRefusals(now);
  const refuse = (revision: string, error: unknown) => {
    const readStamps = placesOf(folder, revision, error);
    refusal = { revision, garden: gardenOf(error)?.name ?? null, readStamps, stamps: readStamps(), triedAt: now() };
    since ??= now();
    return refusals.note(revision, error);
  };
  return {
    next: (serving) => {
      const stamp = announced.stamp();
      if (stamp !== looked) {
        offered = revisionOf(announced);
        looked = stamp;
        refusal = null;
      }
      const revision = offered;
      if (revision === serving) {
        since = null;
        refusal = null;
      }
      return revision === serving || isRefused(refusal, revision, now()) ? null : revision;
    },
    refuse,
    ...refusals,
    refusedFor: () => {
      const { revision = '', garden = null } = refusal ?? {};
      return garden === null ? null : { revision, garden };
    },
    staleSince: () => since,
  };
}

/** Counts refused roots, and remembers the last one. @param now milliseconds since 1970 */
function countRefusals(now: () => number): Pick<AnnouncedRoot, 'note' | 'refused' | 'lastRefusal'> {
  let last: Refused | null = null;
  let count = 0;
  return {
    note: (revision, error) => {
      const reason = reasonOf(error);
      if (last?.revision === revision && last.reason === reason) return false;
      last = { revision, reason, at: now() };
      count++;
      return true;
    },
    refused: () => count,
    lastRefusal: () => last,
  };
}

/** Empty without a valid announcement; opening it then reports the error. */
function revisionOf(announced: Announced): string {
  return orNull(() => announced.revision()) ?? '';
}

/** A refused root, with the stamps of the files that the refusal depends on. */
interface RefusedRoot {
  readonly revision: string;
  /** The garden that failed; null for another reason. */
  readonly garden: string | null;
  readonly readStamps: () => string;
  readonly stamps: string;
  /** Milliseconds since 1970. */
  readonly triedAt: number;
}

function isRefused(refusal: RefusedRoot | null, revision: string, now: number): boolean {
  if (refusal?.revision !== revision) return false;
  return refusal.stamps === refusal.readStamps() && Math.abs(now - refusal.triedAt) < RETRY_MS;
}

/** Stamps of the root's, the failed garden's and the sidecar files: an incomplete root may become complete. */
function placesOf(folder: string, revision: string, error: unknown): () => string {
  const garden = gardenOf(error);
  return () =>
    [
      ...[ROLLBACK, WITHDRAWN, FRESHNESS].map((name) => sidecarStamp(folder, name)),
      stampOf(folder, revision, null),
      garden ? stampOf(folder, revision, garden) : '',
    ].join('\n');
}

/** The garden and digest of a refusal; null if it concerns no garden. */
function gardenOf(error: unknown): { name: string; digest: string } | null {
  const { garden: name, digest } = error instanceof VadeError ? error.details : {};
  return typeof name === 'string' && typeof digest === 'string' ? { name, digest } : null;
}

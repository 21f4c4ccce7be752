import { type GardenHistory } from '../history/unit-versions.ts';
import type { Evidence } from '../schema/bundle/evidence.ts';
import { check, checkFigures, EVIDENCE_LIFETIME_MS, type StageCheck } from '../schema/bundle/migration-stage.ts';
import { instant } from '../schema/primitives.ts';
import type { Commit } from '../schema/source/sources.ts';
import type { BlobStore } from '../sources/blobs.ts';
import { unitName } from '../sources/classify-files.ts';
import { normaliseText, splitFrontMatter } from '../sources/front-matter.ts';
import { sha256 } from '../trust/canonical.ts';
import { unitsDigest } from '../trust/evidence.ts';
import type { Move } from './stage-history.ts';

/** A move as evidence of it has to fit: between which commits, by place and by time. */
export interface TimeWindow {
  /** Place of the commit that brought the stage before, on the first-parent chain, and when it was committed. */
  readonly began: { readonly place: number; readonly at: string };
  /** The same of the commit that moves on; what is yet to come has no place. */
  readonly moved: { readonly place: number; readonly at: string };
}

/** The stretch of a move. @param places of commits on the first-parent chain */
export function timeWindowOf(
  { began, at }: Pick<Move, 'began' | 'at'>,
  commits: readonly Commit[],
  places: ReadonlyMap<string, number>,
): TimeWindow {
  const point = (commit: Commit | undefined) => ({
    place: places.get(commit?.id ?? '') ?? 1,
    at: instant(commit?.committed ?? 0),
  });
  return { began: point(commits[began]), moved: point(commits[at]) };
}

/**
 * Every rule that evidence has to keep (§21.6.2): its figures, and that it was seen in the stage that the agent
 * leaves, all of it, and not long ago. A compile and who signs evidence ask the very same.
 */
export function checkEvidence(evidence: Evidence, { began, moved }: TimeWindow): StageCheck[] {
  const { since, until, revisions } = evidence;
  const inStage = Date.parse(since) >= Date.parse(began.at) && Date.parse(until) <= Date.parse(moved.at);
  const strangers = revisions.filter((it) => serialIn(it) < began.place || serialIn(it) >= moved.place);
  const age = Date.parse(moved.at) - Date.parse(until);
  return [
    ...checkFigures(evidence),
    check('window_in_stage', inStage, `${since} to ${until}`, `${began.at} to ${moved.at}`),
    check(
      'revisions_in_stage',
      strangers.length === 0,
      strangers.length === 0 ? `${revisions.length} revisions` : strangers.join(', '),
      `revisions since the stage began, ${began.place} or later`,
    ),
    check(
      'evidence_recent',
      age <= EVIDENCE_LIFETIME_MS,
      `${Math.floor(age / DAY_MS)} days old`,
      `at most ${EVIDENCE_LIFETIME_MS / DAY_MS}`,
    ),
  ];
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** A revision begins with the place of its commit; what does not is of no stage. */
function serialIn(revision: string): number {
  return Number(/^[1-9]\d{0,14}(?=-)/.exec(revision)?.[0] ?? Number.NaN) || 0;
}

/**
 * sha256 over an agent's own units as a commit left them. For the step out of coexistence their texts are meant: from
 * then on nothing stands in for them. Where the step before brings the texts, only their names are.
 *
 * @param at the commit's number in the history
 */
export async function digestUnits(
  history: GardenHistory | undefined,
  commits: readonly Commit[],
  { at, to }: Pick<Move, 'at' | 'to'>,
  blobs: BlobStore,
): Promise<string> {
  const files = filesAt(history, commits, at);
  await blobs.load(files.map((it) => it.blob));
  const texts = files.map(({ path, blob }) => {
    const text = normaliseText(blobs.blob(blob) ?? Buffer.alloc(0)) ?? '';
    return [unitName(path), to === 'stigmem' ? sha256(splitFrontMatter(text).content) : null] as const;
  });
  return unitsDigest(new Map(texts));
}

/** A garden's files as a commit left them, by path. @param at the commit's number in the history */
export function filesAt(history: GardenHistory | undefined, commits: readonly Commit[], at: number) {
  const known = new Set(commits.slice(0, at + 1));
  return [...(history ?? [])].flatMap(([path, changes]) => {
    const blob = changes.filter(({ commit }) => known.has(commit)).at(-1)?.blob ?? null;
    return blob === null ? [] : [{ path, blob }];
  });
}

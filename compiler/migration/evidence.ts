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

/** The commits between which the evidence of a move must lie, by place and by time. */
export interface TimeWindow {
  /** The commit that started the previous stage: its place on the first-parent chain, and its time. */
  readonly began: { readonly place: number; readonly at: string };
  /** The same for the commit of the move. */
  readonly moved: { readonly place: number; readonly at: string };
}

/** The time window of a move. @param places of commits on the first-parent chain */
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
 * Checks evidence against every rule (§21.6.2): its figures, and that its window lies within the stage that the agent
 * leaves and is recent. The compile and `vade shadow --attest` use the same checks.
 */
export function checkEvidence(evidence: Evidence, { began, moved }: TimeWindow): StageCheck[] {
  const { since, until, revisions } = evidence;
  const inStage = Date.parse(since) >= Date.parse(began.at) && Date.parse(until) <= Date.parse(moved.at);
  const outside = revisions.filter((it) => serialIn(it) < began.place || serialIn(it) >= moved.place);
  const age = Date.parse(moved.at) - Date.parse(until);
  return [
    ...checkFigures(evidence),
    check('window_in_stage', inStage, `${since} to ${until}`, `${began.at} to ${moved.at}`),
    check(
      'revisions_in_stage',
      outside.length === 0,
      outside.length === 0 ? `${revisions.length} revisions` : outside.join(', '),
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

/** The place of a revision's commit, with which the revision begins; 0 for any other string. */
function serialIn(revision: string): number {
  return Number(/^[1-9]\d{0,14}(?=-)/.exec(revision)?.[0] ?? Number.NaN) || 0;
}

/**
 * sha256 over an agent's own units at a commit. For the step to `stigmem` it covers names and texts, because from then
 * on no legacy file can replace a text. For the step to `coexistence`, which adds the texts, it covers names only.
 *
 * @param at the index of the commit in the history
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

/** A garden's files at a commit, by path. @param at the index of the commit in the history */
export function filesAt(history: GardenHistory | undefined, commits: readonly Commit[], at: number) {
  const known = new Set(commits.slice(0, at + 1));
  return [...(history ?? [])].flatMap(([path, changes]) => {
    const blob = changes.filter(({ commit }) => known.has(commit)).at(-1)?.blob ?? null;
    return blob === null ? [] : [{ path, blob }];
  });
}

import { chooseCandidates } from '../candidates.ts';
import { boost } from '../rank/boost.ts';
import { leastScore } from '../rank/least-score.ts';
import { rankUnits, scoreUnits, type Scores } from '../rank/rank.ts';
import type { RecallContext, RecallGarden } from '../recall-garden.ts';
import { servingAt, type SkillServing } from '../resolve-content.ts';

/** Tokens of the page, or of the names with their descriptions. */
export const PROMPT_TOKENS = 350;

/** The most units that are named. */
const NAMES = 5;

/** How far the best score lies above `leastScore`, in millionths, where units are named and where a page is sure. */
const NAMED_FROM = -10_000;
const SURE_FROM = 80_000;

/** The least lexical score of a sure page, in millionths: meaning alone makes none sure. */
const SURE_WORDS = 100_000;

/** The answer of a hook to a prompt, as units of the garden: a page with its text, or some by name, or neither. */
export interface PromptAnswer {
  readonly page: number | null;
  /** In the order of their ranks; empty where there is a page. */
  readonly names: readonly number[];
}

/** A prompt's intent, as `promptIntent` has it, with its vector and the instant. */
export interface AskedPrompt extends Pick<RecallContext, 'query' | 'now'> {
  readonly intent: string;
}

/**
 * Decides what a hook gives for a prompt of its agent's user (README, By itself). A name in the prompt counts as words
 * alone, since it may stand in pasted text. Guaranteed units are given by other events, so they do not take part.
 */
export function answerPrompt(garden: RecallGarden, prompt: AskedPrompt, skills?: SkillServing): PromptAnswer {
  const { serve, absent } = servingAt(garden, prompt.now, skills);
  const usable = (unit: number) => !absent.has(unit) && !garden.guaranteed.includes(unit);
  const plain = scoreUnits(garden.index, prompt.intent, prompt.query, { usable, wanted: [] });
  const scores = { ...plain, total: boost(plain.total, { boosted: new Int32Array(), unwritten: garden.unwritten }) };
  const ranked = rankUnits({ ...scores, exact: new Set() }, usable);
  const [best] = ranked;
  const fit = fitOf(garden, scores, best, prompt);
  if (best === undefined || fit < NAMED_FROM) return { page: null, names: [] };
  const fits = (serve(best)?.tokens ?? Infinity) <= PROMPT_TOKENS;
  if (fits && isSure(scores, ranked, fit)) return { page: best, names: [] };
  const { units } = chooseCandidates(garden, { candidates: NAMES, candidates_budget: PROMPT_TOKENS }, ranked, [], null);
  return { page: null, names: units };
}

/** How well a unit fits, in millionths; none fits an intent of which the encoder knows nothing. */
function fitOf({ index }: RecallGarden, { total }: Scores, unit = -1, { query }: AskedPrompt): number {
  return index.vectors !== null && query === null ? -Infinity : (total[unit] ?? 0) - leastScore(index, query);
}

/** Whether the best unit fits well, is half as far above the second, and shares words with the intent. */
function isSure({ total, lexical }: Scores, [best = -1, second = -1]: readonly number[], fit: number): boolean {
  const margin = (total[best] ?? 0) - (total[second] ?? 0);
  return Math.min(fit, 2 * margin) >= SURE_FROM && (lexical[best] ?? 0) >= SURE_WORDS;
}

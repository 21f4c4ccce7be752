import type { RecallCandidate, RecallRequest } from '../schema/api/recall.ts';
import type { RecallGarden } from './recall-garden.ts';

/** The units that an answer names without their texts, in the order of their ranks; the one about a file is ahead. */
export interface Candidates {
  readonly units: readonly number[];
  /** Number of those asked for that did not fit the budget. */
  readonly more: number;
}

/** A candidate as an answer shows it; its tokens are counted when a garden is compiled. */
export function candidateText({ name, description }: RecallCandidate): string {
  return JSON.stringify({ name, description });
}

/**
 * The next best units that are not in the answer, as many as asked, cut from the end to their budget. One that is about
 * a file of the request is ahead of all but the best ranked unit.
 *
 * @param ranked units that can be served now
 * @param order the units of the answer
 * @param about the best of the units that are about files of the request
 */
export function chooseCandidates(
  { index }: RecallGarden,
  { candidates, candidates_budget }: Pick<RecallRequest, 'candidates' | 'candidates_budget'>,
  ranked: readonly number[],
  order: readonly number[],
  about: number | null,
): Candidates {
  const answered = new Set(order);
  const ahead = about === null ? ranked : new Set([...ranked.slice(0, 1), about, ...ranked]);
  const wanted = [...ahead].filter((unit) => !answered.has(unit)).slice(0, candidates);
  let left = candidates_budget;
  const cut = wanted.findIndex((unit) => (left -= index.candidateTokens[unit] ?? Infinity) < 0);
  const units = cut === -1 ? wanted : wanted.slice(0, cut);
  return { units, more: wanted.length - units.length };
}

/** The candidates by name and description: never a text. */
export function namedCandidates({ facts }: RecallGarden, { units }: Candidates): RecallCandidate[] {
  return units.flatMap((unit) => {
    const fact = facts[unit];
    return fact ? [{ name: fact.name, description: fact.delivery.description }] : [];
  });
}

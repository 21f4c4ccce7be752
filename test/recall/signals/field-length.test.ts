import { describe, expect, test } from 'vitest';
import { buildLexical, SCALE, scoreLexical, type Fields } from '../../../compiler/recall/signals/lexical.ts';

const NOTHING: Fields = { triggers: '', phrases: '', description: '', heading: '', content: '', task_types: '' };

/** The score of the first of so many units, the only one with a word, in this field. */
function scoreOf(field: keyof Fields, units: number): number {
  const lexical = buildLexical([{ ...NOTHING, [field]: 'incident' }, ...Array<Fields>(units - 1).fill(NOTHING)]);
  const at = new Map(lexical.terms.map((term, i) => [term, i]));
  return scoreLexical(lexical, at, 'incident', units)[0] ?? 0;
}

/** The score of one word that stands once in a field as long as an average one: no length counts for or against it. */
function ofAverageLength(weight: number, units: number): number {
  const sum = (Math.log((units + 1) / 1.5) * weight) / (1.2 + weight);
  return sum / (sum + 24);
}

describe('DESIGN §6.7 the average length of a field', () => {
  test.each([
    ['triggers', 2],
    ['phrases', 1.5],
    ['content', 1],
    ['task_types', 0.5],
  ] as const)(
    'the average length of a field is at least one word: %s of one word do not count as long',
    (field, weight) => {
      for (const units of [2, 10, 1000]) {
        expect(scoreOf(field, units) / SCALE).toBeCloseTo(ofAverageLength(weight, units), 5);
      }
    },
  );
});

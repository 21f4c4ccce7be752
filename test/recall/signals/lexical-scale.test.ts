import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  buildLexical,
  deductionsOf,
  scoreLexical,
  type Fields,
  type RowCounts,
} from '../../../compiler/recall/signals/lexical.ts';

const NOTHING: Fields = { triggers: '', phrases: '', description: '', heading: '', content: '', task_types: '' };
const FIELDS = Object.keys(NOTHING) as (keyof Fields)[];

/** The score of the first unit. */
function firstScore(units: readonly Fields[], intent: string, deductions?: readonly number[]): number {
  const lexical = buildLexical(units, undefined, deductions);
  const numbers = new Map(lexical.terms.map((term, at) => [term, at]));
  return scoreLexical(lexical, numbers, intent, units.length)[0] ?? 0;
}

/** Lines without a common word: each word is in as many units, whichever of them has the line. */
const LINES = ['red apple', 'green tree', 'blue', 'old stone house', 'cold sea'];
const OTHERS = 4;
const fieldsWith = (linesIn: (field: keyof Fields) => readonly string[]): Fields => ({
  ...NOTHING,
  ...Object.fromEntries(FIELDS.map((field) => [field, linesIn(field).join('\n')])),
});
const own = fc
  .tuple(...FIELDS.map(() => fc.subarray(LINES)))
  .map((lines) => fieldsWith((field) => lines[FIELDS.indexOf(field)] ?? []));

/** The other units, each line in all fields of one of them, and what their phrases take off. */
const others = fc.record({
  owners: fc.array(fc.nat(OTHERS - 1), { minLength: LINES.length, maxLength: LINES.length }),
  deductions: fc.array(fc.nat(100_000), { minLength: OTHERS, maxLength: OTHERS }),
});

const NONE: RowCounts = { own: 2, phrases: 0 };

describe('DESIGN §6.7 the scale of the lexical signal', () => {
  test('with document counts and averages held fixed, the lexical score of a unit depends on its own words alone', () => {
    fc.assert(
      fc.property(own, fc.nat(100_000), fc.subarray(LINES), others, others, (unit, deduction, asked, ...gardens) => {
        const scores = gardens.map(({ owners, deductions }) => {
          const rest = deductions.map((_, at) => fieldsWith(() => LINES.filter((__, line) => owners[line] === at)));
          return firstScore([unit, ...rest], `${asked.join('\n')} zzz`, [deduction, ...deductions]);
        });
        expect(scores[1]).toBe(scores[0]);
      }),
    );
  });

  test('the same words are worth the same in a longer intent', () => {
    const unknown = fc.array(fc.stringMatching(/^z[a-z]{2,8}$/), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(own, fc.constantFrom(...LINES), unknown, (unit, intent, words) => {
        expect(firstScore([unit, NOTHING], `${intent} ${words.join(' ')}`)).toBe(firstScore([unit, NOTHING], intent));
      }),
    );
  });

  test('a word at the end of a text of 256 kB counts', () => {
    const long = { ...NOTHING, content: `${'bear '.repeat(52_000)}train` };
    expect(firstScore([long, NOTHING], 'train')).toBeGreaterThan(0);
  });

  test('the deduction for phrases grows with each doubling of the rows', () => {
    const units = [0, 2, 6, 8].map((phrases) => ({ own: 2, phrases }));
    expect(deductionsOf(units)).toEqual([0, 14_000, 28_000, 32_507]);
  });

  test('the deduction for phrases is whole where a quarter of the units have any, and in proportion below', () => {
    const among = (units: number) =>
      deductionsOf([{ own: 2, phrases: 2 }, ...Array<RowCounts>(units - 1).fill(NONE)])[0];
    expect([1, 2, 4, 5, 8, 80].map(among)).toEqual([14_000, 14_000, 14_000, 11_200, 7000, 700]);
    expect(deductionsOf([])).toEqual([]);
  });

  test('phrases take off more in a longer intent, up to 120 nats, so that a unit is still found', () => {
    const units = [{ ...NOTHING, triggers: 'red apple tree' }, ...Array<Fields>(999).fill(NOTHING)];
    const asked = (unknown: number) => ['red apple tree', ...Array.from({ length: unknown }, (_, at) => `z${at}`)];
    const score = (unknown: number, deduction: number) => firstScore(units, asked(unknown).join(' '), [deduction]);
    expect([score(0, 0), score(500, 0)]).toEqual([284_940, 284_940]);
    // 9.5637 nats without, and 9.5637 − 120 × 0.032507 from ten unknown words on
    const scores = [0, 2, 4, 10, 500].map((unknown) => score(unknown, 32_507));
    expect(scores).toEqual([261_689, 238_534, 213_880, 190_906, 190_906]);
  });
});

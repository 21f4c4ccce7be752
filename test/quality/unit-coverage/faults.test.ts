import { describe, expect, test } from 'vitest';
import {
  coverageFaults,
  findabilityWarning,
  type TriggerPlace,
} from '../../../compiler/quality/unit-coverage/faults.ts';
import { TEXT_RULES, type Miss, type UnitCoverage } from '../../../compiler/schema/bundle/coverage.ts';
import { textRules, unitCoverage } from '../../support/unit-coverage.ts';

const PLACES: Readonly<Record<string, number>> = { löschen: 11, sichern: 12, prüfen: 13, ordnen: 14 };

/** The triggers stand from line 4 on; some of them have a line of their own, and one has none. */
const placeOf: TriggerPlace = (unit, trigger = '') => ({
  file: `${unit}.md`,
  at: trigger === 'nowhere' ? undefined : { line: PLACES[trigger] ?? 4, column: 3 },
});
const USE = { skipped: false, bypass: 'ask the administrators' };

const faultsOf = (over: Partial<UnitCoverage>, skipped = false) =>
  coverageFaults(unitCoverage('backups', over), placeOf, { ...USE, skipped });
const placed = (faults: ReturnType<typeof faultsOf>) => faults.map(({ rule, file, line }) => [rule, file, line]);

const missed = (...paraphrases: string[]): Miss[] =>
  paraphrases.map((paraphrase) => ({ intent: 'x', paraphrase, rank: 7, outranked_by: ['travel', 'leave'] }));
const FOUR = ['first', 'second', 'third', 'fourth'];

describe('§21.8.3: the faults of a unit at the gate', () => {
  test('a unit that passes has none', () => {
    expect(faultsOf({})).toEqual([]);
    expect(faultsOf({ coverage_pct: 0.8, found: 8 })).toEqual([]);
  });

  test('a unit that is found too rarely has its share, three misses, and the units that are found instead', () => {
    const [fault, ...more] = faultsOf({ coverage_pct: 0.7, found: 7, misses: missed(...FOUR) });
    expect(more).toEqual([]);
    expect(fault).toMatchObject({
      rule: 'coverage_failure',
      severity: 'error',
      file: 'backups.md',
      line: 4,
      column: 3,
    });
    for (const part of ['7 of 10', '80 %', '“first”', '“second”', '“third”', 'travel, leave']) {
      expect(fault?.message).toContain(part);
    }
    expect(fault?.message).not.toContain('fourth');
  });

  test('a unit of which nothing can be asked is not evaluated, and one without any trigger is not found', () => {
    const nothing = { paraphrases: 0, found: 0, coverage_pct: 0 };
    expect(placed(faultsOf({ ...nothing, not_evaluated: ['sichern'] }))).toEqual([
      ['coverage_not_evaluated', 'backups.md', 12],
    ]);
    expect(placed(faultsOf(nothing))).toEqual([['coverage_failure', 'backups.md', 4]]);
  });

  test('a unit of which one part is not found and another cannot be asked has both faults', () => {
    expect(placed(faultsOf({ coverage_pct: 0.7, not_evaluated: ['prüfen'] }))).toEqual([
      ['coverage_failure', 'backups.md', 4],
      ['coverage_not_evaluated', 'backups.md', 13],
    ]);
  });

  test('what cannot be asked is named with its line, three at most, and the others are counted', () => {
    const [fault] = faultsOf({ not_evaluated: ['nowhere', 'löschen', 'sichern', 'prüfen', 'ordnen'] });
    for (const part of ['“nowhere” (line 1)', '“löschen” (line 11)', '“sichern” (line 12)', '2 more']) {
      expect(fault?.message).toContain(part);
    }
    expect(fault?.message).not.toContain('prüfen');
    expect(fault?.help).toContain(USE.bypass);
    const four = ['löschen', 'sichern', 'prüfen', 'ordnen'];
    expect(faultsOf({ not_evaluated: four })[0]?.message).toContain('1 more');
    expect(faultsOf({ not_evaluated: four.slice(0, 3) })[0]?.message).toMatch(/“prüfen” \(line 13\)$/);
  });

  test.each(TEXT_RULES)('%s is a fault only where it stops the unit, with its counts and three examples', (rule) => {
    const result = { failed: 6, triggers: FOUR, examples: missed(...FOUR) };
    const judged = { counted: { paraphrases: 9, found: 4 } };
    expect(faultsOf({ ...judged, text_rules: textRules({ [rule]: result }) })).toEqual([]);
    const faults = faultsOf({ ...judged, text_rules: textRules({ [rule]: { ...result, blocks: true } }) });
    expect(placed(faults)).toEqual([[rule, 'backups.md', 4]]);
    const [{ message }] = faults as [(typeof faults)[number]];
    for (const part of ['6 of 10', '4 of 9', '80 %', '“first”', '“second”', '“third”']) expect(message).toContain(part);
    expect(message).not.toContain('fourth');
    expect(message.includes('(travel, leave)')).toBe(rule !== 'coverage_repetition');
  });

  test('where the gate is bypassed each is a warning that keeps its rule', () => {
    const text_rules = textRules({ coverage_misplaced: { failed: 6, blocks: true } });
    const faults = faultsOf({ coverage_pct: 0.7, text_rules }, true);
    const bypassed = { rule: 'coverage_skipped', severity: 'warning', file: 'backups.md', line: 4 };
    expect(faults).toMatchObject([
      { ...bypassed, details: { rule: 'coverage_failure' } },
      { ...bypassed, details: { rule: 'coverage_misplaced' } },
    ]);
  });

  test('words that would help are named in the help, where there are some', () => {
    const help = (...suggested_words: string[]) => faultsOf({ coverage_pct: 0, suggested_words })[0]?.help ?? '';
    expect(help('disk', 'disaster')).toBe(`${help()}; words that would help: disk, disaster`);
  });
});

describe('the warning of a unit that is hard to find', () => {
  const rivals = [
    { name: 'travel', ahead: 9 },
    { name: 'leave', ahead: 2 },
  ];
  const warned = (findability: UnitCoverage['findability']) =>
    findabilityWarning(unitCoverage('backups', { findability }), placeOf);

  test('it has the figure, cut to two places, and the nearest rivals', () => {
    const [fault, ...more] = warned({ score: 0.5999, paraphrases: 15, rivals });
    expect(more).toEqual([]);
    expect(fault).toMatchObject({
      rule: 'findability_low',
      severity: 'warning',
      file: 'backups.md',
      line: 4,
      column: 3,
    });
    expect(fault?.message.match(/\d+(\.\d+)?/g)).toEqual(['0.59', '0.6', '9', '15', '2', '15']);
    expect(warned({ score: 0.5, paraphrases: 15, rivals: rivals.slice(1) })[0]?.message).toContain('leave');
    expect(warned({ score: 0.5, paraphrases: 15, rivals: [] })[0]?.message).toMatch(/ 0\.50, .* 0\.6$/);
  });

  test('it is told only of a unit below 0.6, and of none without a figure', () => {
    expect(warned({ score: 0.6, paraphrases: 15, rivals })).toEqual([]);
    expect(warned(null)).toEqual([]);
  });
});

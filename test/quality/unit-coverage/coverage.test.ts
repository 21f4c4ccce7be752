import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createPlacer } from '../../../compiler/quality/placement.ts';
import { measureCoverage } from '../../../compiler/quality/unit-coverage/coverage.ts';
import { recall } from '../../../compiler/recall/recall.ts';
import { quantise } from '../../../compiler/recall/signals/semantic.ts';
import { RecallRequest } from '../../../compiler/schema/api/recall.ts';
import { passes, type UnitCoverage } from '../../../compiler/schema/bundle/coverage.ts';
import { spearman } from '../../bench/coverage/coverage-rank.ts';
import { anyCharacter } from '../../support/any-character.ts';
import { ruleOf } from '../../support/unit-coverage.ts';
import { encoder, grown, judge, judgedOf, lexicon, NOW, officeWith, sibling, UNITS } from '../garden.ts';

/** The units that any rule names before a unit. */
const blamedFor = ({ misses, text_rules }: UnitCoverage) =>
  [...misses, ...text_rules.flatMap((it) => it.examples)].flatMap((it) => it.outranked_by);

describe('§21.8.3: judged by the ranked order alone', () => {
  test('a guarantee does not improve the coverage of a unit', async () => {
    const moved = officeWith({ hiring: { intents: sibling('hiring').intents } });
    const { of } = await judge(moved, {
      delivery: { hiring: { guarantee_load: true, force_position: 'prepend' } },
    });
    expect(passes(of('hiring'))).toBe(false);
  });

  test('a unit name in a paraphrase does not improve its rank, although a recall would put the unit first', async () => {
    const garden = await grown(UNITS, encoder);
    const intent = 'take command of an outage, not `travel`';
    const [vector] = await encoder.encode([intent], 'query');
    const query = quantise(vector ?? null, garden.index.vectors?.mean ?? []);
    const place = (unit: string) => createPlacer(garden, NOW).place(intent, query, unit);
    const answer = recall(garden, RecallRequest.parse({ intent }), { now: NOW, query, explain: false });
    expect(answer.chunks[0]?.name).toBe('travel');
    expect(place('incident')).toMatchObject({ rank: 1, isSelected: true, above: [] });
    expect(place('travel').above[0]).toBe('incident');
  });

  test('unlisted units compete with others and are judged', async () => {
    const { of } = await judge(officeWith({ refunds: { intents: UNITS[2]!.intents } }), {
      delivery: { incident: { listed: false } },
    });
    expect(blamedFor(of('refunds'))).toContain('incident');
    expect(of('incident').coverage_pct).toBe(1);
  });

  test('units that are not judged still compete', async () => {
    const { of, names } = await judge(officeWith({ refunds: { intents: UNITS[2]!.intents } }), { only: ['refunds'] });
    expect(names).toEqual(['refunds']);
    expect(passes(of('refunds'))).toBe(false);
  });

  test('a unit that does not fit the default budget is not found', async () => {
    const long = `${'Words that fill the budget and say nothing of it. '.repeat(200)}\n`;
    const units = officeWith({ incident: { content: `# incident\n\n${long}` } });
    const other = { name: 'outages', description: 'Command in an outage of production', content: 'Lead it.\n' };
    const rival = {
      ...other,
      intents: ['production is down at night', 'take command of an outage at night', 'an alert is paging at night'],
    };
    const { of } = await judge([...units, rival]);
    const missed = of('incident').misses.filter(({ rank }) => rank !== null && rank > 1);
    expect(missed.map(({ rank }) => rank)).toContain(2);
  });

  test('an expired unit neither competes nor is judged; before its expiry it does both', async () => {
    const units = officeWith({ refunds: { intents: UNITS[2]!.intents } });
    const garden = await grown(units, encoder);
    const facts = garden.facts.map((it) =>
      it.name === 'incident' ? { ...it, valid_until: '2026-03-01T00:00:00Z' } : it,
    );
    const until = Float64Array.from(facts, (it) => (it.valid_until === null ? Infinity : Date.parse(it.valid_until)));
    const expiring = Int32Array.from([facts.findIndex((it) => it.name === 'incident')]);
    const at = async (now: string) => {
      const report = await measureCoverage(
        { ...garden, facts, until, expiring },
        judgedOf(units),
        { encode: encoder, lexicon },
        now,
      );
      const refunds = report.units.find(({ name }) => name === 'refunds') ?? expect.fail('refunds was not judged');
      return { names: report.units.map(({ name }) => name), blamed: new Set(blamedFor(refunds)) };
    };
    const [before, after] = [await at('2026-02-01T00:00:00Z'), await at('2026-04-01T00:00:00Z')];
    expect([before.names, [...before.blamed]].map((it) => it.includes('incident'))).toEqual([true, true]);
    expect([after.names, [...after.blamed]].map((it) => it.includes('incident'))).toEqual([false, false]);
  });
});

describe('§21.8.3: nothing passes by being empty', () => {
  test('S8: of a unit without intents there is nothing to judge, and the gate lets it through', async () => {
    const { of } = await judge(officeWith({ travel: { intents: [] } }));
    const nothing = { paraphrases: 0, found: 0, not_evaluated: [], misses: [], findability: null, suggested_words: [] };
    expect(of('travel')).toMatchObject({ judged_by: 'nothing', ...nothing });
    expect(passes(of('travel'))).toBe(true);
  });

  test('a unit without any paraphrase fails the gate, as not evaluated', async () => {
    const { of } = await judge(officeWith({ travel: { intents: ['?!', '—'], description: '…' } }));
    const nothing = { paraphrases: 0, verbatim: 0, found: 0, coverage_pct: 0, hit_at_10: 0, findability: null };
    expect(of('travel')).toMatchObject({ ...nothing, not_evaluated: ['?!', '—'] });
    expect(passes(of('travel'))).toBe(false);
  });

  test('a trigger in another language counts in no figure, and is no way past the gate', async () => {
    const [english] = [sibling('leave').intents];
    const alone = (await judge(officeWith({ travel: { intents: english } }))).of('travel');
    const { of } = await judge(officeWith({ travel: { intents: [...english, 'eine Dienstreise für mich buchen'] } }));
    const { paraphrases, coverage_pct, not_evaluated } = of('travel');
    expect([alone.not_evaluated, not_evaluated]).toEqual([[], ['eine Dienstreise für mich buchen']]);
    expect([paraphrases, coverage_pct]).toEqual([alone.paraphrases, alone.coverage_pct]);
    const fine = (await judge(officeWith({ travel: { intents: ['find a hotel', 'wie finde ich ein Hotel'] } }))).of(
      'travel',
    );
    expect([fine.coverage_pct, passes(fine)]).toEqual([1, false]);
  });

  test('paraphrases that have the whole trigger in them are counted', async () => {
    const { of } = await judge(officeWith({ travel: { intents: ['pull requests', 'fix a broken build'] } }));
    expect(of('travel')).toMatchObject({ paraphrases: 10, verbatim: 6 });
  });
});

describe('§21.8.3: what is reported of a unit', () => {
  test('a unit with a sibling’s triggers gets the paraphrases concerned, the sibling, and suggested words', async () => {
    const { of } = await judge(officeWith({ travel: { intents: UNITS[0]!.intents } }));
    const { suggested_words } = of('travel');
    const { failed, examples, triggers } = ruleOf(of('travel'), 'coverage_misplaced');
    expect([failed, examples.length]).toEqual([15, 10]);
    expect(examples.every(({ outranked_by }) => outranked_by.includes('refunds'))).toBe(true);
    expect(triggers).toEqual(UNITS[0]!.intents);
    expect(suggested_words).toEqual(expect.arrayContaining(['trains', 'hotels', 'flights']));
  });
});

describe('the measure', () => {
  test('coverage does not depend on the order of units, and is sorted by name', async () => {
    const [a, b] = [await judge(UNITS), await judge([...UNITS].reverse())];
    expect(a.names).toEqual([...UNITS.map(({ name }) => name)].sort());
    for (const name of a.names) expect(a.of(name)).toEqual(b.of(name));
  });

  test('hostile triggers never give more found paraphrases than paraphrases', async () => {
    const trigger = fc
      .oneof(fc.string({ unit: anyCharacter, maxLength: 40 }), fc.constantFrom('to', '__proto__', '如何请假', 'a'))
      .filter((it) => it.trim() !== '');
    await fc.assert(
      fc.asyncProperty(fc.array(trigger, { maxLength: 4 }), async (intents) => {
        const { of } = await judge(officeWith({ leave: { intents } }), { only: ['leave'], model: null });
        expect(of('leave').found).toBeLessThanOrEqual(of('leave').paraphrases);
      }),
      { numRuns: 15 },
    );
  });
});

describe('Spearman’s ρ', () => {
  test('Spearman’s ρ is 1 for equal order, −1 for opposite order, and averages tied ranks', () => {
    expect(spearman([1, 2, 3, 4], [10, 20, 30, 99])).toBeCloseTo(1);
    expect(spearman([1, 2, 3, 4], [4, 3, 2, 1])).toBeCloseTo(-1);
    // by hand: ranks 1.5 1.5 3 4 and 1 2 3.5 3.5
    expect(spearman([5, 5, 6, 7], [1, 2, 3, 3])).toBeCloseTo(4 / 4.5);
  });
});

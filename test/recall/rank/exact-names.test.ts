import { describe, expect, test } from 'vitest';
import { confirmNames, namesIn } from '../../../compiler/recall/rank/exact-names.ts';
import { ask, plant, type Planted } from '../garden.ts';

describe('DESIGN §6.6 exact names', () => {
  const UNITS: Planted[] = [
    { name: 'incident', aliases: ['on-fire'] },
    { name: 'release-plan' },
    { name: 'shared-rules', series: 'instruction:acme/shared-rules' },
  ];

  test.each<[string, string[]]>([
    ['see release-plan today', ['release-plan']],
    ['SEE RELEASE-PLAN', ['release-plan']],
    ['release-plan', ['release-plan']],
    ['(release-plan).', ['release-plan']],
    ['按release-plan发布', ['release-plan']],
    ['計画はrelease-planです', ['release-plan']],
    ['请看「incident」', ['incident']],
    ['请看incident一节', []],
    ['überrelease-plan', []],
    ['my-release-plan', []],
    ['release-plans', []],
    ['release plan', []],
    ['we are on-fire', ['incident']],
    ['an incident', []],
    ['the `incident`', ['incident']],
    ['the "incident"', ['incident']],
    ["the 'incident'", ['incident']],
    ['the “incident”', ['incident']],
    ['the ‘incident’', ['incident']],
    ['the `incident', []],
    ['the incident`', []],
    ['unit:incident', ['incident']],
    ['unit:release-plan', ['release-plan']],
    ['instruction:acme/agent/cto/incident/v1', ['incident']],
    ['instruction:acme/agent/cto/incident/v12', ['incident']],
    ['instruction:acme/cto/incident/v1', ['incident']],
    ['instruction:acme/shared-rules/v3', ['shared-rules']],
    ['instruction:acme/incident/v1', []],
    ['instruction:ajax/agent/cto/release-plan/v1', []],
    ['instruction:acme/agent/ops/incident/v1', []],
    ['instruction:acme/x/y/z/release-plan', []],
    ['instruction:acme/agent/cto/release-plan', []],
    ['incident', []],
    ['`incident', []],
    ['incident`', []],
    ['`incident`', ['incident']],
    ['`incident` and release-plan', ['incident', 'release-plan']],
    ['nothing-else', []],
  ])('the intent %j names the units %j exactly', async (intent, expected) => {
    const { index } = await plant(UNITS);
    expect([...namesIn(index, intent).exact].map((unit) => index.names[unit])).toEqual(expected);
  });
});

describe('DESIGN §6.6 rare one-word names', () => {
  const filler = (count: number): Planted[] =>
    Array.from({ length: count }, (_, at) => ({
      name: `u-${at}`,
      content: `filler ${'about '.repeat(at % 3)}limits\n`,
    }));
  const OWN: Planted[] = [
    { name: 'figma', content: 'Drawings are shared.\n', aliases: ['sketchpad'] },
    { name: 'limits', content: 'What is forbidden.\n' },
    { name: 'meetings', content: 'An agenda is needed.\n' },
    {
      name: 'delivery',
      content: 'Parcels leave at noon. Parcels leave the warehouse by truck.\n',
      intents: ['parcels'],
    },
  ];
  const planted = (units: number) => plant([...OWN, ...filler(units - OWN.length)]);

  test.each<[string, string, string[]]>([
    ['a name that no other unit contains', 'open figma now', ['figma']],
    ['in any case', 'open FIGMA', ['figma']],
    ['an alias that no other unit contains', 'draw in the sketchpad', ['figma']],
    ['a word of other units', 'what are the limits', []],
    ['another form of the word', 'a meeting', []],
    ['a part of a longer word', 'figmatic and figma-like', []],
  ])('%s: %j', async (_, intent, expected) => {
    const { index } = await planted(20);
    const { exact, rare } = namesIn(index, intent);
    expect([...exact]).toEqual([]);
    expect([...rare].map((unit) => index.names[unit])).toEqual(expected);
  });

  test('in a garden of fewer than twenty units no word counts as rare', async () => {
    expect(namesIn((await planted(19)).index, 'open figma').rare.size).toBe(0);
    expect(namesIn((await planted(20)).index, 'open figma').rare.size).toBe(1);
  });

  test('a name in back-ticks is exact, not rare', async () => {
    const { index } = await planted(20);
    const { exact, rare } = namesIn(index, 'open `figma`');
    expect([exact.size, rare.size]).toEqual([1, 0]);
  });

  test('a rare name counts where its unit has three quarters of the best score, and no low one', () => {
    const named = { exact: new Set([2]), rare: new Set([1]) };
    const counted = (own: number, least = 0, best = 100) => [
      ...confirmNames(named, Int32Array.of(best, own, 0), Int32Array.of(best, own, 0), () => least),
    ];
    expect(counted(75)).toEqual([2, 1]);
    expect(counted(74)).toEqual([2]);
    expect([counted(7500, 0, 10_000), counted(7499, 0, 10_000)]).toEqual([[2, 1], [2]]);
    expect(counted(75, 75)).toEqual([2, 1]);
    expect(counted(75, 76)).toEqual([2]);
  });

  test('a rare name in passing does not win over a clearly better unit', async () => {
    const garden = await planted(20);
    const passing = ask(garden, 'parcels leave the warehouse by truck at noon, before my meetings');
    expect(passing.ranking[0]).toBe('delivery');
    expect(passing.unit('meetings')!.exact_name).toBe(false);
    const meant = ask(garden, 'meetings');
    expect([meant.ranking[0], meant.unit('meetings')!.exact_name]).toEqual(['meetings', true]);
  });

  test('of two units with nearly the same score the one that is named comes first', async () => {
    const near: Planted[] = [
      { name: 'figma', content: 'Draw a screen for a page.\n' },
      { name: 'screens', content: 'Draw a screen for a page.\n', intents: ['draw a screen'] },
    ];
    const garden = await plant([...near, ...filler(18)]);
    const { ranking, unit } = ask(garden, 'draw a screen figma page');
    expect(unit('screens')!.score).toBeGreaterThan(unit('figma')!.score);
    expect([ranking[0], unit('figma')!.exact_name]).toEqual(['figma', true]);
  });
});

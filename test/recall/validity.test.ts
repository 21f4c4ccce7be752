import { describe, expect, test } from 'vitest';
import { ask, FUTURE, NOW, PAST, plant } from './garden.ts';

const unit = { name: 'limits', intents: ['what am I not allowed to do'] };
const INTENT = 'what am I not allowed to do';

describe('DESIGN §6.6 now is an argument', () => {
  test('a unit is in force until its valid_until, and not at it', async () => {
    const planted = await plant([{ ...unit, validUntil: '2026-05-04T12:00:00Z' }]);
    expect(ask(planted, INTENT, {}, '2026-05-04T11:59:59.999Z').names).toEqual(['limits']);
    expect(ask(planted, INTENT, {}, '2026-05-04T12:00:00.000Z').names).toEqual([]);
    expect(ask(planted, INTENT, {}, '2026-05-04T12:00:01.000Z').names).toEqual([]);
  });

  test.each([
    ['a fraction of a second after a valid_until', '2026-05-04T12:00:00Z', '2026-05-04T12:00:00.500Z'],
    ['a valid_until written with a fraction', '2026-05-04T12:00:00.250Z', '2026-05-04T12:00:00.500Z'],
    ['a valid_until written to the minute', '2026-05-04T12:00Z', '2026-05-04T12:00:30.000Z'],
    ['a now written to the second', '2026-05-04T12:00:00.000Z', '2026-05-04T12:00:00Z'],
  ])('%s is after it', async (_, validUntil, now) => {
    expect(ask(await plant([{ ...unit, validUntil }]), INTENT, {}, now).names).toEqual([]);
  });

  test('the chunk says until when it may be kept (§21.4.2)', async () => {
    const { chunks } = ask(await plant([{ ...unit, validUntil: FUTURE }]), INTENT);
    expect(chunks.map((it) => it.valid_until)).toEqual([FUTURE]);
  });

  test('the same question at the same instant has the same answer, at another one it may differ', async () => {
    const planted = await plant([{ ...unit, validUntil: FUTURE }]);
    expect(ask(planted, INTENT, {}, NOW)).toMatchObject({ names: ['limits'] });
    expect(ask(planted, INTENT, {}, '2026-06-01T00:00:00.000Z')).toMatchObject({ names: [] });
  });
});

describe('§21.6.1 a legacy file stands in for a fact', () => {
  const fallback = 'As it always was.\n';

  test('that has expired: source is fallback_path, and the URI still says which', async () => {
    const { chunks } = ask(await plant([{ ...unit, validUntil: PAST, fallback }]), INTENT);
    expect(chunks).toMatchObject([
      {
        content: fallback,
        source: 'fallback_path',
        fact_uri: 'instruction:acme/agent/cto/limits/v1',
        valid_until: null,
      },
    ]);
  });

  test('that was never written: there is no fact_uri', async () => {
    const { chunks } = ask(await plant([{ ...unit, content: '', fallback }]), INTENT);
    expect(chunks).toMatchObject([{ content: fallback, source: 'fallback_path', fact_uri: null }]);
  });

  test('not for one in force: fact_uri takes precedence', async () => {
    const { chunks } = ask(await plant([{ ...unit, content: 'As it is.\n', fallback }]), INTENT);
    expect(chunks).toMatchObject([{ content: 'As it is.\n', source: 'stigmem' }]);
  });

  test('without its file the unit is unavailable, whether hinted or guaranteed', async () => {
    const planted = await plant([{ ...unit, content: '', guaranteed: true }]);
    const answer = ask(planted, INTENT, { manifest_hint: ['limits'] });
    expect(answer).toMatchObject({ names: [], missed_hints: ['limits'] });
    expect(answer.left_out).toEqual([{ name: 'limits', outcome: 'unavailable' }]);
  });
});

describe('§21.3.3 positions', () => {
  const units = [
    { name: 'append', guaranteed: true, tokens: 900 },
    { name: 'prepend', guaranteed: true, prepend: true, tokens: 900 },
    { name: 'hinted' },
    { name: 'ranked', intents: ['incident'], content: 'incident' },
    { name: 'second', content: 'incident' },
  ];

  test('prepended, hints, ranked, appended', async () => {
    const { names } = ask(await plant(units), 'incident', { manifest_hint: ['hinted'], token_budget: 100 });
    expect(names[0]).toBe('prepend');
    expect(names.slice(1, 3)).toEqual(['hinted', 'ranked']);
    expect(names.at(-1)).toBe('append');
  });

  test('a hint does not move a prepended unit from its place', async () => {
    const { names } = ask(await plant(units), 'incident', { manifest_hint: ['hinted', 'prepend'] });
    expect(names.slice(0, 2)).toEqual(['prepend', 'hinted']);
  });

  test('a guaranteed unit that ranks first stands at the end, with its rank told, and takes nobody’s place', async () => {
    const planted = await plant([{ ...units[0]!, intents: ['incident'], content: 'incident' }, ...units.slice(3)]);
    const { names, ranking, unit } = ask(planted, 'incident', { max_chunks: 2 });
    expect(ranking[0]).toBe('append');
    expect(names).toEqual([...ranking.slice(1), 'append']);
    expect(unit('append')).toMatchObject({ outcome: 'guaranteed', rank: 1, place: 3 });
  });

  test('a guaranteed unit that ranks stands first where it is prepended', async () => {
    const planted = await plant([{ ...units[1]!, content: 'incident' }, ...units.slice(3)]);
    const { names, unit } = ask(planted, 'incident', { max_chunks: 2 });
    expect(names).toEqual(['prepend', 'ranked', 'second']);
    expect(unit('prepend')).toMatchObject({ outcome: 'guaranteed', place: 1 });
    expect(unit('prepend')!.rank).not.toBeNull();
  });

  test('a guaranteed unit that is hinted and ranks stands where the hint put it, and counts as a hint', async () => {
    const planted = await plant([{ ...units[0]!, intents: ['incident'] }, ...units.slice(2)]);
    const { names, unit } = ask(planted, 'incident', { manifest_hint: ['hinted', 'append'], max_chunks: 3 });
    expect(names).toEqual(['hinted', 'append', 'ranked']);
    expect(unit('append')).toMatchObject({ outcome: 'hint', place: 2 });
  });

  test('the best unit that is not guaranteed comes, though guaranteed ones have used the budget up', async () => {
    const planted = await plant([{ ...units[0]!, intents: ['incident'] }, ...units.slice(3)]);
    const answer = ask(planted, 'incident', { max_chunks: 3, token_budget: 100 });
    expect(answer).toMatchObject({ names: ['ranked', 'append'], truncated: true });
    expect(answer.explain?.ranked_budget).toBe(100 - 900);
  });

  test('more hints than max_chunks all come, and nothing ranked does', async () => {
    const answer = ask(await plant(units), 'incident', { max_chunks: 1, manifest_hint: ['hinted', 'second'] });
    expect(answer.names).toEqual(['prepend', 'hinted', 'second', 'append']);
    expect(answer.outcome('ranked')).toBe('over_max_chunks');
    expect(answer.truncated).toBe(false);
  });

  test('one that does not fit is skipped and the next tried', async () => {
    const planted = await plant([
      { name: 'best', intents: ['incident'], description: 'incident', tokens: 80 },
      { name: 'big', intents: ['incident'], content: 'x', tokens: 500 },
      { name: 'small', content: 'incident', tokens: 20 },
    ]);
    const answer = ask(planted, 'incident', { token_budget: 100 });
    expect(answer).toMatchObject({ names: ['best', 'small'], truncated: true });
    expect(answer.outcome('big')).toBe('over_token_budget');
  });
});

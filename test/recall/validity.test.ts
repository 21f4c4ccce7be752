import { describe, expect, test } from 'vitest';
import { ask, FUTURE, PAST, plant } from './garden.ts';

const unit = { name: 'limits', intents: ['what am I not allowed to do'] };
const INTENT = 'what am I not allowed to do';

describe('DESIGN §6.6 the instant of a recall', () => {
  test('a unit is in force before its valid_until, and not at it', async () => {
    const planted = await plant([{ ...unit, validUntil: '2026-05-04T12:00:00Z' }]);
    expect(ask(planted, INTENT, {}, '2026-05-04T11:59:59.999Z').names).toEqual(['limits']);
    expect(ask(planted, INTENT, {}, '2026-05-04T12:00:00.000Z').names).toEqual([]);
    expect(ask(planted, INTENT, {}, '2026-05-04T12:00:01.000Z').names).toEqual([]);
  });

  test.each([
    ['an instant half a second after its valid_until', '2026-05-04T12:00:00Z', '2026-05-04T12:00:00.500Z'],
    ['a valid_until written with a fraction', '2026-05-04T12:00:00.250Z', '2026-05-04T12:00:00.500Z'],
    ['a valid_until written to the minute', '2026-05-04T12:00Z', '2026-05-04T12:00:30.000Z'],
    ['a now written to the second', '2026-05-04T12:00:00.000Z', '2026-05-04T12:00:00Z'],
  ])('a unit is out of force for %s', async (_, validUntil, now) => {
    expect(ask(await plant([{ ...unit, validUntil }]), INTENT, {}, now).names).toEqual([]);
  });

  test('a unit without a text is never in force, and one without a valid_until always', async () => {
    const { until } = await plant([{ name: 'bare', content: '' }, { name: 'limits' }]);
    expect([...until]).toEqual([-Infinity, Infinity]);
  });

  test('only units that can be out of force are looked at again at every recall', async () => {
    const { expiring } = await plant([
      { name: 'bare', content: '' },
      { name: 'limits' },
      { name: 'old', validUntil: PAST },
    ]);
    expect([...expiring]).toEqual([0, 2]);
  });

  test('a chunk has the valid_until of its fact (§21.4.2)', async () => {
    const { chunks } = ask(await plant([{ ...unit, validUntil: FUTURE }]), INTENT);
    expect(chunks.map((it) => it.valid_until)).toEqual([FUTURE]);
  });
});

describe('§21.6.1 a legacy file stands in for a fact', () => {
  const fallback = 'As it always was.\n';

  test('a legacy file stands in for an expired fact, under the URI of the fact', async () => {
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

  test('a legacy file stands in for a fact that was never written', async () => {
    const { chunks } = ask(await plant([{ ...unit, content: '', fallback }]), INTENT);
    expect(chunks).toMatchObject([{ content: fallback, source: 'fallback_path' }]);
  });

  test('a fact in force takes precedence over its legacy file', async () => {
    const { chunks } = ask(await plant([{ ...unit, content: 'As it is.\n', fallback }]), INTENT);
    expect(chunks).toMatchObject([{ content: 'As it is.\n', source: 'stigmem' }]);
  });

  test('a unit without fact and legacy file is unavailable, even if it is hinted and guaranteed', async () => {
    const planted = await plant([{ ...unit, content: '', guaranteed: true }]);
    const answer = ask(planted, INTENT, { manifest_hint: ['limits'] });
    expect(answer).toMatchObject({ names: [], missed_hints: ['limits'] });
    expect(answer.left_out).toEqual([{ name: 'limits', outcome: 'unavailable' }]);
  });

  test('a guaranteed unit that has expired is told in the answer, and one in force is not (§21.3.3)', async () => {
    const planted = await plant([
      { ...unit, validUntil: PAST, guaranteed: true },
      { name: 'pager', guaranteed: true },
    ]);
    const answer = ask(planted, 'who carries the pager');
    expect(answer.warnings).toContain('guaranteed_unit_unavailable');
    expect(answer.unavailable).toEqual([{ name: 'limits', outcome: 'expired' }]);
    const whole = ask(await plant([{ ...unit, validUntil: FUTURE, guaranteed: true }]), INTENT);
    expect([whole.warnings.includes('guaranteed_unit_unavailable'), whole.unavailable]).toEqual([false, undefined]);
  });
});

describe('§21.3.3 positions of chunks', () => {
  const units = [
    { name: 'append', guaranteed: true, tokens: 900 },
    { name: 'prepend', guaranteed: true, prepend: true, tokens: 900 },
    { name: 'hinted' },
    { name: 'ranked', intents: ['incident'], content: 'incident' },
    { name: 'second', content: 'incident' },
  ];

  test('more hints than max_chunks all come, without ranked units', async () => {
    const answer = ask(await plant(units), 'incident', { max_chunks: 1, manifest_hint: ['hinted', 'second'] });
    expect(answer.names).toEqual(['prepend', 'hinted', 'second', 'append']);
    expect(answer.outcome('ranked')).toBe('over_max_chunks');
    expect(answer.truncated).toBe(false);
  });
});

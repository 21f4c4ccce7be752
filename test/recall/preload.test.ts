import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { preload } from '../../compiler/recall/preload.ts';
import { withoutWithdrawn } from '../../compiler/recall/recall-garden.ts';
import { HeartbeatResponse } from '../../compiler/schema/api/heartbeat.ts';
import { sha256 } from '../../compiler/trust/canonical.ts';
import { FUTURE, NOW, PAST, plant, type Planted } from './garden.ts';

const owed = (name: string, more: Partial<Planted> = {}): Planted => ({ name, owedTo: ['issue_assigned'], ...more });
const wake = async (units: readonly Planted[], wake_reason = 'issue_assigned', stub_tokens = 100) =>
  preload(await plant(units), { wake_reason, now: NOW, stub_tokens });
const names = ({ preloads }: Awaited<ReturnType<typeof wake>>) => preloads.map((it) => it.name);

describe('§21.1.5 units that a wake reason requires', () => {
  test('exactly the required units are preloaded, complete and sorted by name', async () => {
    const answer = await wake([
      owed('posture'),
      { name: 'wrap-up' },
      owed('checkout', { owedTo: ['manual', 'issue_assigned'] }),
      owed('routine', { owedTo: ['routine_fired'] }),
    ]);
    expect(names(answer)).toEqual(['checkout', 'posture']);
    expect(answer.preloads[1]).toEqual({
      name: 'posture',
      fact_uri: 'instruction:acme/agent/cto/posture/v1',
      content: 'posture\n',
      tokens: 10,
      valid_until: null,
      version: 'v1',
      source: 'task_type_preload',
    });
    expect(answer.content_digests).toEqual([sha256('checkout\n'), sha256('posture\n')]);
    expect([answer.unavailable, answer.fatal, answer.warnings]).toEqual([[], [], []]);
  });

  test.each(['Issue_assigned', 'issue_assigned ', 'issue', 'issue_assigned\0', 'constructor', ''])(
    'wake reasons are compared exactly: %j preloads nothing',
    async (reason) => {
      expect(names(await wake([owed('posture'), { name: 'issue-assigned' }], reason))).toEqual([]);
    },
  );

  test('a guaranteed unit that is not required is not preloaded', async () => {
    expect(names(await wake([owed('posture'), { name: 'limits', guaranteed: true }]))).toEqual(['posture']);
  });

  test('the same garden, reason and instant give the same answer, in whatever order the units were written', async () => {
    const units = ['b', 'a-b', 'a', 'z9', 'z10'].map((name) => owed(name));
    const one = await wake(units);
    expect(names(one)).toEqual(['a', 'a-b', 'b', 'z10', 'z9']);
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(units, { minLength: units.length }), async (order) => {
        expect(await wake(order)).toEqual(one);
      }),
      { numRuns: 10 },
    );
  });

  test('each preload matches the schema of the answer', async () => {
    const { preloads } = await wake([owed('a', { validUntil: FUTURE }), owed('b', { content: '', fallback: 'old' })]);
    expect(preloads.every((it) => HeartbeatResponse.shape.preloads.element.safeParse(it).success)).toBe(true);
    expect(preloads.map((it) => it.valid_until)).toEqual([FUTURE, null]);
  });
});

describe('§21.1.5 a required unit that is unavailable', () => {
  test('a required unit out of force is served from its legacy file (§21.6.1)', async () => {
    const answer = await wake([owed('posture', { validUntil: PAST, fallback: 'the old text' })]);
    expect(answer.preloads).toMatchObject([{ content: 'the old text', source: 'fallback_path', valid_until: null }]);
    expect(answer.content_digests).toEqual([sha256('the old text')]);
    expect(answer.warnings).toEqual([]);
  });

  test('a required unit without a fact is served from its legacy file', async () => {
    const answer = await wake([owed('posture', { content: '', fallback: 'the old text' })]);
    expect(answer.preloads).toMatchObject([{ content: 'the old text', source: 'fallback_path' }]);
  });

  test('an unavailable unit is named in a warning, and the others are preloaded', async () => {
    const answer = await wake([
      owed('a'),
      owed('gone', { validUntil: PAST }),
      owed('z'),
      owed('bare', { content: '' }),
    ]);
    expect(names(answer)).toEqual(['a', 'z']);
    expect(answer.unavailable).toEqual([
      { name: 'bare', outcome: 'unavailable' },
      { name: 'gone', outcome: 'expired' },
    ]);
    expect([answer.warnings, answer.fatal]).toEqual([['preload_unit_unavailable'], []]);
  });

  test('one unavailable unit is warned of, too', async () => {
    const { warnings } = await wake([owed('gone', { validUntil: PAST })]);
    expect(warnings).toEqual(['preload_unit_unavailable']);
  });

  test('a withdrawn unit is not served from its legacy file', async () => {
    const garden = withoutWithdrawn(await plant([owed('posture', { fallback: 'the old text' })]), () => true);
    const answer = preload(garden, { wake_reason: 'issue_assigned', now: NOW, stub_tokens: 0 });
    expect([answer.preloads, answer.unavailable]).toEqual([[], [{ name: 'posture', outcome: 'withdrawn' }]]);
  });

  test('an unavailable guaranteed unit is fatal (S2), unless it has a legacy file', async () => {
    const lost = { validUntil: PAST, guaranteed: true };
    expect((await wake([owed('a'), owed('limits', lost)])).fatal).toEqual(['limits']);
    expect((await wake([owed('limits', { ...lost, fallback: 'old' })])).fatal).toEqual([]);
    expect((await wake([owed('a'), { name: 'limits', ...lost }])).fatal).toEqual([]);
  });
});

describe('§21.1.5 the budget of 2000 tokens', () => {
  test('the token budget counts stub and preloads; above it there is a warning, and nothing is dropped', async () => {
    const units = ['a', 'b', 'c'].map((name) => owed(name, { tokens: 600 }));
    const within = await wake(units, 'issue_assigned', 200);
    expect([within.total_tokens, within.warnings]).toEqual([2000, []]);
    const beyond = await wake(units, 'issue_assigned', 201);
    expect([beyond.total_tokens, beyond.warnings]).toEqual([2001, ['preload_budget_warning']]);
    expect(names(beyond)).toEqual(['a', 'b', 'c']);
  });
});

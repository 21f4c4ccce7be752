import { describe, expect, test } from 'vitest';
import { SessionEndSnapshot } from '../../compiler/continuity/schema/upsert.ts';
import { upsert } from '../../compiler/continuity/upsert.ts';
import { ago, applied, capsuleOf, jsonOf, OCCASION, stored, upsertOf, without, type Json } from './capsules.ts';

const STANCE = 'stop here; the worker is written, its review is what is left';
const P0 = {
  open_loops: ['review the worker'],
  top_priorities: ['the review'],
  active_constraints: ['nothing new'],
  stance_summary: STANCE,
};
const P1 = {
  negative_decisions: [{ decision: 'no queue', rationale: 'one writer' }],
  session_trajectory: ['from store to review'],
  rationale_entries: [{ tag: 'a', kind: 'decision', status: 'active', summary: 's', reasoning: 'r' }],
};

const FILES = stored({}, { trailing_notes: ['keep me'], session_trajectory: ['before'] });
const run = (snapshot: Json | null, more: Json = {}, capsule: Json = {}, state: Json = {}) =>
  upsert(
    upsertOf(capsuleOf({ updated_at: ago(0), ...capsule }, state), { session_end_snapshot: snapshot, ...more }),
    FILES,
    OCCASION,
  );
const stateOf = (change: ReturnType<typeof run>) => jsonOf(applied(FILES, change).active)['continuity'] as Json;

describe('session_end_snapshot', () => {
  test('P0 fields override, and every other field is that of the capsule', () => {
    const state = stateOf(run(P0, {}, {}, { trailing_notes: ['note'], session_trajectory: ['now'] }));
    expect(state).toMatchObject({ ...P0, trailing_notes: ['note'], session_trajectory: ['now'] });
    expect(state['active_concerns']).toEqual(capsuleOf().continuity.active_concerns);
  });

  test.each(Object.keys(P1))('%s: null and absent keep that of the capsule, a value overrides it, [] too', (name) => {
    const own = name === 'session_trajectory' ? ['own'] : [P1[name as 'negative_decisions'][0]];
    const capsule = { [name]: own };
    expect(stateOf(run(P0, {}, {}, capsule))[name]).toMatchObject(own);
    expect(stateOf(run({ ...P0, [name]: null }, {}, {}, capsule))[name]).toMatchObject(own);
    expect(stateOf(run({ ...P0, [name]: [] }, {}, {}, capsule))[name]).toEqual([]);
    expect(stateOf(run({ ...P0, ...P1 }, {}, {}, capsule))[name]).toMatchObject(P1[name as keyof typeof P1]);
  });

  test('in preserve mode it overrides preserved values, even with empty lists', () => {
    const change = upsert(
      upsertOf(
        { subject_kind: 'thread', subject_id: 'store', updated_at: ago(0) },
        { merge_mode: 'preserve', session_end_snapshot: { ...P0, open_loops: [] } },
      ),
      FILES,
      OCCASION,
    );
    expect(stateOf(change)).toMatchObject({ ...P0, open_loops: [], trailing_notes: ['keep me'] });
  });

  test('it does not update updated_at: an old capsule is stale in spite of it', () => {
    expect(() => run(P0, {}, { updated_at: ago(60) })).toThrow(expect.objectContaining({ code: 'capsule_stale' }));
  });

  test('the answer says that it was applied, and whether one can resume from the result', () => {
    expect(run(P0).answer).toMatchObject({ session_end_snapshot_applied: true, resume_quality: { adequate: true } });
  });

  test.each<[string, Json]>([
    ['no open loops', { open_loops: [] }],
    ['no priorities', { top_priorities: [] }],
    ['no constraints', { active_constraints: [] }],
    ['a stance of 29 characters', { stance_summary: 'x'.repeat(29) }],
  ])('with %s it is not adequate', (_words, more) => {
    expect(run({ ...P0, ...more }).answer.resume_quality).toEqual({ adequate: false });
  });

  test('without one, or with null, neither key is in the answer', () => {
    const plain = run(null).answer;
    expect(plain).not.toHaveProperty('session_end_snapshot_applied');
    expect(plain).not.toHaveProperty('resume_quality');
    const omitted = upsert(upsertOf(capsuleOf({ updated_at: ago(0) })), FILES, OCCASION);
    expect(omitted.answer).toEqual(plain);
  });

  test('its limits are those of the state, and its P0 fields are required', () => {
    const isValid = (more: Json) => SessionEndSnapshot.safeParse({ ...P0, ...more }).success;
    const list = (length: number) => Array.from({ length }, (_, at) => `${at}`);
    for (const name of ['open_loops', 'top_priorities', 'active_constraints'])
      expect([isValid({ [name]: list(8) }), isValid({ [name]: list(9) })], name).toEqual([true, false]);
    expect([isValid({ stance_summary: 'x'.repeat(240) }), isValid({ stance_summary: 'x'.repeat(241) })]).toEqual([
      true,
      false,
    ]);
    for (const name of Object.keys(P0))
      expect(SessionEndSnapshot.safeParse(without(P0, name)).success, name).toBe(false);
    expect(isValid({ active_concerns: [] })).toBe(false);
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fitStartup, startupView, type AgentStart } from '../../compiler/continuity/fit-startup.ts';
import type { ReadAnswer } from '../../compiler/continuity/schema/reading/read.ts';

const NOTHING: AgentStart = {
  views: [],
  unreadable: [],
  more: 0,
  due: { items: [], total: 0 } as unknown as AgentStart['due'],
  handoffs: [],
};

/** The view of a thread with a summary of some length. */
const viewOf = (subject_id: string, length: number) =>
  ({
    capsule: { subject_kind: 'thread', subject_id, updated_at: '2026-11-23T12:00:00Z' },
    source_state: 'active',
    trust_signals: null,
    startup_summary: {
      orientation: null,
      context: { session_trajectory: ['x'.repeat(length)], stance_summary: '', active_concerns: [] },
      stable_preferences: null,
    },
  }) as unknown as ReadAnswer;

const dueItem = (title: string) =>
  ({ schedule_id: 'sched_1', title, due_at: '2026-11-24T00:00:00Z' }) as unknown as AgentStart['due']['items'][number];

/** The items of a schedule, all of them due. */
const dueOf = (titles: readonly string[]) =>
  ({ items: titles.map(dueItem), total: titles.length }) as unknown as AgentStart['due'];

describe('the text of a start', () => {
  test('an agent that kept nothing gets no text, not even the preface', () => {
    expect(fitStartup(NOTHING, 1000)).toEqual({ text: '', views: [], left_out: [] });
  });

  test('a view that has no room is named, and a smaller one after it is still given', () => {
    const start = { ...NOTHING, views: [viewOf('large', 5000), viewOf('small', 10)] };
    const { text, views, left_out } = fitStartup(start, 1000);
    expect(views).toEqual([start.views[1]]);
    expect(left_out).toEqual([{ subject_kind: 'thread', subject_id: 'large' }]);
    expect(text).toContain('- thread "large"');
    expect(text).not.toContain('xxxxxxxxxxx');
  });

  test('due items take half of the room at most, and the rest of them is counted', () => {
    const start = { ...NOTHING, views: [viewOf('kept', 200)], due: dueOf(Array(50).fill('renew the certificate')) };
    const { text, views } = fitStartup(start, 1000);
    expect(views).toHaveLength(1);
    expect(text).toMatch(/- and \d+ more/);
  });

  test('capsules beyond the views are counted', () => {
    expect(fitStartup({ ...NOTHING, more: 3 }, 1000).text).toContain('3 more: list_capsules names them.');
  });

  test('no view is lost: each is given or named, in the order of the start', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat({ max: 800 }), { maxLength: 8 }),
        fc.integer({ min: 256, max: 4000 }),
        (sizes, most) => {
          const views = sizes.map((size, at) => viewOf(`subject-${at}`, size));
          const fitted = fitStartup({ ...NOTHING, views }, most);
          const given = fitted.views.map((it) => startupView(it).subject_id);
          const named = fitted.left_out.map((it) => it.subject_id);
          const all = views.map((it) => startupView(it).subject_id);
          expect(given).toEqual(all.filter((it) => given.includes(it)));
          expect([...given, ...named].sort()).toEqual([...all].sort());
        },
      ),
    );
  });
});

test('the view of a hook has no capsule and no signals of trust', () => {
  expect(Object.keys(startupView(viewOf('kept', 1))).sort()).toEqual([
    'source_state',
    'startup_summary',
    'subject_id',
    'subject_kind',
  ]);
});

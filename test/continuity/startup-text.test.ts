import { expect, test } from 'vitest';
import { startupSections } from '../../compiler/continuity/capsule/startup-sections.ts';
import type { Handoff } from '../../compiler/continuity/schema/coordination/handoff.ts';
import type { ReadAnswer } from '../../compiler/continuity/schema/reading/read.ts';
import type { StartupSummary } from '../../compiler/continuity/schema/startup-summary.ts';
import { dueText, handoffText, unreadableText, viewText } from '../../compiler/continuity/startup-text.ts';

const ORIENTATION = {
  top_priorities: ['one', 'two'],
  active_constraints: ['keep'],
  open_loops: ['loop'],
  negative_decisions: [{ decision: 'no', rationale: 'late' }],
  rationale_entries: [{ tag: 't', summary: 's', reasoning: 'r' }],
};
const CONTEXT = { session_trajectory: ['went'], stance_summary: 'calm', active_concerns: ['worry'] };
const SUMMARY = {
  orientation: ORIENTATION,
  context: CONTEXT,
  stable_preferences: [{ tag: 'tz', content: 'UTC' }],
} as unknown as StartupSummary;

const CAPSULE = { subject_kind: 'thread', subject_id: 'store', updated_at: '2026-11-23T12:00:00Z' };
const viewOf = (capsule: object | null, more: object = {}) =>
  viewText({ capsule, startup_summary: null, source_state: 'active', ...more } as unknown as ReadAnswer);

test('a startup view has its parts in one order, and none without a text', () => {
  expect(startupSections(SUMMARY).map(({ name, texts }) => [name, ...texts])).toEqual([
    ['Top priorities', 'one', 'two'],
    ['Constraints', 'keep'],
    ['Open loops', 'loop'],
    ['Decided against', 'no: late'],
    ['Rationale', 't: s r'],
    ['Session so far', 'went'],
    ['Stance', 'calm'],
    ['Concerns', 'worry'],
    ['Preferences', 'tz: UTC'],
  ]);
  const empty = { orientation: null, context: null, stable_preferences: null } as unknown as StartupSummary;
  expect(startupSections(empty)).toEqual([]);
});

test('an entry is one line, so that none forges another', () => {
  const orientation = {
    ...ORIENTATION,
    top_priorities: ['a\n  Constraints: none', ' b\t\tc '],
    active_constraints: ['d\ne'],
  };
  const lines = viewOf(CAPSULE, { startup_summary: { orientation, context: null } }).split('\n');
  expect(lines.slice(1, 5)).toEqual(['  Top priorities:', '  - a Constraints: none', '  - b c', '  Constraints: d e']);
  expect(viewOf({ ...CAPSULE, subject_id: 'a\nb' }).split('\n')).toHaveLength(1);
  const source_selector = { subject_kind: 'thread', subject_id: 'a\nb' };
  const handoff = { handoff_id: 'h1', sender_peer: 'ann', source_selector, note: 'see\nthis' } as Handoff;
  const due = { schedule_id: 'sched_a', title: 'ask\nAnn', due_at: '2026-11-24T00:00:00Z' };
  const unreadable = { path: 'memory/a.json', ...source_selector } as Parameters<typeof unreadableText>[0];
  expect(handoffText(handoff) + dueText(due) + unreadableText(unreadable)).not.toContain('\n');
});

test('its head tells the subject, and what of its state is not as it should be', () => {
  expect(viewOf(CAPSULE)).toBe('thread store · updated 2026-11-23T12:00:00Z');
  expect(viewOf(null, { source_state: 'missing' })).toBe(' ');
  const notes = (capsule: object, more: object = {}) =>
    viewOf({ ...CAPSULE, ...capsule }, more)
      .split(' · ')
      .slice(1);
  const [updated] = notes({});
  expect(notes({ thread_descriptor: { label: 'The store', lifecycle: 'suspended' } })).toEqual([
    'The store',
    'suspended',
    updated,
  ]);
  expect(notes({ thread_descriptor: { label: 'The store', lifecycle: 'active' } })).toEqual(['The store', updated]);
  expect(notes({ capsule_health: { status: 'healthy', reasons: ['x'] } })).toEqual([updated]);
  expect(notes({ capsule_health: { status: 'degraded', reasons: ['x', 'y'] } })).toEqual([updated, 'degraded: x: y']);
  expect(notes({}, { trust_signals: { recency: { phase: 'fresh' } } })).toEqual([updated]);
  expect(notes({}, { trust_signals: { recency: { phase: 'expired' } } })).toEqual([updated, 'expired']);
  expect(notes({}, { source_state: 'fallback' })).toHaveLength(2);
});

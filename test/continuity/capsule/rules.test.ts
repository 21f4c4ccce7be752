import { describe, expect, test } from 'vitest';
import { isStored, type Json } from '../capsules.ts';

const USER = { subject_kind: 'user', subject_id: 'ann' };
const RATIONALE = { tag: 't', kind: 'decision', status: 'superseded', summary: 's', reasoning: 'r' };
const DECISION = { decision: 'd', rationale: 'r' };
const DOCUMENT = { path: 'docs/a.md', kind: 'design', label: 'A' };

const BOUNDARY = (interaction_boundary_kind: unknown) => ({
  source: { producer: 'a', update_reason: 'interaction_boundary' },
  metadata: { interaction_boundary_kind },
});

describe('rules of a capsule', () => {
  test.each<[string, Json, Json]>([
    ['preferences of a thread', { stable_preferences: [{ tag: 'a', content: 'b' }] }, {}],
    ['a descriptor of a user', { ...USER, thread_descriptor: { label: 'a' } }, {}],
    [
      'an interaction boundary that does not say which',
      { source: { producer: 'a', update_reason: 'interaction_boundary' } },
      {},
    ],
    [
      'an interaction boundary that is no scalar',
      {
        source: { producer: 'a', update_reason: 'interaction_boundary' },
        metadata: { interaction_boundary_kind: ['x'] },
      },
      {},
    ],
    ['an interaction boundary that is white space', BOUNDARY(' '), {}],
    ['an unknown field', { mood: 'good' }, {}],
    ['an unknown field of the state', {}, { mood: 'good' }],
    ['a time without a zone', { updated_at: '2026-11-23T11:00:00' }, {}],
    ['a time of another zone', { updated_at: '2026-11-23T13:00:00+02:00' }, {}],
    ['a path that leaves the repository', { canonical_sources: ['../secret.md'] }, {}],
    ['an absolute path', { canonical_sources: ['/etc/passwd'] }, {}],
    ['a document outside', {}, { related_documents: [{ ...DOCUMENT, path: 'docs/../../x' }] }],
    ['a document with its text', {}, { related_documents: [{ ...DOCUMENT, content: 'text' }] }],
    ['a tag that is white space', {}, { rationale_entries: [{ ...RATIONALE, tag: '  ' }] }],
    [
      'an entry time without Z',
      {},
      { negative_decisions: [{ ...DECISION, last_confirmed_at: '2026-11-23T11:00:00+00:00' }] },
    ],
    ['null for a required field', { confidence: null }, {}],
    ['a version that is not known', { schema_version: '2.0' }, {}],
  ])('%s is refused', (_words, more, rest) => {
    expect(isStored(more, rest)).toBe(false);
  });

  test.each<[string, Json, Json]>([
    ['preferences of a peer', { subject_kind: 'peer', stable_preferences: [{ tag: 'a', content: 'b' }] }, {}],
    ['an empty list of preferences on a task', { subject_kind: 'task', stable_preferences: [] }, {}],
    [
      'an interaction boundary',
      {
        source: { producer: 'a', update_reason: 'interaction_boundary' },
        metadata: { interaction_boundary_kind: 'task_switch' },
      },
      {},
    ],
    ['an interaction boundary that is a number', BOUNDARY(7), {}],
    ['an interaction boundary that is true', BOUNDARY(true), {}],
    ['UTC as +00:00', { updated_at: '2026-11-23T11:00:00+00:00' }, {}],
    ['fractions of a second', { updated_at: '2026-11-23T11:00:00.123456Z' }, {}],
    [
      'null for whatever is optional',
      { attention_policy: null, canonical_sources: null, thread_descriptor: null },
      { trailing_notes: null },
    ],
    [
      'free strings as scope anchors',
      { thread_descriptor: { label: 'a', scope_anchors: ['stef-k/CogniRelay', 'Ünï code'] } },
      {},
    ],
    ['a legacy version', { schema_version: '1.0' }, {}],
  ])('%s: stored', (_words, more, rest) => {
    expect(isStored(more, rest)).toBe(true);
  });
});

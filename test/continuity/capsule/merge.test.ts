import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { REQUIRED_LISTS } from '../../../compiler/continuity/schema/state.ts';
import type { SubjectFiles } from '../../../compiler/continuity/stored/subject.ts';
import { upsert } from '../../../compiler/continuity/upsert.ts';
import { anyCapsule } from '../arbitrary.ts';
import {
  ago,
  applied,
  capsuleOf,
  jsonOf,
  noFiles,
  OCCASION,
  refused,
  stored,
  upsertOf,
  without,
  type Json,
} from '../capsules.ts';

const PRESERVE = { merge_mode: 'preserve' };
const IDENTITY = { subject_kind: 'thread', subject_id: 'store', updated_at: ago(1) };

/** Stored capsule after an upsert. */
function after(files: SubjectFiles, capsule: Json, more: Json = {}): Json {
  return jsonOf(applied(files, upsert(upsertOf(capsule, more), files, OCCASION)).active);
}

const stateAfter = (files: SubjectFiles, continuity: Json) =>
  after(files, { ...IDENTITY, continuity }, PRESERVE)['continuity'] as Json;

const RICH = stored(
  {
    attention_policy: { early_load: ['this'] },
    freshness: { freshness_class: 'durable' },
    canonical_sources: ['docs/a.md'],
    metadata: { one: 1 },
    thread_descriptor: {
      label: 'the store',
      keywords: ['git'],
      scope_anchors: ['repo-a'],
      identity_anchors: [{ kind: 'issue', value: '7' }],
    },
  },
  {
    working_hypotheses: ['h'],
    long_horizon_commitments: ['c'],
    session_trajectory: ['t'],
    trailing_notes: ['n'],
    curiosity_queue: ['q'],
    negative_decisions: [{ decision: 'd', rationale: 'r' }],
    rationale_entries: [{ tag: 'e', kind: 'tension', status: 'active', summary: 's', reasoning: 'r' }],
    related_documents: [{ path: 'docs/a.md', kind: 'design', label: 'A' }],
    relationship_model: { trust_level: 'high' },
    retrieval_hints: { avoid: ['old docs'] },
  },
);
const STORED = jsonOf(RICH.active);
const STATE = STORED['continuity'] as Json;

const OPTIONAL_LISTS = [
  'working_hypotheses',
  'long_horizon_commitments',
  'session_trajectory',
  'trailing_notes',
  'curiosity_queue',
  'negative_decisions',
  'rationale_entries',
  'related_documents',
];

describe('merge_mode="preserve"', () => {
  test('an upsert of nothing but a time keeps everything else', () => {
    expect(after(RICH, IDENTITY, PRESERVE)).toEqual({ ...STORED, updated_at: ago(1) });
  });

  test.each(REQUIRED_LISTS)('%s: [] and null keep what is stored; anything else overrides it', (name) => {
    expect(stateAfter(RICH, { [name]: [] })).toEqual(STATE);
    expect(stateAfter(RICH, { [name]: null })).toEqual(STATE);
    expect(stateAfter(RICH, { [name]: ['new'] })).toEqual({ ...STATE, [name]: ['new'] });
  });

  test.each(OPTIONAL_LISTS)('%s: absent keeps, [] overrides to empty, null clears', (name) => {
    expect(stateAfter(RICH, {})[name]).toEqual(STATE[name]);
    expect(stateAfter(RICH, { [name]: [] })[name]).toEqual([]);
    // related_documents alone is omitted by default
    expect(stateAfter(RICH, { [name]: null })[name]).toEqual(name === 'related_documents' ? undefined : []);
  });

  test.each(['relationship_model', 'retrieval_hints'])('%s: absent keeps, null clears, present overrides', (name) => {
    expect(stateAfter(RICH, {})[name]).toEqual(STATE[name]);
    expect(stateAfter(RICH, { [name]: null })).not.toHaveProperty(name);
    const given = name === 'retrieval_hints' ? { must_include: ['x'] } : { preferred_style: ['terse'] };
    expect(stateAfter(RICH, { [name]: given })[name]).toMatchObject(given);
    expect(stateAfter(RICH, { [name]: given })[name]).not.toHaveProperty('trust_level');
  });

  test.each<[string, unknown, Json | unknown[] | undefined]>([
    ['attention_policy', { early_load: ['that'] }, undefined],
    ['freshness', { freshness_class: 'ephemeral' }, undefined],
    ['canonical_sources', ['b.md'], []],
    ['metadata', { two: 2 }, {}],
  ])('%s: absent keeps, null clears to its empty form, present overrides', (name, given, empty) => {
    const mergedWith = (more: Json) => after(RICH, { ...IDENTITY, ...more }, PRESERVE)[name];
    expect(mergedWith({})).toEqual(STORED[name]);
    expect(mergedWith({ [name]: null })).toEqual(empty);
    expect(mergedWith({ [name]: given })).toMatchObject(given as object);
  });

  test('stable_preferences: absent keeps, null and [] clear, present overrides', () => {
    const user = { subject_kind: 'user' as const, subject_id: 'ann' };
    const files = stored({ ...user, stable_preferences: [{ tag: 'tz', content: 'UTC' }] });
    const mergedWith = (more: Json) => after(files, { ...IDENTITY, ...user, ...more }, PRESERVE)['stable_preferences'];
    expect(mergedWith({})).toEqual(jsonOf(files.active)['stable_preferences']);
    expect(mergedWith({ stable_preferences: null })).toEqual([]);
    expect(mergedWith({ stable_preferences: [] })).toEqual([]);
    expect(mergedWith({ stable_preferences: [{ tag: 'x', content: 'y' }] })).toMatchObject([{ tag: 'x' }]);
  });

  test('thread_descriptor: absent keeps all of it, null clears it, present merges its members', () => {
    const mergedWith = (more: Json) => after(RICH, { ...IDENTITY, ...more }, PRESERVE)['thread_descriptor'];
    const kept = STORED['thread_descriptor'] as Json;
    expect(mergedWith({})).toEqual(kept);
    expect(mergedWith({ thread_descriptor: null })).toBeUndefined();
    expect(mergedWith({ thread_descriptor: { keywords: ['sql'] } })).toEqual({ ...kept, keywords: ['sql'] });
    expect(mergedWith({ thread_descriptor: { scope_anchors: [] } })).toEqual({ ...kept, scope_anchors: [] });
    expect(mergedWith({ thread_descriptor: { identity_anchors: null } })).toEqual({ ...kept, identity_anchors: [] });
  });

  test('stance_summary, source, confidence and verified_at are kept where they are absent or null', () => {
    const nothing = { source: null, confidence: null, verified_at: null, continuity: { stance_summary: null } };
    expect(after(RICH, { ...IDENTITY, ...nothing }, PRESERVE)).toEqual({ ...STORED, updated_at: ago(1) });
    expect(stateAfter(RICH, { stance_summary: 'new' })['stance_summary']).toBe('new');
  });

  test('where nothing is stored the capsule has to be complete', () => {
    refused('capsule_invalid', () => after(noFiles(), IDENTITY, PRESERVE));
    expect(after(noFiles(), capsuleOf(), PRESERVE)).toEqual(jsonOf(stored().active));
  });

  test('there is nothing to merge with a capsule that cannot be read; replace mode mends it', () => {
    const files = { ...RICH, active: Buffer.from('{') };
    refused('capsule_damaged', () => after(files, IDENTITY, PRESERVE));
    expect(after(files, capsuleOf())).toMatchObject({ subject_id: 'store' });
  });

  test('a merged capsule has to keep every rule', () => {
    refused('capsule_invalid', () => after(RICH, { ...IDENTITY, metadata: { a: 'x'.repeat(21_000) } }, PRESERVE));
  });
});

describe('laws of merging', () => {
  const merged = (files: SubjectFiles, capsule: Json, more: Json) =>
    applied(files, upsert(upsertOf(capsule, more), files, OCCASION));
  const two = fc.tuple(anyCapsule(60), anyCapsule(1));
  const filesOf = (capsule: Json) => merged(noFiles(), capsule, {});
  const untimed = ({ active }: SubjectFiles) => String(active).replace(/"(created|updated)_at":"[^"]*",?/g, '');

  test('replace: what was stored before has no influence on what is stored after', () => {
    fc.assert(
      fc.property(two, ([one, other]) => {
        const descriptor = (it: Json) => ({ ...it, thread_descriptor: { label: 'same' } });
        const over = merged(filesOf(descriptor(one)), descriptor(other), {});
        expect(untimed(over)).toBe(untimed(filesOf(descriptor(other))));
      }),
    );
  });

  test('preserve: merging the same draft twice is merging it once', () => {
    fc.assert(
      fc.property(two, ([one, other]) => {
        const once = merged(filesOf(one), other, PRESERVE);
        const again = upsert(upsertOf(other, PRESERVE), once, OCCASION);
        expect(again.writes.size).toBe(0);
      }),
    );
  });

  test('preserve: a field that the draft lacks is that of the stored capsule, one that it has is that of replace mode', () => {
    fc.assert(
      fc.property(two, fc.boolean(), ([one, other], whole) => {
        const draft = whole ? other : without(other, 'metadata', 'canonical_sources', 'freshness', 'attention_policy');
        const before = jsonOf(filesOf(one).active);
        const result = jsonOf(merged(filesOf(one), draft, PRESERVE).active);
        const replaced = jsonOf(filesOf(other).active);
        for (const name of ['metadata', 'canonical_sources', 'freshness', 'attention_policy'])
          expect(result[name]).toEqual(name in draft ? replaced[name] : before[name]);
      }),
    );
  });
});

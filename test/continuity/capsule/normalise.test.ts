import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { complete } from '../../../compiler/continuity/capsule/complete-capsule.ts';
import { normalise } from '../../../compiler/continuity/capsule/normalise.ts';
import { TEXT_LISTS } from '../../../compiler/continuity/schema/state.ts';
import { upsert } from '../../../compiler/continuity/upsert.ts';
import { anyCapsule } from '../arbitrary.ts';
import { ago, applied, capsuleOf, jsonOf, noFiles, NOW, OCCASION, stored, upsertOf, type Json } from '../capsules.ts';

const appliedTo = (more: Json, state: Json = {}) => complete(capsuleOf(more, state)).normalizations_applied;
const RATIONALE = { kind: 'decision', status: 'active', summary: 's', reasoning: 'r' };
const USER = { subject_kind: 'user', subject_id: 'ann' };

describe('normalizations_applied', () => {
  test.each(TEXT_LISTS)('continuity.%s: stripped, emptied of white space, and without repetition', (name) => {
    const { capsule, normalizations_applied } = complete(capsuleOf({}, { [name]: [' a', 'a', '  '] }));
    expect(normalizations_applied).toEqual(
      ['strip', 'drop_empty', 'dedup'].map((what) => `${what}:continuity.${name}`),
    );
    expect(capsule.continuity[name]).toEqual(['a']);
  });

  test('nothing is listed where nothing fired', () => {
    expect(appliedTo({})).toEqual([]);
  });

  test('of entries with one key the last stays; of equal texts the first', () => {
    const preferences = [
      { tag: 'tz', content: 'UTC' },
      { tag: 'x', content: 'y' },
      { tag: ' tz', content: 'CET' },
    ];
    const { capsule, normalizations_applied } = complete(capsuleOf({ ...USER, stable_preferences: preferences }));
    expect(capsule.stable_preferences).toEqual([
      { tag: 'x', content: 'y' },
      { tag: 'tz', content: 'CET' },
    ]);
    expect(normalizations_applied).toEqual(['strip:stable_preferences', 'dedup:stable_preferences']);
    expect(complete(capsuleOf({}, { open_loops: ['a', 'b', 'a'] })).capsule.continuity.open_loops).toEqual(['a', 'b']);
  });

  test.each<[string, Json, Json]>([
    ['dedup:canonical_sources', { canonical_sources: ['a.md', 'a.md'] }, {}],
    [
      'dedup:continuity.negative_decisions',
      {},
      {
        negative_decisions: [
          { decision: 'a', rationale: 'b' },
          { decision: 'a', rationale: 'c' },
        ],
      },
    ],
    [
      'dedup:continuity.rationale_entries',
      {},
      {
        rationale_entries: [
          { tag: 'a', ...RATIONALE },
          { tag: 'a', ...RATIONALE },
        ],
      },
    ],
    [
      'dedup:continuity.related_documents',
      {},
      {
        related_documents: [
          { path: 'a', kind: 'k', label: 'l' },
          { path: 'a', kind: 'k', label: 'l' },
        ],
      },
    ],
    ['strip:thread_descriptor.keywords', { thread_descriptor: { label: 'a', keywords: [' git'] } }, {}],
    ['dedup:thread_descriptor.scope_anchors', { thread_descriptor: { label: 'a', scope_anchors: ['r', 'r'] } }, {}],
    [
      'dedup:thread_descriptor.identity_anchors',
      {
        thread_descriptor: {
          label: 'a',
          identity_anchors: [
            { kind: 'k', value: 'v' },
            { kind: 'k', value: 'v' },
          ],
        },
      },
      {},
    ],
  ])('%s', (expected, more, state) => {
    expect(appliedTo(more, state)).toEqual([expected]);
  });

  test('anchors that differ stay, although a patch would find both by one match', () => {
    const identity_anchors = [
      { kind: 'a:b', value: 'c' },
      { kind: 'a', value: 'b:c' },
    ];
    const { capsule, normalizations_applied } = complete(
      capsuleOf({ thread_descriptor: { label: 'a', identity_anchors } }),
    );
    expect(capsule.thread_descriptor?.identity_anchors).toEqual(identity_anchors);
    expect(normalizations_applied).toEqual([]);
  });

  test('what an entry supersedes is stripped like the tag that it names', () => {
    const rationale_entries = [
      { ...RATIONALE, tag: 'old ', status: 'superseded' },
      { ...RATIONALE, tag: 'new', supersedes: 'old ' },
    ];
    const { capsule, normalizations_applied } = complete(capsuleOf({}, { rationale_entries }));
    expect(capsule.continuity.rationale_entries).toMatchObject([{ tag: 'old' }, { tag: 'new', supersedes: 'old' }]);
    expect(normalizations_applied).toEqual(['strip:continuity.rationale_entries']);
  });

  test('property: normalising is idempotent, and says nothing the second time', () => {
    fc.assert(
      fc.property(anyCapsule(1), (draft) => {
        const once = complete(draft).capsule;
        expect(normalise(once)).toEqual({ capsule: once, normalizations_applied: [] });
      }),
    );
  });
});

describe('canonical bytes', () => {
  test('property: what is stored is read again as it is, byte for byte', () => {
    fc.assert(
      fc.property(anyCapsule(1), (draft) => {
        const files = applied(noFiles(), upsert(upsertOf(draft), noFiles(), OCCASION));
        const again = upsert(upsertOf(jsonOf(files.active)), files, { ...OCCASION, now: NOW + 60_000 });
        expect([again.writes.size, again.answer.updated]).toEqual([0, false]);
      }),
    );
  });
});

describe('times of entries', () => {
  const entry = (rationale: string, more: Json = {}) => ({
    negative_decisions: [{ decision: 'd', rationale, ...more }],
  });
  const first = stored({}, entry('one'));
  const LATER = '2026-11-23T12:01:00Z';
  const entryAfter = (rationale: string, more: Json = {}) => {
    const request = upsertOf(capsuleOf({ updated_at: ago(0) }, entry(rationale, more)));
    const change = upsert(request, first, { ...OCCASION, now: NOW + 60_000 });
    return (jsonOf(applied(first, change).active)['continuity'] as { negative_decisions: Json[] })
      .negative_decisions[0];
  };

  test('created_at and updated_at are set by the system, whatever an agent says; last_confirmed_at never is', () => {
    expect(entryAfter('one')).toEqual({ decision: 'd', rationale: 'one', created_at: ago(0), updated_at: ago(0) });
    expect(entryAfter('one', { created_at: ago(9000), updated_at: ago(9000) })).toMatchObject({ created_at: ago(0) });
  });

  test('an entry that changed keeps its created_at', () => {
    expect(entryAfter('two')).toMatchObject({ created_at: ago(0), updated_at: LATER });
  });

  test('a confirmation is kept as it was given, and changes nothing that the entry says', () => {
    expect(entryAfter('one', { last_confirmed_at: ago(5) })).toMatchObject({
      last_confirmed_at: ago(5),
      created_at: ago(0),
      updated_at: ago(0),
    });
  });

  test('a confirmation stays while the entry says the same, and goes when it says something else', () => {
    const confirming = upsertOf(capsuleOf({ updated_at: ago(0) }, entry('one', { last_confirmed_at: ago(5) })));
    const confirmed = applied(first, upsert(confirming, first, { ...OCCASION, now: NOW + 60_000 }));
    const again = (rationale: string) => {
      const request = upsertOf(capsuleOf({ updated_at: ago(-70) }, entry(rationale)));
      const change = upsert(request, confirmed, { ...OCCASION, now: NOW + 70_000 });
      return (jsonOf(applied(confirmed, change).active) as { continuity: { negative_decisions: Json[] } }).continuity
        .negative_decisions[0];
    };
    expect(again('one')).toMatchObject({ last_confirmed_at: ago(5), updated_at: ago(0) });
    expect(again('two')).not.toHaveProperty('last_confirmed_at');
  });

  test('where the active capsule is lost, its fallback knows since when an entry is there', () => {
    const files = { ...first, active: null };
    const change = upsert(upsertOf(capsuleOf({}, entry('one'))), files, { ...OCCASION, now: NOW + 60_000 });
    expect(change.answer.created).toBe(true);
    expect(jsonOf(applied(files, change).active)).toMatchObject({
      continuity: { negative_decisions: [{ created_at: ago(0) }] },
    });
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { patch } from '../../compiler/continuity/patch.ts';
import { ITEMS } from '../../compiler/continuity/schema/limits.ts';
import { PatchRequest, PatchTarget, TEXT_TARGETS } from '../../compiler/continuity/schema/patch.ts';
import type { SubjectFiles } from '../../compiler/continuity/stored/subject.ts';
import { ago, applied, jsonOf, noFiles, NOW, OCCASION, refused, stored, type Json } from './capsules.ts';

type Operation = Json & { readonly target: string };

const requestOf = (operations: readonly Json[], more: Json = {}) =>
  PatchRequest.parse({ subject_kind: 'thread', subject_id: 'store', updated_at: ago(0), operations, ...more });

const run = (files: SubjectFiles, operations: readonly Json[], more: Json = {}) =>
  patch(requestOf(operations, more), files, { ...OCCASION, now: NOW + 5000 });

/** The value of a dotted path. */
const at = (value: unknown, path: string) =>
  path.split('.').reduce((it, key) => (it as Record<string, unknown>)[key], value) as unknown[];

const RATIONALE = { kind: 'decision', status: 'active', summary: 's', reasoning: 'r' };
const ENTRIES: Readonly<Record<string, (name: string) => Json>> = {
  'continuity.negative_decisions': (decision) => ({ decision, rationale: 'because' }),
  'continuity.rationale_entries': (tag) => ({ tag, ...RATIONALE }),
  stable_preferences: (tag) => ({ tag, content: 'yes' }),
  'thread_descriptor.identity_anchors': (value) => ({ kind: 'issue', value }),
};
const entryOf = (target: string, name: string): unknown => ENTRIES[target]?.(name) ?? name;
const matchOf = (target: string, name: string) =>
  target === 'thread_descriptor.identity_anchors' ? `issue:${name}` : name;
const subjectOf = (target: string): Json =>
  target === 'stable_preferences'
    ? { subject_kind: 'user', subject_id: 'ann' }
    : { thread_descriptor: { label: 'the store' } };

/** A capsule whose list of a target is empty; preferences are of a user. */
function emptyFor(target: string): [SubjectFiles, Json] {
  const subject = subjectOf(target);
  const [, name = ''] = target.split('.');
  const state = target.startsWith('continuity.') ? { [name]: [] } : {};
  const { subject_kind = 'thread', subject_id = 'store' } = subject;
  return [stored(subject, state), { subject_kind, subject_id }];
}

describe('POST /v1/continuity/patch', () => {
  test.each(PatchTarget.options)('%s: append, replace and remove', (target) => {
    const [files, subject] = emptyFor(target);
    const isText = (TEXT_TARGETS as readonly string[]).includes(target);
    const values = ['one', 'two'].map((name) => ({ target, action: 'append', value: entryOf(target, name) }));
    const place = isText ? { index: 0 } : { match: matchOf(target, 'one') };
    const replace = { target, action: 'replace_at', value: entryOf(target, 'three'), ...place };
    const remove = { target, action: 'remove', match: matchOf(target, 'two') };
    const { answer, ...change } = run(files, [...values, replace, remove], subject);
    expect(answer).toMatchObject({ operations_applied: 4, updated: true, normalizations_applied: [] });
    const after = jsonOf(applied(files, change).active);
    expect(at(after, target)).toMatchObject([entryOf(target, 'three')]);
    expect(after['updated_at']).toBe(ago(0));
  });

  test.each(PatchTarget.options)('%s: its limit can be reached, and not passed', (target) => {
    const [files, subject] = emptyFor(target);
    const most = ITEMS[target.replace(/^continuity\./, '') as keyof typeof ITEMS];
    const appends = (count: number, from = 0) =>
      Array.from({ length: count }, (_, i) => ({ target, action: 'append', value: entryOf(target, `n${i + from}`) }));
    const first = applied(files, run(files, appends(Math.min(most, 10)), { ...subject, updated_at: ago(9) }));
    const full =
      most > 10 ? applied(first, run(first, appends(most - 10, 10), { ...subject, updated_at: ago(8) })) : first;
    expect(at(jsonOf(full.active), target)).toHaveLength(most);
    refused('capsule_invalid', () => run(full, appends(1, most), subject));
  });

  test.each<[string, Operation]>([
    [
      'replace_at of a text with a match',
      { target: 'continuity.open_loops', action: 'replace_at', value: 'x', index: 0, match: 'x' },
    ],
    [
      'replace_at of an entry by index',
      {
        target: 'continuity.negative_decisions',
        action: 'replace_at',
        value: { decision: 'a', rationale: 'b' },
        index: 0,
      },
    ],
    ['an entry in a list of texts', { target: 'continuity.open_loops', action: 'append', value: { tag: 'x' } }],
    ['a text in a list of entries', { target: 'continuity.negative_decisions', action: 'append', value: 'x' }],
    ['a text of 161 characters', { target: 'continuity.open_loops', action: 'append', value: 'x'.repeat(161) }],
  ])('%s is refused', (_words, operation) => {
    refused('capsule_invalid', () => run(stored(), [operation]));
  });

  test.each<[string, Operation]>([
    ['a text that is not there', { target: 'continuity.open_loops', action: 'remove', match: 'who reviews' }],
    ['an index beyond the end', { target: 'continuity.open_loops', action: 'replace_at', value: 'x', index: 1 }],
    ['a key that is not there', { target: 'continuity.rationale_entries', action: 'remove', match: 'nothing' }],
    ['a descriptor that is not there', { target: 'thread_descriptor.keywords', action: 'append', value: 'x' }],
  ])('%s is a conflict with what is stored', (_words, operation) => {
    refused('capsule_conflict', () => run(stored(), [operation]));
  });

  test('an entry cannot be replaced by one that has the key of another: one of them would be lost', () => {
    const target = 'continuity.rationale_entries';
    const files = stored({}, { rationale_entries: ['one', 'two'].map((tag) => ({ tag, ...RATIONALE })) });
    const by = (tag: string) => [
      { target, action: 'replace_at', match: 'one', value: { tag, ...RATIONALE, summary: 'new' } },
    ];
    expect(refused('capsule_conflict', () => run(files, by(' two')))).toEqual({ field: 'operations.0', target });
    expect(at(jsonOf(applied(files, run(files, by('one'))).active), target)).toMatchObject([{ summary: 'new' }, {}]);
  });

  test('a match that two anchors have names neither of them', () => {
    const anchors = Object.entries({ 'a:b': 'c', a: 'b:c' }).map(([kind, value]) => ({ kind, value }));
    const files = stored({ thread_descriptor: { label: 'a', identity_anchors: anchors } });
    const target = 'thread_descriptor.identity_anchors';
    refused('capsule_conflict', () => run(files, [{ target, action: 'remove', match: 'a:b:c' }]));
  });

  test('an appended entry with the key of another takes its place, and the answer says so', () => {
    const target = 'continuity.rationale_entries';
    const files = stored({}, { rationale_entries: [{ tag: 'one', ...RATIONALE }] });
    const change = run(files, [{ target, action: 'append', value: { tag: 'one', ...RATIONALE, summary: 'new' } }]);
    expect(change.answer.normalizations_applied).toEqual([`dedup:${target}`]);
    expect(at(jsonOf(applied(files, change).active), target)).toMatchObject([{ summary: 'new', created_at: ago(0) }]);
  });

  test('a required list can be emptied, which preserve mode cannot', () => {
    const remove = { target: 'continuity.open_loops', action: 'remove', match: 'who reviews the worker?' };
    const after = jsonOf(applied(stored(), run(stored(), [remove])).active);
    expect(at(after, 'continuity.open_loops')).toEqual([]);
  });

  test('updated_at has to be strictly newer than what is stored, and not ahead of the clock', () => {
    const append = [{ target: 'continuity.open_loops', action: 'append', value: 'x' }];
    refused('capsule_stale', () => run(stored(), append, { updated_at: ago(60) }));
    refused('capsule_stale', () => run(stored(), append, { updated_at: ago(61) }));
    refused('capsule_invalid', () => run(stored(), append, { updated_at: ago(-400) }));
    expect(run(stored(), append, { updated_at: ago(59) }).answer.updated).toBe(true);
  });

  test('there has to be an active capsule that can be read', () => {
    const append = [{ target: 'continuity.open_loops', action: 'append', value: 'x' }];
    refused('capsule_not_found', () => run(noFiles(), append));
    refused('capsule_damaged', () => run({ ...stored(), active: Buffer.from('{') }, append));
    const untimed = Buffer.from(JSON.stringify({ ...jsonOf(stored().active), verified_at: 'once' }));
    refused('capsule_damaged', () => run({ ...stored(), active: untimed }, append));
  });

  test('what a patch repeats is normalised, and said', () => {
    const append = [{ target: 'continuity.open_loops', action: 'append', value: ' who reviews the worker? ' }];
    const { answer } = run(stored(), append);
    expect(answer.normalizations_applied).toEqual(['strip:continuity.open_loops', 'dedup:continuity.open_loops']);
  });

  test('no operations, or eleven of them, are refused', () => {
    const append = { target: 'continuity.open_loops', action: 'append', value: 'x' };
    const isValid = (count: number) =>
      PatchRequest.safeParse({ ...requestOf([append]), operations: Array.from({ length: count }, () => append) })
        .success;
    expect([0, 1, 10, 11].map(isValid)).toEqual([false, true, true, false]);
  });

  test('property: a patch of which one operation fails changes nothing, whatever comes before and after it', () => {
    const good = fc.constantFrom<Json>(
      { target: 'continuity.trailing_notes', action: 'append', value: 'a note' },
      { target: 'continuity.open_loops', action: 'replace_at', value: 'another', index: 0 },
      { target: 'continuity.negative_decisions', action: 'append', value: { decision: 'a', rationale: 'b' } },
    );
    const bad = fc.constantFrom<Json>(
      { target: 'continuity.open_loops', action: 'remove', match: 'not there' },
      { target: 'continuity.rationale_entries', action: 'append', value: { tag: 'x', ...RATIONALE, supersedes: 'y' } },
      { target: 'continuity.curiosity_queue', action: 'replace_at', value: 'x', index: 9 },
    );
    const files = stored();
    const before = String(files.active);
    fc.assert(
      fc.property(fc.array(good, { maxLength: 3 }), bad, fc.array(good, { maxLength: 3 }), (first, fails, rest) => {
        expect(() => run(files, [...first, fails, ...rest])).toThrow();
        expect(String(files.active)).toBe(before);
      }),
    );
  });
});

describe('supersession of rationale entries', () => {
  const entry = (tag: string, more: Json = {}) => ({ tag, ...RATIONALE, ...more });
  const target = 'continuity.rationale_entries';

  test('one patch retires the old entry and adds the new one, and the old one stays in the list', () => {
    const files = stored({}, { rationale_entries: [entry('old')] });
    const steps = [
      { target, action: 'replace_at', match: 'old', value: entry('old', { status: 'superseded' }) },
      { target, action: 'append', value: entry('new', { supersedes: 'old' }) },
    ];
    const after = jsonOf(applied(files, run(files, steps)).active);
    expect(at(after, target)).toMatchObject([
      { tag: 'old', status: 'superseded', created_at: ago(0), updated_at: '2026-11-23T12:00:05Z' },
      { tag: 'new', supersedes: 'old', created_at: '2026-11-23T12:00:05Z' },
    ]);
  });

  test.each([
    ['an entry that is still active', [entry('old'), entry('new', { supersedes: 'old' })]],
    ['an entry that is retired', [entry('old', { status: 'retired' }), entry('new', { supersedes: 'old' })]],
    ['an entry that is not in the list', [entry('new', { supersedes: 'old' })]],
    ['itself', [entry('new', { supersedes: 'new', status: 'superseded' })]],
  ])('an entry cannot supersede %s', (_words, entries) => {
    refused('capsule_invalid', () => stored({}, { rationale_entries: entries }));
  });
});

import { describe, expect, test } from 'vitest';
import { entryProblem } from '../../../../server/audit/chain/verify-entry.ts';
import { recallEntry } from '../../../../server/audit/records/entry.ts';
import { chained, genesis, openingEntry } from '../../../../server/audit/records/hash-chain.ts';
import type { NewEntry, StoredEntry } from '../../../../server/audit/records/store.ts';
import { options } from '../harness.ts';
import { recalled } from '../memory-ledger.ts';
import { record } from '../records.ts';

const opening = openingEntry(options('a'), []);
const head = chained(genesis('a'), opening);

/** The problem of an entry that is the second of its chain, changed as asked after it was hashed. */
function second(over: Partial<StoredEntry> = {}, signed?: string, entry: NewEntry = recalled(1)) {
  const expected = chained(head, entry);
  return entryProblem({ ...entry, ...expected, seq: 2, ...over }, expected, signed);
}

/** The problem of an entry that is the first of chain a. */
function first(entry: NewEntry) {
  const expected = chained(genesis('a'), entry);
  return entryProblem({ ...entry, ...expected, seq: 1 }, expected, undefined);
}

const { intent } = recalled(1);
const withBody = (text: string) => second({}, undefined, { ...recalled(1), body: text });

describe('an entry of a chain', () => {
  test('has no problem where place, hash, body, columns and intent agree', () => {
    expect([first(opening), second(), second({ intent: null })]).toEqual([null, null, null]);
    expect(second({}, chained(head, recalled(1)).hash)).toBeNull();
    expect(second({ isMisplaced: false })).toBeNull();
    expect(second({}, undefined, recallEntry(record(1, { intent: '' }), 'full'))).toBeNull();
  });

  const withIntent = (changed: Partial<NonNullable<typeof intent>>) =>
    second({ intent: intent && { ...intent, ...changed } });

  test.each<[string, () => unknown, string]>([
    ['a later place', () => second({ n: 3 }), 'missing'],
    ['an earlier place', () => second({ n: 1 }), 'duplicate'],
    ['another hash', () => second({ hash: head.hash }), 'hash_differs'],
    ['another hash than the signed one', () => second({}, head.hash), 'checkpoint_differs'],
    ['no JSON as its body', () => withBody('{'), 'body_malformed'],
    ['a body that is no object', () => withBody('null'), 'body_malformed'],
    ['a body with a number as a digest', () => withBody('{"intent_digest":1}'), 'body_malformed'],
    ['a place among entries of another time', () => second({ isMisplaced: true }), 'column_differs'],
    ['the place of the opening, and is none', () => first(recalled(1)), 'opening_missing'],
    ['the place of the opening of another chain', () => first(openingEntry(options('b'), [])), 'opening_missing'],
    ['a place after the opening, and is one', () => second({}, undefined, opening), 'opening_missing'],
    ['another intent', () => withIntent({ text: 'x' }), 'intent_differs'],
    ['another salt', () => withIntent({ salt: 'x' }), 'intent_differs'],
    ['other files', () => withIntent({ files: '["x"]' }), 'intent_differs'],
    ['no files', () => withIntent({ files: null }), 'intent_differs'],
  ])('that has %s is told by its problem', (_, problem, expected) => {
    expect(problem()).toBe(expected);
  });
});

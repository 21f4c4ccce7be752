import { describe, expect, test } from 'vitest';
import { findMisplaced, repetitionIn, type Encode } from '../../../compiler/quality/unit-coverage/misplaced.ts';
import type { Texts } from '../../../compiler/quality/unit-coverage/texts.ts';
import type { RecallGarden } from '../../../compiler/recall/recall-garden.ts';

/** Triggers with the score that each unit's text has for them, in thousandths, in the order of the names. */
type Table = Readonly<Record<string, readonly number[]>>;

const noEncoder: Encode = () => Promise.resolve([]);

/** Misplaced triggers of a unit, where the texts of these units have these scores. */
async function misplaced(
  names: readonly string[],
  own: string,
  table: Table,
  over: { others?: Readonly<Record<string, readonly string[]>> } = {},
) {
  const index = { names, named: new Map(names.map((name, at) => [name, at])) };
  const score = (intent: string) => Int32Array.from(table[intent] ?? [], (it) => 1000 * it);
  const texts = { index, score } as unknown as Texts;
  const facts = names.map((name) => ({ name, delivery: { load_triggers: { intents: over.others?.[name] ?? [] } } }));
  const unit = { name: own, intents: Object.keys(table), description: '' };
  const found = await findMisplaced({ facts } as unknown as RecallGarden, [unit], texts, noEncoder);
  return Object.fromEntries(found.get(unit)!);
}

describe('§21.8.3: triggers that belong to a sibling', () => {
  const names = ['a', 'b', 'own'];

  test.each<[string, Table, object]>([
    [
      'a sibling with more than one and three quarter times the score has them',
      { x: [0, 176, 100], y: [0, 175, 100] },
      { x: 'b', y: 'b' },
    ],
    ['a sibling with exactly that has none', { x: [0, 175, 100], y: [0, 175, 100] }, {}],
    ['a text without any of the words has none against it', { x: [0, 200, 0] }, { x: 'b' }],
    ['of two equal siblings the last has them', { x: [400, 400, 100] }, { x: 'b' }],
    ['a sibling that answers only half of them better has none', { x: [0, 900, 100], y: [0, 100, 100] }, {}],
    ['a sibling that answers only half of them has none', { x: [0, 900, 100], y: [0, 90, 100] }, {}],
    [
      'of the triggers, only those that it answers better',
      { x: [0, 900, 100], y: [0, 100, 100], z: [0, 101, 100] },
      { x: 'b', z: 'b' },
    ],
    ['the best of several siblings has them', { x: [400, 500, 100] }, { x: 'b' }],
    ['the best of several siblings has them, in whatever order', { x: [500, 400, 100] }, { x: 'a' }],
    ['a sibling that answers hardly at all has none', { x: [0, 50, 0], y: [0, 49, 0] }, {}],
    ['a sibling that answers just well enough has them', { x: [0, 50, 0], y: [0, 50, 0] }, { x: 'b', y: 'b' }],
    ['a unit without triggers has none misplaced', {}, {}],
    ['the first unit is a sibling as any other', { x: [400, 0, 100] }, { x: 'a' }],
  ])('%s', async (_, table, expected) => {
    expect(await misplaced(names, 'own', table)).toEqual(expected);
  });

  test('a sibling that has all the same triggers needs only a higher score', async () => {
    const table = { 'restore files': [0, 101, 100], 'lost a disk': [0, 101, 100] };
    const all = { others: { b: ['restoring the file', 'losing disks'].map((it) => it.replace('losing', 'lost a')) } };
    expect(await misplaced(names, 'own', table, all)).toEqual({ 'restore files': 'b', 'lost a disk': 'b' });
    expect(await misplaced(names, 'own', table, { others: { b: ['restore files'] } })).toEqual({});
    expect(await misplaced(names, 'own', table, { others: { a: Object.keys(table) } })).toEqual({});
    const equal = { 'restore files': [0, 100, 100], 'lost a disk': [0, 100, 100] };
    expect(await misplaced(names, 'own', equal, all)).toEqual({});
  });

  test('a unit whose own text is not indexed is compared as if its text said nothing', async () => {
    expect(await misplaced(['a', 'b'], 'own', { x: [0, 50] })).toEqual({ x: 'b' });
    expect(await misplaced(['a', 'b'], 'own', { x: [0, 0] })).toEqual({});
  });

  test('each trigger is scored by its own vector, unit after unit; by none without an encoder', async () => {
    const scored: (readonly [string, number | null])[] = [];
    const score = (intent: string, vector: Float32Array | null) => {
      scored.push([intent, vector && (vector[0] ?? null)]);
      return new Int32Array(2);
    };
    const texts = { index: { names: [], named: new Map() }, score } as unknown as Texts;
    const units = [['x', 'y'], ['z']].map((intents, at) => ({ name: `u${at}`, intents, description: '' }));
    const encode: Encode = (all) => Promise.resolve(all.map((text) => Float32Array.of(text.charCodeAt(0))));
    const garden = { facts: [] } as unknown as RecallGarden;
    await findMisplaced(garden, units, texts, encode);
    await findMisplaced(garden, units, texts, noEncoder);
    expect(scored).toEqual([
      ...['x', 'y', 'z'].map((it) => [it, it.charCodeAt(0)]),
      ...['x', 'y', 'z'].map((it) => [it, null]),
    ]);
  });
});

describe('§21.8.3: triggers that only repeat the content', () => {
  const repeats = repetitionIn('Copies of the database are kept 35 days.', 'Restore a lost database copy');

  test.each([
    ['kept days', true],
    ['keeping the copies for days', false],
    ['copies kept', true],
    ['the copies were kept', true],
    ['database', true],
    ['database copies', false],
    ['database copies kept', true],
    ['restore a copy', false],
    ['of the', false],
    ['?!', false],
  ])('%j: %s', (intent, expected) => {
    expect(repeats(intent)).toBe(expected);
  });
});

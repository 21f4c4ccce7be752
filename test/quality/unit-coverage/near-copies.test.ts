import { describe, expect, test } from 'vitest';
import type { JudgedUnit } from '../../../compiler/quality/unit-coverage/judged-unit.ts';
import { groupNearCopies, phraseRows } from '../../../compiler/quality/unit-coverage/near-copies.ts';
import type { Encoder, TextKind } from '../../../compiler/recall/signals/semantic.ts';
import { plant } from '../../recall/garden.ts';

const TEN = 'alpha bravo charlie delta echo foxtrot golf hotel india juliet';

const unitOf = (intents: readonly string[], name = 'b', phrases: readonly string[] = []): JudgedUnit => ({
  name,
  intents,
  description: 'Title',
  phrases,
});

/** An encoder that knows these texts alone, and notes what it is asked. */
function encoderOf(known: Readonly<Record<string, readonly number[]>>) {
  const asked: [texts: readonly string[], role: TextKind][] = [];
  const encode: Encoder['encode'] = (texts, role) => {
    asked.push([texts, role]);
    return Promise.resolve(texts.map((it) => (known[it] ? Float32Array.from(known[it]) : null)));
  };
  return { dims: 2, encode, asked };
}

/** A garden of two other units and one with these triggers, which is the second. */
const gardenOf = (intents: readonly string[], encoder: Encoder | null, phrases: readonly string[] = []) =>
  plant(
    [
      { name: 'a', description: 'Title', intents: ['first'] },
      { name: 'b', description: 'Title', intents, phrases, content: 'Long.\n' },
      { name: 'c', description: 'Title' },
    ],
    encoder,
  );

describe('the rows of a unit in the index', () => {
  const VECTORS = { first: [1, 1], Title: [0, -1], x: [1, 0], y: [0, 1], 'Title. x. y. Long.\n': [-1, 0] };

  /** The rows of the unit with these triggers, and what the encoder is asked for them. */
  async function rowsOf(
    intents: readonly string[],
    vectors: Readonly<Record<string, readonly number[]>>,
    name = 'b',
    phrases: readonly string[] = [],
  ) {
    const encoder = encoderOf(vectors);
    const garden = await gardenOf(intents, encoder, phrases);
    encoder.asked.length = 0;
    const rows = await phraseRows(garden, garden.index.vectors!, unitOf(intents, name, phrases), encoder);
    return { rows: rows.map(({ text, row }) => [text, [...row]]), asked: encoder.asked };
  }

  test('are those of its triggers, then that of its title; the encoder is not asked again', async () => {
    const { rows, asked } = await rowsOf(['x', 'y'], VECTORS);
    expect(rows).toEqual([
      ['x', [127, 0]],
      ['y', [0, 127]],
      [null, [0, -127]],
    ]);
    expect(asked).toEqual([]);
  });

  test('are those of its phrases after that of its title, without those that have no vector', async () => {
    const { rows, asked } = await rowsOf(['x'], { ...VECTORS, 'Title. x. Long.\n': [-1, 0], z: [-1, 1] }, 'b', [
      'z',
      'y',
    ]);
    expect(rows.map(([text]) => text)).toEqual(['x', null, 'z', 'y']);
    expect(asked).toEqual([]);
    const fewer = await rowsOf(['x'], { ...VECTORS, 'Title. x. Long.\n': [-1, 0] }, 'b', ['unknown', 'y']);
    expect(fewer.rows).toEqual([
      ['x', [127, 0]],
      [null, [0, -127]],
      ['y', [0, 127]],
    ]);
    expect(fewer.asked).toEqual([[['unknown', 'y'], 'passage']]);
  });

  test('leave out the trigger that has no vector, which the encoder tells as a passage', async () => {
    const { rows, asked } = await rowsOf(['x', 'unknown', 'y'], VECTORS);
    expect(rows).toEqual([
      ['x', [127, 0]],
      ['y', [0, 127]],
      [null, [0, -127]],
    ]);
    expect(asked).toEqual([[['x', 'unknown', 'y'], 'passage']]);
  });

  test('leave out the trigger whose vector has no direction, as the index does', async () => {
    const { rows } = await rowsOf(['zero', 'y'], { ...VECTORS, zero: [0, 0] });
    expect(rows).toEqual([
      ['y', [0, 127]],
      [null, [0, -127]],
    ]);
  });

  test('do not lack the last phrase of a unit that has no long text', async () => {
    const { rows } = await rowsOf(['y'], VECTORS);
    expect(rows).toEqual([
      ['y', [0, 127]],
      [null, [0, -127]],
    ]);
  });

  test('are none for a unit that is not indexed', async () => {
    const { rows } = await rowsOf(['x', 'y'], VECTORS, 'unheard');
    expect(rows).toEqual([]);
  });
});

describe('near copies of triggers, by words', () => {
  /** The triggers that are left out with each, where there is no model. */
  const groups = (...intents: string[]) => Object.fromEntries(groupNearCopies(unitOf(intents), []));

  test('are those with the same words in another form and order, and the trigger itself', () => {
    const [one, copy, other] = ['restore deleted files', 'deleted: the file to restore', 'call in sick'];
    expect(groups(one, copy, other)).toEqual({ [one]: [one, copy], [copy]: [one, copy], [other]: [other] });
  });

  test('share seven words of ten at least', () => {
    const sharing = (count: number) => {
      const kept = TEN.split(' ').slice(0, count);
      const own = ['red', 'green', 'blue', 'black', 'white', 'brown', 'pink', 'grey', 'gold'].slice(0, 10 - count);
      return [...kept, ...own].join(' ');
    };
    const [seven, six] = [sharing(7), sharing(6)];
    expect(groups(TEN, seven, six)[TEN]).toEqual([TEN, seven]);
  });

  test('are measured by the words of both: a part of a trigger is no copy of it', () => {
    const [part, half] = ['alpha', 'alpha bravo charlie delta'];
    expect(groups(part, half, TEN)).toEqual({ [part]: [part], [half]: [half], [TEN]: [TEN] });
    expect(groups('databases', 'the database').databases).toEqual(['databases', 'the database']);
  });

  test('are phrases too, which are left out with the trigger, and are not left out by themselves', () => {
    const unit = unitOf(['restore deleted files'], 'b', ['the deleted file: restore', 'undo that']);
    expect(Object.fromEntries(groupNearCopies(unit, []))).toEqual({
      'restore deleted files': ['restore deleted files', 'the deleted file: restore'],
    });
  });

  test('are none of a trigger without words that count, but the trigger itself', () => {
    expect(groups('of the', 'is it', 'alpha')).toEqual({
      'of the': ['of the'],
      'is it': ['is it'],
      alpha: ['alpha'],
    });
  });
});

describe('near copies of triggers, by meaning', () => {
  /** The triggers that are left out with the first, where they have these vectors. */
  async function nearest(vectors: Readonly<Record<string, readonly number[]>>, ...more: string[]) {
    const encoder = encoderOf({ ...vectors, Title: [1, 0] });
    const intents = [...Object.keys(vectors), ...more];
    const garden = await gardenOf(intents, encoder);
    const rows = await phraseRows(garden, garden.index.vectors!, unitOf(intents), encoder);
    const found = groupNearCopies(unitOf(intents), rows);
    return found.get(intents[0]!);
  }
  const at = (cosine: number) => [cosine, Math.sqrt(1 - cosine * cosine)];

  test('have a cosine of 0.7 at least, whatever their words are', async () => {
    const vectors = { alpha: [1, 0], bravo: at(0.705), charlie: at(0.69), 'the alpha': at(0.1), delta: at(-0.9) };
    expect(await nearest(vectors)).toEqual(['alpha', 'bravo']);
  });

  test('are none just below it: 11290 of 16129 is less than 0.7', async () => {
    expect(await nearest({ alpha: [125, 23], bravo: [71, 105] })).toEqual(['alpha']);
  });

  test('are compared by both components of their vectors', async () => {
    expect(await nearest({ alpha: [0.6, 0.8], bravo: [0.8, 0.6], charlie: [0.8, -0.6] })).toEqual(['alpha', 'bravo']);
  });

  test('are compared by words where one of them has no vector', async () => {
    expect(await nearest({ alpha: [1, 0] }, 'the alpha', 'bravo')).toEqual(['alpha', 'the alpha']);
  });
});

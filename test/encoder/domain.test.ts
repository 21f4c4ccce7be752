import { describe, expect, test } from 'vitest';
import { isHeldOut } from '../../compiler/quality/paraphrase/held-out.ts';
import { frames, groups, words } from './inputs.ts';

const inOrder = (list: readonly string[]) => [...new Set(list)].sort();

/** Texts that are said twice, by whom. */
function repeated(said: readonly (readonly [text: string, by: string])[]): string[] {
  const first = new Map<string, string>();
  return said.flatMap(([text, by]) => {
    const key = text.toLowerCase();
    const before = first.get(key);
    first.set(key, by);
    return before === undefined ? [] : [`${text}: ${before}, ${by}`];
  });
}

describe('groups of words with one meaning at work', () => {
  const ids = groups.map(({ id }) => id);

  test('there are at least 150 groups, in the order of their different ids', () => {
    expect(groups.length).toBeGreaterThanOrEqual(150);
    expect(ids).toEqual(inOrder(ids));
    expect(ids.filter((id) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(id))).toEqual([]);
  });

  test('no two groups share a word in any case', () => {
    expect(repeated(groups.flatMap(({ id, words: own }) => own.map((it) => [it, id] as const)))).toEqual([]);
  });

  test('no two groups share a meaning or an example', () => {
    const said = groups.flatMap(({ id, means, examples }) => [means, ...examples].map((it) => [it, id] as const));
    expect(repeated(said)).toEqual([]);
  });

  test('more than 50 groups are held out, and more than 100 are given', () => {
    const heldOut = ids.filter((id) => isHeldOut('group', id));
    expect(heldOut.length).toBeGreaterThan(50);
    expect(ids.length - heldOut.length).toBeGreaterThan(100);
  });
});

describe('frames of sentences', () => {
  test('no two frames are the same', () => {
    expect(repeated(frames.map((it) => [it, it] as const))).toEqual([]);
  });

  test('every frame has a slot, and each slot is for a noun, a verb or any word', () => {
    const slots = frames.map((frame) => frame.match(/\{[^}]*\}?/g) ?? []);
    expect(slots.filter((it) => it.length === 0)).toEqual([]);
    expect(inOrder(slots.flat())).toEqual(['{noun}', '{verb}', '{word}']);
  });

  test('more than 40 frames are held out, and the given ones have every kind of slot', () => {
    const given = frames.filter((it) => !isHeldOut('frame', it));
    expect(given.length).toBeGreaterThan(40);
    expect(frames.length - given.length).toBeGreaterThan(40);
    for (const slot of ['{noun}', '{verb}', '{word}']) expect(given.join()).toContain(slot);
  });
});

test('the words to keep are different lower-case words, in order', () => {
  expect(words).toEqual(inOrder(words));
  expect(words.filter((it) => !/^[a-z]{2,}$/.test(it))).toEqual([]);
});

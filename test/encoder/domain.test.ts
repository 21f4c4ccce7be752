import { describe, expect, test } from 'vitest';
import { isHeldOut } from '../../compiler/quality/paraphrase/held-out.ts';
import { frames, groups, words } from './inputs.ts';

const inOrder = (list: readonly string[]) => [...new Set(list)].sort();

/** What is said twice, by whom. */
function repeated(said: readonly (readonly [text: string, by: string])[]): string[] {
  const first = new Map<string, string>();
  return said.flatMap(([text, by]) => {
    const key = text.toLowerCase();
    const before = first.get(key);
    first.set(key, by);
    return before === undefined ? [] : [`${text}: ${before}, ${by}`];
  });
}

describe('the groups of words that mean one thing at work', () => {
  const ids = groups.map(({ id }) => id);

  test('are at least 150, each with an id of its own, in order', () => {
    expect(groups.length).toBeGreaterThanOrEqual(150);
    expect(ids).toEqual(inOrder(ids));
    expect(ids.filter((id) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(id))).toEqual([]);
  });

  test('share no word, whatever its case, so that no word is on both sides of the split', () => {
    expect(repeated(groups.flatMap(({ id, words: own }) => own.map((it) => [it, id] as const)))).toEqual([]);
  });

  test('share no meaning and no example', () => {
    const said = groups.flatMap(({ id, means, examples }) => [means, ...examples].map((it) => [it, id] as const));
    expect(repeated(said)).toEqual([]);
  });

  test('stand on both sides of the split', () => {
    const heldOut = ids.filter((id) => isHeldOut('group', id));
    expect(heldOut.length).toBeGreaterThan(50);
    expect(ids.length - heldOut.length).toBeGreaterThan(100);
  });
});

describe('the frames of sentences', () => {
  test('are all different', () => {
    expect(repeated(frames.map((it) => [it, it] as const))).toEqual([]);
  });

  test('have slots for a noun, a verb or any word, and always one', () => {
    const slots = frames.map((frame) => frame.match(/\{[^}]*\}?/g) ?? []);
    expect(slots.filter((it) => it.length === 0)).toEqual([]);
    expect(inOrder(slots.flat())).toEqual(['{noun}', '{verb}', '{word}']);
  });

  test('stand on both sides of the split, and every kind of slot has a given one', () => {
    const given = frames.filter((it) => !isHeldOut('frame', it));
    expect(given.length).toBeGreaterThan(40);
    expect(frames.length - given.length).toBeGreaterThan(40);
    for (const slot of ['{noun}', '{verb}', '{word}']) expect(given.join()).toContain(slot);
  });
});

test('the words to keep are lower-case words, each once, in order', () => {
  expect(words).toEqual(inOrder(words));
  expect(words.filter((it) => !/^[a-z]{2,}$/.test(it))).toEqual([]);
});

import { describe, expect, test } from 'vitest';
import { isHeldOut, type Resource } from '../../compiler/quality/paraphrase/held-out.ts';

const KINDS: readonly Resource[] = ['synset', 'frame', 'group'];
const IDS = Array.from({ length: 20_000 }, (_, i) => `id ${i}`);
const drawn = (kind: Resource) => new Set(IDS.filter((id) => isHeldOut(kind, id)));
const HELD_OUT = { synset: drawn('synset'), frame: drawn('frame'), group: drawn('group') };

describe('what is held out for the coverage gate', () => {
  test('the text of an id alone decides whether it is held out', () => {
    expect(isHeldOut('synset', 'n00001740')).toBe(true);
    expect(isHeldOut('frame', 'how do i {verb} my {noun}')).toBe(isHeldOut('frame', 'how do i {} my {}'));
    expect(isHeldOut('group', 'abandon-work')).toBe(false);
  });

  test('an id is held out up to the exact share of its kind', () => {
    const last = [isHeldOut('synset', 'id 10'), isHeldOut('frame', 'id 161'), isHeldOut('group', 'id 54')];
    const first = [isHeldOut('synset', 'id 44'), isHeldOut('frame', 'id 813'), isHeldOut('group', 'id 325')];
    expect([last, first]).toEqual([
      [true, true, true],
      [false, false, false],
    ]);
  });

  test('an id that is held out as one kind can be given as another', () => {
    for (const a of KINDS) {
      for (const b of KINDS.filter((it) => it !== a)) {
        expect([...HELD_OUT[a]].filter((id) => !HELD_OUT[b].has(id)).length).toBeGreaterThan(1000);
      }
    }
    expect([isHeldOut('synset', 'abandon-work'), isHeldOut('group', 'abandon-work')]).toEqual([true, false]);
  });

  test.each([
    ['synset', 102 / 256],
    ['frame', 128 / 256],
    ['group', 77 / 256],
  ] as const)('the declared share of %s ids is held out', (kind, share) => {
    // four standard deviations of 20,000 draws are 0.014
    expect(Math.abs(HELD_OUT[kind].size / IDS.length - share)).toBeLessThan(0.014);
  });
});

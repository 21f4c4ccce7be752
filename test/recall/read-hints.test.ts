import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { withoutWithdrawn } from '../../compiler/recall/recall-garden.ts';
import { anyCharacter } from '../support/any-character.ts';
import { ask, PAST, plant } from './garden.ts';

const UNITS = [
  { name: 'wrap-up', description: 'How to leave', aliases: ['hand-over'] },
  { name: 'limits', description: 'Hard prohibitions', version: 3 },
  { name: 'heartbeat', description: 'What to do first', series: 'instruction:acme/heartbeat' },
  { name: 'late', validUntil: PAST },
];
const OWN = 'instruction:acme/agent/cto';

async function hinted(...manifest_hint: string[]) {
  const { names, missed_hints } = ask(await plant(UNITS), 'zxqv', { manifest_hint });
  return [names, missed_hints];
}

describe('§21.3.1 hints that find a unit', () => {
  test.each([
    ['by its name', 'limits', 'limits'],
    ['by its alias', 'hand-over', 'wrap-up'],
    ['by the URI of its version in force', `${OWN}/limits/v3`, 'limits'],
    ['by the URI without agent/ (DESIGN §6.1)', 'instruction:acme/cto/limits/v3', 'limits'],
    ['by the URI of an earlier version (§21.4.2)', `${OWN}/limits/v1`, 'limits'],
    ['by the URI of a shared unit', 'instruction:acme/heartbeat/v1', 'heartbeat'],
  ])('a hint finds a unit %s: %s', async (_, hint, name) => {
    expect(await hinted(hint)).toEqual([[name], []]);
  });

  test('several hints for one unit give it once', async () => {
    expect(await hinted('limits', `${OWN}/limits/v3`, 'wrap-up', 'limits', 'hand-over')).toEqual([
      ['limits', 'wrap-up'],
      [],
    ]);
  });
});

describe('§21.3.3 hints that are missed', () => {
  test.each([
    ['a name in another case', 'Limits'],
    ['a name in another Unicode form', 'ｌimits'],
    ['a name with a space around it', ' limits'],
    ['a name with another hyphen', 'wrap‐up'],
    ['empty', ''],
    ['a path', '../limits'],
    ['NUL', 'limits\0'],
    ['half a character', '\ud800'],
    ['a property of every object', '__proto__'],
    ['a future version', `${OWN}/limits/v4`],
    ['a floating version', `${OWN}/limits/latest`],
    ['a URI in another case', `${OWN}/Limits/v3`],
    ['the URI of another agent’s unit with the same name', 'instruction:acme/agent/cto2/limits/v1'],
    ['the URI of another deployment', 'instruction:ajax/agent/cto/limits/v3'],
    ['the URI of a shared unit with the name of an own unit', 'instruction:acme/limits/v3'],
    ['the URI of the manifest', `${OWN}/manifest/v1`],
    ['a unit that is not in force', 'late'],
    ['the URI of a unit that is not in force', `${OWN}/late/v1`],
    ['five thousand characters', 'limits'.repeat(1000)],
  ])('a hint that is %s is missed, without an error', async (_, hint) => {
    expect(await hinted(hint)).toEqual([[], [hint]]);
  });

  test('a hint for a withdrawn unit is missed', async () => {
    const garden = withoutWithdrawn(await plant(UNITS), ({ name }) => name === 'limits');
    const { names, missed_hints } = ask(garden, 'zxqv', { manifest_hint: ['limits', `${OWN}/limits/v3`] });
    expect([names, missed_hints]).toEqual([[], ['limits', `${OWN}/limits/v3`]]);
  });

  test('a hint after the tenth is missed, and a repeated hint counts once', async () => {
    const ten = Array.from({ length: 9 }, (_, i) => `nothing-${i}`).concat('limits');
    expect(await hinted(...ten, ...ten, 'wrap-up')).toEqual([['limits'], [...ten.slice(0, 9), 'wrap-up']]);
  });

  test('ten thousand missed hints are all reported', async () => {
    const many = Array.from({ length: 10_000 }, (_, i) => `u${i}`);
    expect(await hinted(...many)).toEqual([[], many]);
  });
});

describe('§21.3.4 any hints', () => {
  test('the same hints give the same answer, and unknown hints and those after the tenth are missed', async () => {
    const garden = await plant(UNITS);
    const known = ['limits', 'wrap-up', 'hand-over', `${OWN}/limits/v2`, 'instruction:acme/heartbeat/v1'];
    const hint = fc.oneof(fc.constantFrom(...known), fc.string({ unit: anyCharacter, maxLength: 12 }));
    fc.assert(
      fc.property(fc.array(hint, { maxLength: 14 }), (manifest_hint) => {
        const [one, two] = [ask(garden, 'leave', { manifest_hint }), ask(garden, 'leave', { manifest_hint })];
        expect(JSON.stringify(one)).toBe(JSON.stringify(two));
        const distinct = [...new Set(manifest_hint)];
        expect(one.missed_hints).toEqual(distinct.filter((it, at) => at >= 10 || !known.includes(it)));
      }),
      { numRuns: 200 },
    );
  });
});

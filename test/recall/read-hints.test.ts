import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { withoutWithdrawn } from '../../compiler/recall/recall-garden.ts';
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

describe('§21.3.1 a hint leads to a unit', () => {
  test.each([
    ['by its name', 'limits', 'limits'],
    ['by its alias', 'hand-over', 'wrap-up'],
    ['by the URI of its version in force', `${OWN}/limits/v3`, 'limits'],
    ['by the URI without agent/ (DESIGN §6.1)', 'instruction:acme/cto/limits/v3', 'limits'],
    ['by the URI of an earlier version: the one in force comes (§21.4.2)', `${OWN}/limits/v1`, 'limits'],
    ['by the URI of a shared unit', 'instruction:acme/heartbeat/v1', 'heartbeat'],
  ])('%s: %s', async (_, hint, name) => {
    expect(await hinted(hint)).toEqual([[name], []]);
  });

  test('once, under however many of its names it is hinted', async () => {
    expect(await hinted('limits', `${OWN}/limits/v3`, 'wrap-up', 'limits', 'hand-over')).toEqual([
      ['limits', 'wrap-up'],
      [],
    ]);
  });
});

describe('§21.3.3 a hint that leads nowhere is missed, never an error', () => {
  test.each([
    ['another case', 'Limits'],
    ['another Unicode form', 'ｌimits'],
    ['a space around it', ' limits'],
    ['a hyphen of another kind', 'wrap‐up'],
    ['nothing', ''],
    ['a path', '../limits'],
    ['NUL', 'limits\0'],
    ['half a character', '\ud800'],
    ['what every object has', '__proto__'],
    ['a version that is still to come', `${OWN}/limits/v4`],
    ['a floating version', `${OWN}/limits/latest`],
    ['a URI in another case', `${OWN}/Limits/v3`],
    ['the URI of another agent’s unit of the same name', 'instruction:acme/agent/cto2/limits/v1'],
    ['the URI of another deployment', 'instruction:ajax/agent/cto/limits/v3'],
    ['the URI of a shared unit, for one of the agent’s own', 'instruction:acme/limits/v3'],
    ['the URI of its manifest', `${OWN}/manifest/v1`],
    ['a unit that is not in force', 'late'],
    ['the URI of a unit that is not in force', `${OWN}/late/v1`],
    ['five thousand characters', 'limits'.repeat(1000)],
  ])('%s', async (_, hint) => {
    expect(await hinted(hint)).toEqual([[], [hint]]);
  });

  test('nor is one that was withdrawn', async () => {
    const garden = withoutWithdrawn(await plant(UNITS), ({ name }) => name === 'limits');
    const { names, missed_hints } = ask(garden, 'zxqv', { manifest_hint: ['limits', `${OWN}/limits/v3`] });
    expect([names, missed_hints]).toEqual([[], ['limits', `${OWN}/limits/v3`]]);
  });

  test('beyond the tenth, however good it is; a text that is hinted twice counts once', async () => {
    const ten = Array.from({ length: 9 }, (_, i) => `nothing-${i}`).concat('limits');
    expect(await hinted(...ten, ...ten, 'wrap-up')).toEqual([['limits'], [...ten.slice(0, 9), 'wrap-up']]);
  });

  test('ten thousand of them are named, each once', async () => {
    const many = Array.from({ length: 10_000 }, (_, i) => `u${i}`);
    expect(await hinted(...many)).toEqual([[], many]);
  });
});

describe('§21.3.4 whatever is hinted', () => {
  test('the same hints have the same answer; each is found or missed, and none is both', async () => {
    const garden = await plant(UNITS);
    const known = ['limits', 'wrap-up', 'hand-over', `${OWN}/limits/v2`, 'instruction:acme/heartbeat/v1'];
    const hint = fc.oneof(fc.constantFrom(...known), fc.string({ unit: 'binary', maxLength: 12 }));
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

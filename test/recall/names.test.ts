import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ask, plant } from './garden.ts';

const UNITS = [
  { name: 'wrap-up', description: 'How to leave', aliases: ['hand-over', 'farewell'] },
  { name: 'limits', description: 'Hard prohibitions' },
  { name: 'merge-rules', description: 'merging merging merging', intents: ['wrap up limits farewell merge'] },
];

/** Names that an intent calls exactly. */
async function called(intent: string): Promise<string[]> {
  const { units } = ask(await plant(UNITS), intent);
  return units.filter((it) => it.exact_name).map((it) => it.name);
}

describe('DESIGN §6.6 a unit that an intent names exactly', () => {
  test.each([
    ['by a whole token with a hyphen', 'load wrap-up now', ['wrap-up']],
    ['in any case', 'Load WRAP-UP now', ['wrap-up']],
    ['at its beginning, at its end and before a full stop', 'wrap-up. Then merge-rules', ['merge-rules', 'wrap-up']],
    ['by its alias', 'do the hand-over', ['wrap-up']],
    ['as unit:name', 'load unit:limits and unit:wrap-up', ['limits', 'wrap-up']],
    ['in back-ticks', 'read `limits` first', ['limits']],
    ['in quotes', 'read "limits" and ‘farewell’ first', ['limits', 'wrap-up']],
    ['in typographic quotes', 'read “limits” first', ['limits']],
    ['by its URI', 'read instruction:acme/agent/cto/limits/v1', ['limits']],
    ['by the short form of its URI', 'read instruction:acme/cto/limits/v1', ['limits']],
    ['by the URI of another version', 'read instruction:acme/agent/cto/limits/v12', ['limits']],
  ])('an intent names a unit exactly %s: %s', async (_, intent, expected) => {
    expect(await called(intent)).toEqual(expected);
    expect(
      ask(await plant(UNITS), intent)
        .ranking.slice(0, expected.length)
        .sort(),
    ).toEqual(expected);
  });

  test.each([
    ['a one-word name', 'what limits are there'],
    ['a one-word alias', 'a farewell to arms'],
    ['a name after one quote', 'read "limits of spending'],
    ['part of a longer name', 'load wrap-up-later, pre-wrap-up and wrap-ups'],
    ['part of a longer word', 'lies wrap-upé und éwrap-up'],
    ['separate words of a name', 'wrap up the work'],
    ['the URI of another agent’s unit', 'read instruction:acme/agent/ceo/limits/v1'],
    ['the URI of another agent’s unit with a hyphen', 'read instruction:acme/agent/ceo/wrap-up/v1'],
    ['a URI without a version, of another agent', 'read instruction:acme/agent/ceo/wrap-up'],
    ['the URI of another deployment', 'read instruction:ajax/agent/cto/wrap-up/v1'],
    ['the URI of a shared unit with the same name', 'read instruction:acme/wrap-up/v1'],
  ])('an intent names no unit exactly by %s: %s', async (_, intent) => {
    expect(await called(intent)).toEqual([]);
  });

  test('unit:name, back-ticks and the URI name a unit exactly, whatever its name', async () => {
    const name = fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,15}$/);
    await fc.assert(
      fc.asyncProperty(name, async (it) => {
        const planted = await plant([{ name: it }, { name: 'zzzzzzzzzzzzzzzzz' }]);
        for (const intent of [`load unit:${it} now`, `load \`${it}\` now`, `instruction:acme/agent/cto/${it}/v1`]) {
          expect([intent, ask(planted, intent).unit(it)?.exact_name]).toEqual([intent, true]);
        }
      }),
      { numRuns: 200 },
    );
  });

  test('a unit that an intent names exactly ranks before units with higher scores', async () => {
    const { ranking, unit } = ask(await plant(UNITS), 'merging merge wrap-up limits');
    expect(ranking[0]).toBe('wrap-up');
    expect(unit('merge-rules')!.score).toBeGreaterThan(unit('wrap-up')!.score);
  });

  test('a unit that an intent names exactly keeps its own score', async () => {
    const planted = await plant([{ name: 'a-b', content: 'x' }, ...UNITS]);
    const { chunks } = ask(planted, '`a-b`');
    expect(chunks[0]?.name).toBe('a-b');
    expect(chunks[0]?.score).toBe(ask(planted, '`a-b`').unit('a-b')?.score);
  });

  test('a unit out of force is not recalled, even if an intent names it exactly', async () => {
    const planted = await plant([{ name: 'wrap-up', validUntil: '2020-01-01T00:00:00Z' }, { name: 'limits' }]);
    const { names, left_out } = ask(planted, 'load wrap-up');
    expect(names).toEqual([]);
    expect(left_out).toEqual([{ name: 'wrap-up', outcome: 'expired' }]);
  });

  test('§21.2.2 an alias is a hint, but does not take the name of another unit', async () => {
    const planted = await plant([...UNITS, { name: 'other', aliases: ['limits'] }]);
    expect(ask(planted, 'zzz', { manifest_hint: ['hand-over', 'limits'] }).names).toEqual(['wrap-up', 'limits']);
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ask, plant } from './garden.ts';

const UNITS = [
  { name: 'wrap-up', description: 'How to leave', aliases: ['hand-over', 'farewell'] },
  { name: 'limits', description: 'Hard prohibitions' },
  { name: 'merge-rules', description: 'merging merging merging', intents: ['wrap up limits farewell merge'] },
];

describe('DESIGN §6.6 a unit that an intent names exactly', () => {
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

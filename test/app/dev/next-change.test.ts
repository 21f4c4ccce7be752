import { describe, expect, test } from 'vitest';
import { nextChange } from '../../../compiler/app/dev/next-change.ts';

/** A folder with these stamps at each look, the last one for ever; an error where a stamp is one. */
function folder(stamps: readonly (string | Error)[], cost = 0) {
  let looks = 0;
  let clock = 0;
  const waits: number[] = [];
  const looking = {
    stamp: () => {
      const stamp = stamps[Math.min(looks++, stamps.length - 1)] ?? '';
      clock += cost;
      if (stamp instanceof Error) throw stamp;
      return stamp;
    },
    clock: () => clock,
    wait: (ms: number) => {
      waits.push(ms);
      return Promise.resolve();
    },
  };
  return { looking, waits, looks: () => looks };
}

describe('the next change of a folder', () => {
  test('a change is told once the folder has come to rest', async () => {
    expect(await nextChange('a', folder(['a', 'a', 'b', 'c', 'd', 'd', 'e']).looking)).toBe('d');
  });

  test('a change that is there already is told without waiting for another', async () => {
    expect(await nextChange('a', folder(['b']).looking)).toBe('b');
  });

  test('a folder that never rests is told all the same', async () => {
    const restless = folder(Array.from({ length: 10_000 }, (_, i) => String(i)));
    await nextChange('a', restless.looking);
    expect(restless.looks()).toBeLessThan(100);
  });

  test('looking takes at most a twentieth of the time', async () => {
    const { looking, waits } = folder(['a', 'a', 'b'], 500);
    await nextChange('a', looking);
    expect(waits[0]).toBe(10_000);
  });

  test('a folder that cannot be listed has changed, and stays so until it can', async () => {
    const lost = new Error('EACCES');
    expect(await nextChange('a', folder(['a', lost]).looking)).toContain('EACCES');
    expect(await nextChange(String(lost), folder([lost, 'a']).looking)).toBe('a');
  });

  test('the end of the session ends the waiting', async () => {
    const { looking } = folder(['a']);
    const ending = { ...looking, wait: () => Promise.reject(new Error('ended')) };
    await expect(nextChange('a', ending)).rejects.toThrow('ended');
  });
});

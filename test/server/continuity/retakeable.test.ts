import { expect, test } from 'vitest';
import { isEmpty, retakeable } from '../../../server/continuity/store/retakeable.ts';

function* counting(made: number[], most: number, fails = false): Generator<number> {
  for (let i = 0; i < most; i++) {
    made.push(i);
    yield i;
  }
  if (fails) throw new Error('no more');
}

test('each value is made once, when it is first taken, however often all are taken', () => {
  const made: number[] = [];
  const all = retakeable([[10], counting(made, 3)]);
  expect([isEmpty(all), made]).toEqual([false, []]);
  const first = all[Symbol.iterator]();
  expect([first.next().value, first.next().value, made]).toEqual([10, 0, [0]]);
  expect([...all]).toEqual([10, 0, 1, 2]);
  expect([...all]).toEqual([10, 0, 1, 2]);
  expect(made).toEqual([0, 1, 2]);
});

test('a source that has failed fails again, where it failed', () => {
  const all = retakeable([counting([], 2, true)]);
  const taken: number[] = [];
  const take = () => {
    for (const it of all) taken.push(it);
  };
  expect(take).toThrow('no more');
  expect(take).toThrow('no more');
  expect(taken).toEqual([0, 1, 0, 1]);
});

test('without a value it is empty', () => {
  expect(isEmpty(retakeable([[], counting([], 0)]))).toBe(true);
});

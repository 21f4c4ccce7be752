import { expect, test } from 'vitest';
import { choose } from '../../../compiler/migration/propose/choose.ts';

test.each([
  ['releases', 'releases, shop'],
  ['releases, shop', 'releases'],
  ['roll a release back', 'roll a release back, shop'],
])('of “%s” and “%s”, which differ by one word, only the first is proposed', (first, second) => {
  expect(choose([first, second])).toEqual([first]);
});

test.each([
  ['releases', 'announce releases to customers'],
  ['releases', 'refunds'],
  ['roll a release back', 'announce a release'],
])('“%s” and “%s” are two triggers', (first, second) => {
  expect(choose([first, second])).toEqual([first, second]);
});

import { expect, test } from 'vitest';
import { ARCHIVE_DAYS } from '../../../compiler/continuity/list.ts';
import { archiveDaysFrom, capsulesFrom } from '../../../compiler/continuity/use-cases/capsules-place.ts';
import type { World } from '../../../compiler/world/world.ts';
import { refused } from '../capsules.ts';

const SETTING = 'COGNIRELAY_CONTINUITY_RETENTION_ARCHIVE_DAYS';

test('an archive is stale after the days of the setting, or those of the specification', () => {
  expect(archiveDaysFrom({ env: {} })).toBe(ARCHIVE_DAYS);
  expect(['1', '400'].map((days) => archiveDaysFrom({ env: { [SETTING]: days } }))).toEqual([1, 400]);
});

test.each(['0', '-1', '1.5', 'x', ''])('%j days are refused', (days) => {
  refused('argument_invalid', () => archiveDaysFrom({ env: { [SETTING]: days } }));
});

test('capsules are kept only where a folder is named, which is seen from where the command runs', () => {
  const world = { cwd: '/a', env: { [SETTING]: '3' } } as unknown as World;
  expect(capsulesFrom(undefined, world)).toBeUndefined();
  expect(capsulesFrom('b', world)).toMatchObject({ root: '/a/b', archiveDays: 3 });
  expect(capsulesFrom('/c', world)).toMatchObject({ root: '/c' });
});

import { expect, test } from 'vitest';
import { isOver } from '../../../compiler/capabilities/gate/read-root.ts';

test('a time is over from its millisecond on, one that nobody can read always is, and none never', () => {
  const now = Date.parse('2026-05-04T12:00:00Z');
  const times = ['2026-05-04T11:59:59.999Z', '2026-05-04T12:00:00Z', '2026-05-04T12:00:00.001Z', 'soon', null];
  expect(times.map((it) => isOver(it, now))).toEqual([true, true, false, true, false]);
});

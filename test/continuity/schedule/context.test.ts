import { expect, test } from 'vitest';
import { scheduleContext } from '../../../compiler/continuity/schedule/context.ts';
import { ScheduleContext } from '../../../compiler/continuity/schema/schedule/answers.ts';
import type { StoredItem } from '../../../compiler/continuity/schema/schedule/item.ts';
import { NOW } from '../capsules.ts';
import { inSeconds, scheduleInMemory } from './items.ts';

const SETTINGS = { dueLimit: 2, upcomingLimit: 1, upcomingWindowHours: 72 };

/** Stored items that are due at these times, from `NOW` on. */
function itemsAt(...seconds: number[]): StoredItem[] {
  const { create } = scheduleInMemory();
  const before = NOW - 3_600_000;
  return seconds.map((it, at) => create({ title: `item ${at}`, due_at: inSeconds(it) }, before).item);
}

test('each list is cut at its limit, and says so only where there is more', () => {
  const found = { due: itemsAt(-3, -2), upcoming: itemsAt(3, 4), warnings: [] };
  const context = scheduleContext(found, SETTINGS, NOW);
  expect(ScheduleContext.parse(context)).toEqual(context);
  expect(context.due).toMatchObject({ count: 2, truncated: false });
  expect(context.due.items.map((it) => it.derived_state)).toEqual(['due', 'due']);
  expect(context.upcoming).toMatchObject({ window_hours: 72, count: 1, truncated: true });
  expect(context.upcoming.items.map((it) => it.title)).toEqual(['item 0']);
});

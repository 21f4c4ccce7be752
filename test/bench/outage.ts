import { setTimeout as sleep } from 'node:timers/promises';
import { expect, vi } from 'vitest';
import type { FaultyServer } from './faultserver.ts';
import { beginLoad, spreadBetween, type Told } from './load.ts';
import { report } from './measure.ts';
import { caughtUp, scrape, watchFigure } from './scrape.ts';

const AROUND_MS = 2000;

/**
 * Asks before, during and after an outage of the audit's store, and waits until everything is stored. No recall may
 * fail, none may wait for the store to come back, and no row may be lost.
 *
 * @param during takes the store away, and gives it back
 */
export async function outage(
  what: string,
  server: FaultyServer,
  during: () => Promise<void>,
): Promise<{ answers: readonly Told[] }> {
  const load = beginLoad(server.load);
  // what is loaded and compiled with the first requests is no part of the figures
  await sleep(AROUND_MS);
  const watched = watchFigure(server, 'vade_audit_spooled_rows');
  const began = performance.now();
  await sleep(AROUND_MS);
  const gone = performance.now();
  await during();
  const back = performance.now();
  const drained = await drainedUnderLoad(server);
  await sleep(AROUND_MS);
  const ended = performance.now();
  const samples = await watched();
  await load.end();
  const figures = await caughtUp(server);
  const spooled = samples.reduce((most, { value }) => Math.max(most, value), 0);
  const [before, amid, after] = [
    spreadBetween(load.answers, began, gone),
    spreadBetween(load.answers, gone, back),
    spreadBetween(load.answers, back, ended),
  ];
  const lost = figures.get('vade_audit_lost_rows_total');
  report(`${what}: answers, failed ones`, `${load.answers.length}, ${load.failures.length}`, '0 failed');
  report('  p99 before', `${before.p99.toFixed(1)} ms`, '');
  report('  p99 meanwhile', `${amid.p99.toFixed(1)} ms = + ${(amid.p99 - before.p99).toFixed(1)} ms`, '');
  report('  p99 afterwards', `${after.p99.toFixed(1)} ms = + ${(after.p99 - before.p99).toFixed(1)} ms`, '');
  report('  longest answer meanwhile', `${amid.longest.toFixed(0)} ms`, `≤ ${((back - gone) / 4).toFixed(0)} ms`);
  report(
    '  recalls a second before / meanwhile',
    `${perSecond(before.count, gone - began)} / ${perSecond(amid.count, back - gone)}`,
    '',
  );
  report('  rows that waited at most, lost', `${spooled}, ${String(lost)}`, 'some, 0 lost');
  report('  all of them stored, the load going on', `${(drained - back).toFixed(0)} ms after`, '');
  expect(load.failures).toEqual([]);
  expect(lost).toBe(0);
  expect(spooled).toBeGreaterThan(0);
  // a ratio of the outage itself: whoever waited for its end waited four times as long
  expect(amid.longest).toBeLessThanOrEqual((back - gone) / 4);
  return { answers: load.answers };
}

const PATIENCE = { timeout: 60_000, interval: 50 };

/** When nothing was left in the spool for the first time, with as much to store as ever. */
async function drainedUnderLoad(server: FaultyServer): Promise<number> {
  await vi.waitUntil(async () => (await scrape(server)).get('vade_audit_spooled_rows') === 0, PATIENCE);
  return performance.now();
}

const perSecond = (count: number, ms: number) => `${((1000 * count) / ms).toFixed(0)} /s`;

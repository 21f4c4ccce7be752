import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { report } from '../measure.ts';
import { beginLoad, spreadBetween, type LoadAnswer } from '../serve/load.ts';
import { caughtUp, scrape, watchFigure } from '../serve/scrape.ts';
import type { FaultyServer } from './fault-server.ts';

const AROUND_MS = 2000;
/** How long the spool is watched to become empty while the load goes on. */
const DRAIN_MS = 8000;

export interface Outage {
  readonly what: string;
  readonly server: FaultyServer;
  /** As of a load: without a pause it asks for as much as two cores can give. */
  readonly pauseMs?: number;
}

/**
 * Asks before, during and after an outage of the audit's store, and waits until everything is stored. No recall may
 * fail, none may wait for the store to come back, and no row may be lost.
 *
 * @param during takes the store away, and gives it back
 * @returns the answers, and whether the spool was empty in good time while the load went on
 */
export async function outage(
  { what, server, pauseMs = 0 }: Outage,
  during: () => Promise<void>,
): Promise<{ answers: readonly LoadAnswer[]; drained: boolean }> {
  const load = beginLoad({ ...server.load, pauseMs });
  // modules that the first requests load and compile are no part of the figures
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
  const caught = performance.now();
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
  const stored = drained === null ? `not after ${DRAIN_MS} ms` : `${(drained - back).toFixed(0)} ms after`;
  report('  all of them stored, the load going on', stored, '');
  report('  all of them stored, once the load ended', `${(caught - ended).toFixed(0)} ms after`, '');
  expect(load.failures).toEqual([]);
  expect(lost).toBe(0);
  expect(spooled).toBeGreaterThan(0);
  // a ratio of the outage itself: whoever waited for its end waited four times as long
  expect(amid.longest).toBeLessThanOrEqual((back - gone) / 4);
  return { answers: load.answers, drained: drained !== null };
}

/** When the spool was empty for the first time, with new rows coming all the while; null where it was not in time. */
async function drainedUnderLoad(server: FaultyServer): Promise<number | null> {
  const since = performance.now();
  while (performance.now() - since < DRAIN_MS) {
    if ((await scrape(server)).get('vade_audit_spooled_rows') === 0) return performance.now();
    await sleep(50);
  }
  return null;
}

const perSecond = (count: number, ms: number) => `${((1000 * count) / ms).toFixed(0)} /s`;

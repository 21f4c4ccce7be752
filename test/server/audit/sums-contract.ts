import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createDeploymentMetrics } from '../../../compiler/quality/metrics/deployment-metrics.ts';
import type { Measured } from '../../../compiler/quality/metrics/metrics.ts';
import { DeploymentMetrics } from '../../../compiler/schema/api/metrics.ts';
import { DAY_MS } from '../../../compiler/schema/audit/sums.ts';
import { readBack, UNLIMITED } from '../../../server/audit/read.ts';
import { closingEntry, recallEntry } from '../../../server/audit/records/entry.ts';
import type { AuditStore, NewEntry } from '../../../server/audit/records/store.ts';
import { keeping, writing, type Place } from './harness.ts';
import { record, START } from './records.ts';
import { addAnswers } from './summed.ts';

const NAMES = ['deploy', 'incident', 'limits', 'access', "Zoë's 🪴", '"; --', 'a b'];
const DAYS = 10;

const measured = (agent: string): Measured => ({
  ...{ agent, agent_id: `${agent}-id`, entity: `acme/agent/${agent}`, guaranteed: ['limits', 'access'] },
  ...{ units: new Set(NAMES.slice(0, 4)), eagerTokens: 4000, stubTokens: 100, recertify: null },
});

const ENTITIES = { 'cto-id': 'acme/agent/cto', 'ops-id': 'acme/agent/ops' };
const ALWAYS = { since: 0, until: START + 20 * DAY_MS };

/** Two agents with figures, and one that the bundle does not have. */
const AGENTS = ['cto', 'ops', 'gone'];

const name = fc.constantFrom(...NAMES);
const row = fc.record({
  agent: fc.constantFrom(...AGENTS),
  isWakeUp: fc.boolean(),
  isAborted: fc.boolean(),
  heartbeat: fc.constantFrom('a', 'b', 'c', 'd "quoted"'),
  source: fc.constantFrom('verified' as const, 'caller' as const, 'generated' as const),
  isOwn: fc.boolean(),
  at: fc.integer({ min: 0, max: DAYS * DAY_MS }),
  loaded: fc.uniqueArray(name),
  closed: fc.option(
    fc.record({ used: fc.array(name), missed: fc.array(name), nothingFits: fc.boolean(), after: fc.nat(DAY_MS) }),
  ),
  /** How many rows before it the row is that it follows, by hints. */
  follows: fc.option(fc.integer({ min: 1, max: 4 }), { freq: 2 }),
  isHinted: fc.boolean(),
  tokens: fc.nat(1000),
});
type Row = typeof row extends fc.Arbitrary<infer T> ? T : never;

const batch = fc.array(row, { maxLength: 25 });
const window = fc.tuple(fc.nat(DAYS * DAY_MS), fc.nat(DAYS * DAY_MS)).map(([a, b]) => ({
  since: START + Math.min(a, b),
  until: START + Math.max(a, b) + 1,
  depths: [1, 2, 5],
}));

/** Entries of a row; no other run has their ids. @param followed the token that it follows */
function entriesOf(it: Row, id: string, followed: string | null = null): NewEntry[] {
  const created_at = START + it.at;
  const [agent_id, audit_token] = [`${it.agent}-id`, `audi_${id}`];
  const recall = recallEntry(
    record(0, {
      ...{ id: `audevent_${id}`, agent_id, audit_token, created_at, tokens: it.tokens, heartbeat_id: it.heartbeat },
      ...{
        follows: it.isWakeUp ? null : followed,
        request: JSON.stringify({ manifest_hint: it.isHinted ? it.loaded.slice(0, 2) : [] }),
      },
      ...{ kind: it.isWakeUp ? 'heartbeat' : 'recall', aborted: it.isWakeUp && it.isAborted },
      ...{ asked_by: it.isOwn ? `acme/agent/${it.agent}` : 'acme/human/jane', heartbeat_source: it.source },
      loaded_chunks: it.loaded.map((chunk, i) => ({ name: chunk, source: 'stigmem', rank: i + 1, version: 'v1' })),
    }),
    'full',
  );
  if (it.closed === null) return [recall];
  const { used: used_chunks, missed: missed_chunks, nothingFits: nothing_fits, after } = it.closed;
  const report = { used_chunks, missed_chunks, nothing_fits, closed_at: created_at + after };
  return [recall, closingEntry({ audit_token, agent_id, ...report })];
}

let made = 0;

/** Entries of rows of which some follow others, from a day before to a day after. */
function entriesOfAll(rows: readonly Row[]): NewEntry[] {
  const first = made + 1;
  made += rows.length;
  return rows.flatMap((it, i) => {
    const id = String(first + i);
    const before = it.follows === null ? undefined : rows[i - it.follows];
    if (it.follows === null || before === undefined) return entriesOf(it, id);
    const following = { ...it, agent: before.agent, at: Math.max(0, before.at + (it.at % (2 * DAY_MS)) - DAY_MS) };
    return entriesOf(following, id, `audi_${first + i - it.follows}`);
  });
}

/** How every store aggregates. */
export function sumsContract(name: string, place: () => Place): void {
  describe(`${name}: §21.5.3 sums`, () => {
    type Window = typeof window extends fc.Arbitrary<infer T> ? T : never;
    const all = (period: Window) => createDeploymentMetrics([measured('cto'), measured('ops')], period);
    const aggregated = async (source: Pick<AuditStore, 'days' | 'sums' | 'arrivals'>, period: Window) => {
      const sums = all(period);
      const read = await readBack(source, { agent: null, entities: ENTITIES, ...period }, sums, UNLIMITED);
      return { rows: read.rows, metrics: DeploymentMetrics.parse(sums.result()) };
    };
    const rowByRow = (period: Window) =>
      keeping(place(), 'read', async (ledger) => {
        const [rows, read] = [all(period), await ledger.answers({ agent: null, ...ALWAYS }, 0, 10_000)];
        addAnswers(rows, read, { ...period, entities: ENTITIES });
        const inPeriod = read.filter((it) => it.created_at >= period.since && it.created_at < period.until);
        return { rows: inPeriod.length, metrics: DeploymentMetrics.parse(rows.result()) };
      });

    test('sums of the database equal those computed row by row, also with late rows and closings, and from the cache', async () => {
      await writing(place(), 'w1', async (store) => {
        await fc.assert(
          fc.asyncProperty(batch, batch, window, async (first, later, period) => {
            for (const rows of [first, later]) {
              const entries = entriesOfAll(rows);
              // closings before their recalls, as an outage may bring them
              await store.append([...entries].reverse());
              const expected = await rowByRow(period);
              expect(await aggregated(store, period)).toEqual(expected);
              // from the cache
              expect(await aggregated(store, period)).toEqual(expected);
            }
          }),
          { numRuns: 15, endOnFailure: true },
        );
        const always = { ...ALWAYS, depths: [1, 3, 50] };
        const expected = await rowByRow(always);
        expect(expected.rows).toBeGreaterThan(50);
        const { first, choice, none } = expected.metrics.total.finds;
        expect([first, choice, none].every((it) => (it ?? 0) > 0)).toBe(true);
        expect(await aggregated(store, always)).toEqual(expected);
        await keeping(place(), 'read', async (ledger) => {
          expect(await aggregated(ledger, always)).toEqual(expected);
        });
      });
    });

    test('sums are not started if the caller has disconnected already', async () => {
      await writing(place(), 'w1', async (store) => {
        await store.append([recallEntry(record(1), 'full')]);
        const asked = { entities: { 'cto-id': 'acme/agent/cto' }, since: 0, until: START + DAY_MS };
        await expect(store.sums(asked, AbortSignal.abort())).rejects.toThrow();
        expect(await store.sums(asked, new AbortController().signal)).toMatchObject([{ rows: 1 }]);
      });
    });
  });
}

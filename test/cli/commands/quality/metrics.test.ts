import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { appendArrival } from '../../../../compiler/io/files/arrivals-spool.ts';
import type { AuditRecord } from '../../../../compiler/schema/audit/record.ts';
import { arrivalsPlace } from '../../../../compiler/world/arrivals-place.ts';
import { openAudit } from '../../../../server/audit/open.ts';
import { recallEntry } from '../../../../server/audit/records/entry.ts';
import { arrival } from '../../../server/audit/arrival-records.ts';
import { lineOf } from '../../../server/audit/queue/spooling.ts';
import { closing, record } from '../../../server/audit/records.ts';
import { unitFile } from '../../../support/repository.ts';
import { failure } from '../../failing.ts';
import { compiledWorkplace, TRUST, workplace, type Workplace } from '../../workplace.ts';

const CTO_ID = '8e0ed057-bcd8-4f8f-92ee-c046c55b64e9';
const MINUTE_MS = 60_000;

let place: Workplace;
let audit: string;
let count = 0;

beforeAll(async () => {
  place = await compiledWorkplace();
});

beforeEach(() => {
  audit = `audit-${(count += 1)}.db`;
});

const recalled = (i: number, over: Partial<AuditRecord> = {}) =>
  record(i, {
    ...{ agent_id: CTO_ID, asked_by: 'acme/agent/cto', heartbeat_id: `run_${i}`, heartbeat_source: 'caller' },
    ...{ created_at: Date.now() - MINUTE_MS, ...over },
  });

/** Recalls as a server records them; the first `misses` of them missed a unit, and all used one. */
async function writeRecalls(
  cwd: string,
  recalls: number,
  misses: number,
  over: Partial<AuditRecord> = {},
): Promise<void> {
  const log = await openAudit({ audit: join(cwd, audit), now: Date.now }, pino({ level: 'silent' }));
  for (let i = 0; i < recalls; i++) {
    await log.append(recalled(i, over));
    await log.close(closing(i, { missed_chunks: i < misses ? ['travel'] : [] }));
  }
  await log.end();
}

const metrics = (...args: string[]) => place.run(['metrics', ...TRUST, '--audit', audit, ...args]);

describe('§21.5.3 vade metrics alerts', () => {
  test('vade metrics alerts of a miss rate above 0.15 over a hundred events, and fails with --fail-on-alert', async () => {
    await writeRecalls(place.cwd, 100, 20);
    const ran = await metrics();
    expect([ran.code, ran.envelope().warnings.map((it) => it.code)]).toEqual([0, ['MISS_RATE_ALERT']]);
    expect(ran.envelope().data['total']).toMatchObject({ alert: true, miss_rate: 0.1667, events: 100 });
    const failed = await metrics('--fail-on-alert');
    expect(failure(failed)).toEqual([4, 'MISS_RATE_ALERT']);
    expect(failed.envelope().error.context).toMatchObject({ agents: [{ agent: 'cto', alert: true }] });
  });

  test('vade metrics does not alert of a lower miss rate, nor over fewer events', async () => {
    await writeRecalls(place.cwd, 100, 17);
    expect((await metrics('--fail-on-alert')).code).toBe(0);
    audit = 'fewer.db';
    await writeRecalls(place.cwd, 99, 99);
    expect((await metrics('--fail-on-alert')).code).toBe(0);
  });

  test('vade metrics alerts of a bypassed coverage gate that was not passed by its deadline (S10)', async () => {
    const late = workplace((repo) => {
      for (const name of ['deploy', 'release', 'rollout', 'ship']) {
        const file = unitFile(`How to ${name}`, ['done for today', 'hand over'], '', `Run ${name}.`);
        repo.write(`instructions/agents/cto/${name}.md`, file);
      }
    });
    const compiled = await late.run(['compile', '--dev', '--skip-coverage-gate']);
    expect(compiled.code, compiled.stdout).toBe(0);
    await writeRecalls(late.cwd, 1, 0);
    const run = (...args: string[]) => late.run(['metrics', '--dev', '--audit', audit, ...args]);
    const warned = await run();
    expect(warned.envelope().warnings.map((it) => it.code)).toEqual(['RECERTIFICATION_DUE']);
    const [agent] = warned.envelope().data['agents'] as { recertify: { overdue: boolean; units: string[] } }[];
    expect(agent?.recertify.overdue).toBe(true);
    expect(agent?.recertify.units).toContain('deploy');
    expect(failure(await run('--fail-on-alert'))).toEqual([4, 'MANIFEST_COVERAGE_FAILURE']);
  });
});

describe('§21.5.3 vade metrics reports what the figures leave out', () => {
  test('vade metrics warns of rows of agents that the bundle does not have', async () => {
    await writeRecalls(place.cwd, 2, 0, { agent_id: 'gone-id' });
    const { data, warnings } = (await metrics()).envelope();
    expect(data).toMatchObject({ strangers: [{ agent_id: 'gone-id', rows: 2 }], total: { recalls: 0 } });
    expect(warnings.map((it) => it.code)).toEqual(['AGENTS_UNKNOWN']);
  });

  test('vade metrics warns of rows that wait in the spool', async () => {
    await writeRecalls(place.cwd, 1, 0);
    mkdirSync(join(place.cwd, `${audit}.spool`), { recursive: true });
    const lines = [1, 2, 3].map((i) => lineOf(recallEntry(recalled(i), 'full'))).join('');
    writeFileSync(join(place.cwd, `${audit}.spool/w_1.00000001.jsonl`), lines);
    const { data, warnings } = (await metrics()).envelope();
    expect(data).toMatchObject({ spooled: 3, total: { recalls: 1 } });
    expect(warnings.map((it) => it.code)).toEqual(['AUDIT_SPOOLED']);
  });

  test('vade metrics reads all pages of an audit', async () => {
    const log = await openAudit({ audit: join(place.cwd, audit), now: Date.now }, pino({ level: 'silent' }));
    await Promise.all(Array.from({ length: 2100 }, (_, i) => log.append(recalled(i))));
    await log.end();
    expect((await metrics()).envelope().data['total']).toMatchObject({ recalls: 2100, excluded: { unclosed: 2100 } });
  });

  test('vade metrics takes what hooks gave here, and shows it beside what was asked', async () => {
    await writeRecalls(place.cwd, 1, 0);
    const given = { agent_id: CTO_ID, created_at: Date.now() - MINUTE_MS };
    const lines = [arrival(1, given), arrival(2, { ...given, pages: [], names: ['limits'], tokens: 0 }), 'torn'];
    for (const it of [...lines, { agent_id: CTO_ID, silent_at: Date.now() - MINUTE_MS }])
      expect(appendArrival(arrivalsPlace(place.cwd), JSON.stringify(it))).toBe(true);
    const { stderr, ...ran } = await metrics();
    const arrivals = { prompts: { pages: 1, names: 1, nothing: 1 }, pages: [{ name: 'wrap-up', times: 1 }] };
    expect(ran.envelope().data).toMatchObject({
      agents: [{ agent: 'cto', arrivals }],
      total: { recalls: 1, arrivals },
    });
    expect(stderr).toContain('arrivals of hooks: 1 lines were skipped');
    const { stdout } = await metrics('--format', 'text');
    expect(stdout).toContain('1 prompts with a page, 1 with names only, 1 with nothing, 33.3 tokens a prompt');
    expect(stdout).toContain('pages: wrap-up 1×');
  });

  test('vade metrics reports a missing audit as not found', async () => {
    expect(failure(await metrics())).toEqual([5, 'AUDIT_NOT_FOUND']);
  });
});

test('a name that an agent made up cannot control the terminal of vade metrics', async () => {
  const log = await openAudit({ audit: join(place.cwd, audit), now: Date.now }, pino({ level: 'silent' }));
  await log.append(recalled(1));
  await log.close(closing(1, { missed_chunks: ['\u001b[2Jgone\u202e'] }));
  await log.end();
  const { stdout } = await metrics('--format', 'text');
  expect(stdout).toContain('<U+001B>[2Jgone<U+202E> 1× (no such unit)');
});

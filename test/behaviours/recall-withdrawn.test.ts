import { join } from 'node:path';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { AgentMetrics } from '../../compiler/schema/api/metrics.ts';
import { RecallResponse } from '../../compiler/schema/api/recall.ts';
import type { Shadow } from '../../compiler/schema/report/shadow.ts';
import type { ProbeResult } from '../../compiler/schema/source/probe.ts';
import { openAudit } from '../../server/audit/open.ts';
import { closing, record } from '../server/audit/records.ts';
import { staffed } from '../support/staffed.ts';

test('DESIGN §7 recall, probe, metrics and shadow leave out a unit withdrawn after the compile', async () => {
  const probes = 'probes:\n  - {intent: "work is over, may I leave", required: [wrap-up]}\n';
  const place = staffed((repo) => repo.write('instructions/probes/cto.yaml', probes));
  expect((await place.compile()).code).toBe(0);
  const ask = async () => {
    const ran = await place.run([
      ...['recall', ...place.trust, '--agent', 'cto', '--intent', 'done for today', '--explain'],
    ]);
    return RecallResponse.parse(ran.envelope().data);
  };
  const { content } = (await ask()).chunks.find((it) => it.name === 'wrap-up') ?? expect.fail('it does not come');
  const failed = async () => {
    const ran = await place.run(['probe', ...place.trust]);
    const [cto] = ran.envelope().data['agents'] as { failed: ProbeResult[] }[];
    return cto?.failed.map((it) => it.required);
  };
  const missed = async () => {
    const ran = await place.run(['metrics', ...place.trust]);
    const [cto] = ran.envelope().data['agents'] as AgentMetrics[];
    return cto?.missed;
  };
  const shadowed = async () => {
    const ran = await place.run(['shadow', '--agent', 'cto', ...place.trust]);
    return ran.envelope().data['shadow'] as Shadow;
  };
  await missing(place.repo.path, 'wrap-up');
  expect(await failed()).toEqual([]);
  expect(await missed()).toEqual([{ name: 'wrap-up', times: 1, exists: true }]);
  const before = await shadowed();
  expect(before).toMatchObject({ missed: 1, unknown: [] });
  const order = ['--agent', 'cto', '--unit', 'wrap-up', '--reason', 'it tells to delete data', '--yes'];
  expect((await place.run(['withdraw', ...order, ...place.trust, '--key', place.ann.file])).code).toBe(0);
  const after = await ask();
  expect(after.chunks.map((it) => it.name)).not.toContain('wrap-up');
  expect(after.explain?.units.find((it) => it.name === 'wrap-up')).toMatchObject({ outcome: 'withdrawn', place: null });
  expect(JSON.stringify(after)).not.toContain(JSON.stringify(content).slice(1, -1));
  expect(await failed()).toEqual([[{ name: 'wrap-up', rank: null }]]);
  expect(await missed()).toEqual([{ name: 'wrap-up', times: 1, exists: false }]);
  const left = await shadowed();
  expect(left.unknown).toEqual(['wrap-up']);
  expect(left.tokens.everything).toBeLessThan(before.tokens.everything);
});

/** An audit in which the cto missed a unit. */
async function missing(cwd: string, unit: string): Promise<void> {
  const log = await openAudit({ audit: join(cwd, 'audit.db'), now: Date.now }, pino({ level: 'silent' }));
  const agent_id = '8e0ed057-bcd8-4f8f-92ee-c046c55b64e9';
  await log.append(record(1, { agent_id, asked_by: 'acme/agent/cto', created_at: Date.now() - 60_000 }));
  await log.close(closing(1, { missed_chunks: [unit], closed_at: Date.now() }));
  await log.end();
}

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { loadGarden, loadShared } from '../../../compiler/io/bundle/load-garden.ts';
import { openBundle } from '../../../compiler/io/bundle/open-bundle.ts';
import { openQueries } from '../../../compiler/io/models/encoder.ts';
import { recall } from '../../../compiler/recall/recall.ts';
import { RecallRequest } from '../../../compiler/schema/api/recall.ts';
import { digestOfTexts } from '../../../compiler/trust/canonical.ts';
import { openAudit } from '../../../server/audit/open.ts';
import { closing, record, START } from '../../server/audit/records.ts';
import { vade } from '../../support/cli.ts';
import { compileToFolder, testTrust, type TestTrust } from '../../support/compiled.ts';
import { tempFolder } from '../../support/folder.ts';
import { agentName, generate, phrase } from '../generate.ts';
import { report } from '../measure.ts';

const RECALLS = 10_000;
const AGENTS = 20;
const UNITS = 20;
const NOW = '2030-01-01T00:00:00Z';

/** Rows that a server would have kept of recalls with so many different intents; every second one is closed. */
async function audit(bundlePath: string, trust: TestTrust, intents: number, revision?: string): Promise<string> {
  const path = join(tempFolder(), 'audit.db');
  const bundle = openBundle(bundlePath, { pinned: trust.root, now: NOW });
  const queries = await openQueries(bundle.org.model, 'models');
  const shared = loadShared(bundle);
  const gardens = Array.from({ length: AGENTS }, (_, a) => loadGarden(bundle, agentName(a), shared));
  const log = await openAudit({ audit: path, now: () => START }, pino({ level: 'silent' }));
  const kept: Promise<void>[] = [];
  for (let i = 0; i < RECALLS; i++) {
    const garden = gardens[i % AGENTS]!;
    const request = RecallRequest.parse({ intent: phrase(`intent ${i % intents}`, 9) });
    const { intent, ...rest } = request;
    const now = new Date(START + i * 1000).toISOString();
    const query = await queries(intent, garden.recall.index);
    const answer = recall(garden.recall, request, { now, query, explain: false });
    const said = record(i, {
      ...{ agent_id: garden.predicate.agent?.agent_id ?? '', intent, request: JSON.stringify(rest), now },
      loaded_chunks: answer.chunks.map(({ name, source, version }, c) => ({ name, source, rank: c + 1, version })),
      candidates: (answer.candidates ?? []).map(({ name }) => name),
      ...{ answer_digest: digestOfTexts(answer.content_digests), left_out: [...answer.left_out] },
      ...{ tokens: answer.total_tokens, bundle_revision: revision ?? bundle.revision },
    });
    kept.push(log.append(said));
    const used_chunks = answer.chunks.slice(0, 1).map(({ name }) => name);
    const { agent_id } = said;
    if (i % 2 === 0) kept.push(log.close(closing(i, { agent_id, used_chunks, missed_chunks: ['unit-001'] })));
  }
  await Promise.all(kept);
  await log.end();
  return path;
}

test('10,000 audited recalls are replayed at 2,000 a second or more, start and reading the audit included', async () => {
  const repo = tempFolder();
  generate(repo, { agents: AGENTS, units: UNITS, commits: 0, touched: 0 });
  const trust = testTrust({ deployment: 'bench' });
  const { out } = await compileToFolder(repo, { trust });
  const cwd = tempFolder();
  writeFileSync(join(cwd, 'root.json'), trust.root.envelope);
  for (const [intents, revision] of [[500], [RECALLS], [RECALLS, 'another bundle']] as const) {
    const path = await audit(out, trust, intents, revision);
    const times: number[] = [];
    for (let round = 0; round < 3; round++) {
      const start = performance.now();
      const ran = await vade(['replay', '--trust', 'root.json', '--bundle', out, '--audit', path], cwd);
      times.push(performance.now() - start);
      expect(ran.code, ran.stdout).toBe(0);
      expect(ran.envelope().data).toMatchObject({ total: { replayed: RECALLS, identical: RECALLS }, not_replayed: {} });
    }
    const rate = RECALLS / (Math.min(...times) / 1000);
    const what = `${RECALLS} recalls, ${intents} intents, ${revision ?? 'the same bundle'}: vade replay`;
    report(what, `${rate.toFixed(0)} a second`, '≥ 2,000 a second');
    expect(rate).toBeGreaterThanOrEqual(2000);
  }
});

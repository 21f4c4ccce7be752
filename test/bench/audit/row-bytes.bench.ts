import { statSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeAll, expect, test } from 'vitest';
import { loadGarden, loadShared } from '../../../compiler/io/bundle/load-garden.ts';
import { openBundle } from '../../../compiler/io/bundle/open-bundle.ts';
import { recall } from '../../../compiler/recall/recall.ts';
import { RecallRequest } from '../../../compiler/schema/api/recall.ts';
import { digestOfTexts } from '../../../compiler/trust/canonical.ts';
import { createSpoolSeal, lineOf } from '../../../server/audit/queue/spool-file.ts';
import { closingEntry, generatedHeartbeat, recallEntry } from '../../../server/audit/records/entry.ts';
import type { AuditStore, NewEntry } from '../../../server/audit/records/store.ts';
import { openSqliteStore } from '../../../server/audit/sqlite/store.ts';
import { auditTokens } from '../../../server/auth/audit-token.ts';
import { options } from '../../server/audit/harness.ts';
import { query } from '../../server/audit/postgres-place.ts';
import { closing, record, START } from '../../server/audit/records.ts';
import { compileToFolder, testTrust } from '../../support/compiled.ts';
import { tempFolder } from '../../support/folder.ts';
import { describePostgres } from '../../support/postgres-programs.ts';
import { startCluster } from '../../support/postgres.ts';
import { agentName, generate, phrase } from '../generate.ts';
import { report } from '../measure.ts';

const AGENTS = 20;
const RECALLS = 12_000;
const NOW = '2030-01-01T00:00:00Z';
const CHARACTERS = 60;

/** Three recalls of three units to one closing, as a server answers them. */
async function answered(): Promise<NewEntry[]> {
  const repo = tempFolder();
  generate(repo, { agents: AGENTS, units: 12, commits: 0, touched: 0 });
  const trust = testTrust({ deployment: 'bench' });
  const { out } = await compileToFolder(repo, { trust });
  const bundle = openBundle(out, { pinned: trust.root, now: NOW });
  const shared = loadShared(bundle);
  const gardens = Array.from({ length: AGENTS }, (_, a) => loadGarden(bundle, agentName(a), shared));
  const tokens = auditTokens([Buffer.alloc(32, 1)]);
  return Array.from({ length: RECALLS }, (_, i): NewEntry[] => {
    const audit_token = tokens.issue(gardens[i % AGENTS]?.predicate.agent?.agent_id ?? '', START + i * 100);
    const garden = gardens[i % AGENTS]!;
    const request = RecallRequest.parse({ intent: phrase(`intent ${i}`, 12).slice(0, CHARACTERS) });
    const { intent, files, ...rest } = request;
    const answer = recall(garden.recall, request, { now: NOW, query: null, explain: false });
    const at = START + i * 100;
    const agent_id = garden.predicate.agent?.agent_id ?? '';
    const said = record(0, {
      ...{ agent_id, asked_by: `acme/agent/${agentName(i % AGENTS)}` },
      ...{
        heartbeat_id: generatedHeartbeat(audit_token),
        session_start: at,
        created_at: at,
        now: new Date(at).toISOString(),
      },
      ...{
        intent,
        files,
        request: JSON.stringify({ ...rest, follows: undefined }),
        candidates: [],
        left_out: [...answer.left_out],
      },
      loaded_chunks: answer.chunks.map(({ name, source, version }, c) => ({ name, source, rank: c + 1, version })),
      ...{
        answer_digest: digestOfTexts(answer.content_digests),
        tokens: answer.total_tokens,
        warnings: answer.warnings,
      },
      ...{ audit_token, bundle_revision: bundle.revision },
    });
    const used_chunks = answer.chunks.slice(0, 1).map(({ name }) => name);
    const closed = closing(0, { audit_token, agent_id, used_chunks, missed_chunks: [], closed_at: at + 50 });
    return [recallEntry(said, 'full'), ...(i % 3 === 2 ? [closingEntry(closed)] : [])];
  }).flat();
}

async function stored(store: AuditStore, entries: readonly NewEntry[]): Promise<void> {
  for (let at = 0; at < entries.length; at += 100) await store.append(entries.slice(at, at + 100));
  await store.end();
}

let entries: NewEntry[] = [];
let of: (bytes: number) => number;
beforeAll(async () => {
  entries = await answered();
  of = (bytes) => Math.round(bytes / entries.length);
});

test('the spool has at most 900 bytes a row', () => {
  const seal = createSpoolSeal([Buffer.alloc(32, 1)]);
  const bytes = of(entries.reduce((all, it) => all + lineOf(it, seal).length, 0));
  report('spool', `${bytes} bytes a row`, '≤ 900');
  expect(bytes).toBeLessThanOrEqual(900);
});

test('SQLite takes at most 850 bytes a row', async () => {
  const path = join(tempFolder(), 'audit.db');
  await stored(await openSqliteStore(path, options('w_01ARZ3NDEKTSV4RRFFQ69G5FAV')), entries);
  const db = new Database(path);
  db.pragma('wal_checkpoint(TRUNCATE)');
  const parts = db.prepare('SELECT name, SUM(pgsize) AS bytes FROM dbstat GROUP BY 1 ORDER BY 2 DESC LIMIT 16').all();
  for (const { name, bytes } of parts as { name: string; bytes: number }[])
    process.stdout.write(`    ${name} ${of(bytes)}\n`);
  db.close();
  const bytes = of(statSync(path).size);
  report('SQLite', `${bytes} bytes a row`, '≤ 850');
  expect(bytes).toBeLessThanOrEqual(850);
});

describePostgres('PostgreSQL', () => {
  test('takes at most 1,000 bytes a row', async () => {
    const { openPostgresStore } = await import('../../../server/audit/postgres/store.ts');
    const cluster = await startCluster();
    const url = await cluster.database();
    await stored(await openPostgresStore(url, options('w_01ARZ3NDEKTSV4RRFFQ69G5FAV')), entries);
    for (const it of ['VACUUM', 'CHECKPOINT']) await query(cluster.asAdmin(url), it);
    const sizes = await query(
      url,
      `SELECT c.relname AS name, pg_relation_size(c.oid)::bigint AS bytes, pg_total_relation_size(c.oid)::bigint AS total, relkind
       FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace WHERE nspname = 'public' AND relkind IN ('r', 'i') ORDER BY 2 DESC`,
    );
    for (const it of sizes.slice(0, 16)) process.stdout.write(`    ${String(it['name'])} ${of(Number(it['bytes']))}\n`);
    const bytes = of(sizes.reduce((all, it) => all + (it['relkind'] === 'r' ? Number(it['total']) : 0), 0));
    report('PostgreSQL', `${bytes} bytes a row`, '≤ 1,000');
    expect(bytes).toBeLessThanOrEqual(1000);
  });
});

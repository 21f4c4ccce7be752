import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { TARGETS } from '../../../compiler/export/exported-agent.ts';
import { sha256, canonicalJson } from '../../../compiler/trust/canonical.ts';
import { verifyAudit } from '../../../server/audit/maintenance.ts';
import { OPERATIONS } from '../../../server/http/operations.ts';
import type { HostOperation, Operation } from '../../../server/operations/operation.ts';
import { STORE_OPERATIONS } from '../../../server/operations/tables/store-operations.ts';
import { capsuleOf, STATE, type Json } from '../../continuity/capsules.ts';
import { vade } from '../../support/cli.ts';
import { tempFolder } from '../../support/folder.ts';
import { capsuleCalls } from '../audit-file.ts';
import { compiledPeers, CTO_ID } from '../deployment.ts';
import { httpClient } from '../doors.ts';
import { serving, type Serving } from './serving.ts';

const NOW = Date.parse('2026-11-23T12:00:00Z');
/** A sentence that nobody else writes. */
const CANARY = 'the heron waits behind the green boathouse';
const SUBJECT = { subject_kind: 'thread', subject_id: 'canary' };
const CAPSULE = {
  ...capsuleOf(
    { subject_id: 'canary', metadata: { note: CANARY } },
    { ...STATE, stance_summary: CANARY, open_loops: [CANARY] },
  ),
  thread_descriptor: { label: CANARY, keywords: ['heron'] },
};

let server: Serving;

/** Where an agent says something else in its own words, under the same sentence. */
const ELSEWHERE: [path: string, json: Json][] = [
  ['coordination/handoff/create', { ...SUBJECT, recipient_peer: 'cto2', note: CANARY }],
  ['coordination/shared/create', { title: CANARY, participant_peers: ['cto2'], constraints: [CANARY] }],
  [
    'coordination/reconciliation/open',
    { title: CANARY, summary: CANARY, classification: 'contradictory', trigger: 'shared_vs_shared' },
  ],
  [
    'schedule/items',
    { kind: 'task_nudge', title: CANARY, note: CANARY, due_at: '2026-11-23T12:00:01Z', thread_id: 'canary' },
  ],
];

beforeAll(async () => {
  server = await serving(undefined, { now: () => NOW });
  expect((await server.post('cto', 'upsert', { ...SUBJECT, capsule: CAPSULE })).status).toBe(201);
  for (const [path, json] of ELSEWHERE)
    expect((await server.ask('cto', 'POST', `/v1/${path}`, { json })).status).toBe(201);
});

/** Every route that answers something else than what an agent keeps; a new one is tried too. */
const OTHERS = Object.entries<Operation | HostOperation>(OPERATIONS)
  .filter(([id, { method }]) => method === 'get' && !(id in STORE_OPERATIONS))
  .map(([, { path }]) => path.replace('{agent_id}', CTO_ID).replace(/\{\w+\}/, 'x'));

describe('a sentence in a capsule, a handoff, a shared artefact, a disagreement, a schedule', () => {
  test('comes back to its agent alone, as what an agent wrote', async () => {
    const answer = await server.post('cto', 'read', { ...SUBJECT, view: 'startup' });
    expect(answer.json()).toMatchObject({ content_kind: 'agent_authored', source_state: 'active' });
    expect(answer.text).toContain(CANARY);
    for (const who of ['cto2', 'ct', 'admin'] as const) {
      const other = await server.post(who, 'read', SUBJECT);
      expect([other.status, other.code]).toEqual([404, 'capsule_not_found']);
      expect((await server.post(who, 'list', {})).json()).toMatchObject({ count: 0 });
    }
  });

  test.each([...OTHERS, `/v1/agents/${CTO_ID}/boot-stub?profile=openai-assistants`])(
    'GET %s does not have it',
    async (path) => {
      for (const who of ['admin', 'cto', 'scraper'] as const)
        expect((await server.ask(who, 'GET', path)).text).not.toContain('heron');
    },
  );

  test('no recall returns it, whatever it asks for, and no explanation of one', async () => {
    for (const intent of [CANARY, 'canary', 'what is open?', 'done for today']) {
      const body = JSON.stringify({ intent });
      const headers = { 'content-type': 'application/json' };
      const answer = await server.ask('cto', 'POST', `/v1/agents/${CTO_ID}/recall-instruction?explain=true`, {
        ...{ body, headers },
      });
      expect(answer.status).toBe(200);
      expect(answer.text).not.toContain('heron');
    }
  });

  test('no resource, no prompt and no tool of MCP has it, but those that read a store', async () => {
    const client = await httpClient(server, 'cto');
    const { resources } = await client.listResources();
    const read = await Promise.all(resources.map(({ uri }) => client.readResource({ uri })));
    const told = [resources, read, await client.listTools(), await client.getPrompt({ name: 'boot_stub' })];
    expect(read.length).toBeGreaterThan(10);
    expect(JSON.stringify(told)).not.toContain('heron');
    await client.close();
  });

  test('no byte of the bundle, of an export of it or of a line of the log has it', async () => {
    const out = tempFolder();
    const root = join(tempFolder(), 'root.json');
    writeFileSync(root, (await compiledPeers()).trust.root.envelope);
    for (const target of TARGETS) {
      const to = ['--target', target, '--out', join(out, target), '--agent', 'cto'];
      const ran = await vade(['export', '--bundle', server.bundle, '--trust', root, ...to], out);
      expect(ran.code, ran.stderr).toBe(0);
    }
    for (const folder of [server.bundle, out]) {
      const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((it) => it.isFile());
      expect(files.length).toBeGreaterThan(0);
      const having = files.filter((it) => readFileSync(join(it.parentPath, it.name)).includes('heron'));
      expect(having.map((it) => it.name)).toEqual([]);
    }
    expect(JSON.stringify(server.log)).not.toContain('heron');
  });
});

describe('the audit', () => {
  const rows = () => capsuleCalls(server.audit);

  test('has a row of every call with digests alone, of refusals too', async () => {
    const request = { ...SUBJECT, subject_id: 'nobody' };
    await server.post('cto', 'read', request);
    const upserted = await vi.waitFor(() => {
      const found = rows();
      expect(found.some((it) => it['refusal'] === 'capsule_not_found' && it['agent_id'] === CTO_ID)).toBe(true);
      return found.find((it) => it['operation'] === 'upsertCapsule');
    });
    expect(upserted).toMatchObject({ agent_id: CTO_ID, asked_by: 'acme/agent/cto', refusal: null });
    expect(upserted?.['subject_digest']).toBe(sha256(canonicalJson([CTO_ID, 'thread', 'canary'])));
    expect(upserted?.['commit']).toMatch(/^[0-9a-f]{40}$/);
    const refused = rows().find((it) => it['refusal'] === 'capsule_not_found' && it['agent_id'] === CTO_ID);
    expect(refused).toMatchObject({
      request_digest: sha256(canonicalJson(request)),
      answer_digest: null,
      commit: null,
    });
    expect(JSON.stringify(rows())).not.toContain('heron');
  });

  test('verifies with them', async () => {
    const { entries } = await verifyAudit({ audit: server.audit, state: server.audit }, { pinned: null });
    expect(entries).toBeGreaterThan(rows().length);
  });
});

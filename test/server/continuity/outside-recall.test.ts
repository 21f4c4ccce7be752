import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { sha256, canonicalJson } from '../../../compiler/trust/canonical.ts';
import { verifyAudit } from '../../../server/audit/maintenance.ts';
import { capsuleOf, STATE } from '../../continuity/capsules.ts';
import { CTO_ID } from '../deployment.ts';
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

beforeAll(async () => {
  server = await serving(undefined, { now: () => NOW });
  expect((await server.post('cto', 'upsert', { ...SUBJECT, capsule: CAPSULE })).status).toBe(201);
});

describe('a sentence in a capsule', () => {
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

  test.each([
    ['GET', `/v1/agents/${CTO_ID}/boot-stub`],
    ['GET', `/v1/agents/${CTO_ID}/manifest`],
    ['GET', `/v1/agents/${CTO_ID}/manifest/coverage`],
    ['GET', '/openapi.json'],
    ['GET', '/metrics'],
    ['GET', '/v1/report'],
    ['GET', `/v1/agents/${CTO_ID}/report`],
    ['GET', `/v1/agents/${CTO_ID}/audit`],
  ])('%s %s does not have it', async (method, path) => {
    const answer = await server.ask('admin', method, path);
    expect(answer.text).not.toContain('heron');
  });

  test('no recall returns it, whatever it asks for', async () => {
    for (const intent of [CANARY, 'canary', 'what is open?', 'done for today']) {
      const answer = await server.recall('cto', CTO_ID, { intent });
      expect(answer.status).toBe(200);
      expect(answer.text).not.toContain('heron');
    }
  });

  test('no byte of the bundle and no line of the log has it', () => {
    const files = readdirSync(server.bundle, { recursive: true, withFileTypes: true }).filter((it) => it.isFile());
    for (const it of files) expect(readFileSync(join(it.parentPath, it.name)).includes('heron')).toBe(false);
    expect(JSON.stringify(server.log)).not.toContain('heron');
  });
});

describe('the page of an administrator', () => {
  test('lists an agent’s capsules, and shows what a start would, as what an agent wrote', async () => {
    const path = `/v1/agents/cto/capsules?subject_kind=thread&subject_id=canary`;
    const answer = await server.ask('admin', 'GET', path);
    expect(answer.json()).toMatchObject({
      content_kind: 'agent_authored',
      capsules: [{ subject_id: 'canary', label: CANARY, state: 'active' }],
      startup: { source_state: 'active' },
    });
    expect(JSON.stringify(answer.json()['startup'])).toContain(CANARY);
    for (const who of ['cto', 'cto2'] as const)
      expect((await server.ask(who, 'GET', path)).code).toBe('instruction_scope_denied');
  });
});

describe('the audit', () => {
  const rows = () => {
    const db = new Database(server.audit, { readonly: true });
    const bodies = db.prepare("SELECT body FROM entries WHERE type = 'capsule' ORDER BY seq").pluck().all() as string[];
    db.close();
    return bodies.map((it) => JSON.parse(it) as Record<string, unknown>);
  };

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

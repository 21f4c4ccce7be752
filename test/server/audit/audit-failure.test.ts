import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { newKey } from '../../../compiler/trust/keys.ts';
import { writeKeyFile } from '../../../compiler/world/key-file.ts';
import { serve, vade } from '../../support/cli.ts';
import { tempFolder } from '../../support/folder.ts';
import { rowOf, rows, settled, storedRows } from '../audit-file.ts';
import { compiledPeers } from '../deployment.ts';
import { running } from '../running.ts';

/** Locks the audit file, as a backup or an operator's session may. */
function lock(file: string): () => void {
  const db = new Database(file);
  db.exec('BEGIN EXCLUSIVE');
  return () => {
    db.exec('ROLLBACK');
    db.close();
  };
}

/** A server with a spool of size 0, as on a full disk. */
const unspooled = async () => running({ ...(await compiledPeers()), spoolBytes: 0 });

describe('§21.3.4 a locked audit file', () => {
  test('a locked audit file does not block answers: the row waits in the spool, and is stored after the lock', async () => {
    const server = await running(await compiledPeers());
    const before = (await server.recall('cto', 'cto', { intent: 'hand over my secret' })).json();
    await settled(server.audit);
    const unlock = lock(server.audit);
    const answer = await server.recall('cto', 'cto', { intent: 'hand over my secret' });
    expect({ ...answer.json(), audit_token: null }).toEqual({ ...before, audit_token: null });
    await expect.poll(() => server.log.filter((it) => it['level'] === 50)).toHaveLength(1);
    expect(storedRows(server.audit, 'recalls')).toHaveLength(1);
    unlock();
    expect(await rows(server.audit, 'recalls')).toHaveLength(2);
    expect((await rowOf(server.audit, 'recalls', answer.json()['audit_token']))['intent']).toBe('hand over my secret');
    expect(server.log.filter((it) => it['level'] === 50)).toHaveLength(1);
    expect(JSON.stringify(server.log)).not.toContain('my secret');
  });

  test('after a lock, rows are stored in order: new rows behind the rows that waited', async () => {
    const server = await running(await compiledPeers());
    const unlock = lock(server.audit);
    const intents = Array.from({ length: 30 }, (_, i) => `intent ${i}`);
    for (const intent of intents.slice(0, 20)) await server.recall('cto', 'cto', { intent });
    unlock();
    for (const intent of intents.slice(20)) await server.recall('cto', 'cto', { intent });
    expect(await rows(server.audit, 'recalls')).toHaveLength(30);
    expect((await rows(server.audit, 'recalls')).map((it) => it['intent'])).toEqual(intents);
  });

  test('a recall can be closed while its own row still waits in the spool (§21.5.2)', async () => {
    const server = await running(await compiledPeers());
    const unlock = lock(server.audit);
    const { audit_token } = (await server.recall('cto', 'cto', { intent: 'hand over' })).json();
    const json = { audit_token, used_chunks: ['wrap-up'] };
    expect((await server.ask('cto', 'POST', '/v1/instruction/audit', { json })).status).toBe(204);
    unlock();
    const entry = await rowOf(server.audit, 'instruction_audit', audit_token);
    expect(entry['used_chunks']).toBe('["wrap-up"]');
  });

  test('a server that is stopped during a lock leaves its rows to the next one', async () => {
    const peers = await compiledPeers();
    const first = await running(peers);
    const unlock = lock(first.audit);
    const { audit_token } = (await first.recall('cto', 'cto', { intent: 'hand over' })).json();
    await first.close();
    unlock();
    const second = await running({ ...peers, audit: first.audit });
    expect((await rowOf(second.audit, 'recalls', audit_token))['intent']).toBe('hand over');
  });
});

describe('§21.3.4 an audit whose store and spool both fail', () => {
  test('a recall whose row cannot be stored or spooled is answered with the warning audit_write_failed; the failure is logged', async () => {
    const server = await unspooled();
    const before = (await server.recall('cto', 'cto', { intent: 'hand over my secret' })).json();
    const unlock = lock(server.audit);
    const answer = await server.recall('cto', 'cto', { intent: 'hand over my secret' });
    unlock();
    expect(answer.status).toBe(200);
    const { warnings, ...rest } = answer.json();
    expect(warnings).toEqual(['audit_write_failed']);
    expect({ ...rest, audit_token: null, warnings: [] }).toEqual({ ...before, audit_token: null });
    const logged = server.log.filter((it) => it['msg'] === 'audit_write_failed');
    expect(logged).toHaveLength(1);
    expect(JSON.stringify(server.log)).not.toContain('my secret');
  });

  test('rows are stored again as soon as the audit is writable again', async () => {
    const server = await unspooled();
    const unlock = lock(server.audit);
    await server.recall('cto', 'cto', { intent: 'hand over' });
    unlock();
    const answer = await server.recall('cto', 'cto', { intent: 'hand over' });
    expect(answer.json()['warnings']).toEqual([]);
    expect((await rowOf(server.audit, 'recalls', answer.json()['audit_token']))['intent']).toBe('hand over');
  });

  test('a closing that cannot be stored or spooled gets a 5xx status, not 204, and can be sent again', async () => {
    const server = await unspooled();
    const { audit_token } = (await server.recall('cto', 'cto', { intent: 'hand over' })).json();
    const close = () => server.ask('cto', 'POST', '/v1/instruction/audit', { json: { audit_token } });
    const unlock = lock(server.audit);
    expect((await close()).status).toBeGreaterThanOrEqual(500);
    unlock();
    expect((await close()).status).toBe(204);
    expect((await rows(server.audit, 'closings')).map((it) => it['audit_token'])).toEqual([audit_token]);
  });
});

describe('issue 2: a server that is killed', () => {
  test('a server that is killed loses no recall that it has answered', async () => {
    const { bundle, trust } = await compiledPeers();
    const folder = tempFolder();
    const { key, record } = newKey({ kind: 'agent', agent: 'cto' }, '', '2026-01-01T00:00:00Z', Buffer.alloc(40, 7));
    writeKeyFile(join(folder, 'keys.json'), [record]);
    writeFileSync(join(folder, 'root.json'), trust.root.envelope);
    const acknowledged: string[] = [];
    for (const answered of [1, 40, 150]) {
      const server = await serve(['--bundle', bundle, '--trust', 'root.json'], folder);
      const enough = acknowledged.length + answered;
      const client = async () => {
        for (;;) {
          const token = await tokenFrom(server.url, key).catch(() => null);
          if (token === null) return;
          acknowledged.push(token);
          if (acknowledged.length >= enough) void server.stop('SIGKILL');
        }
      };
      await Promise.all(Array.from({ length: 8 }, client));
      await server.stop('SIGKILL');
    }
    // the next server stores what the last one had spooled
    const server = await serve(['--bundle', bundle, '--trust', 'root.json'], folder);
    await server.stop();
    const stored = new Set((await rows(join(folder, 'audit.db'), 'recalls')).map((it) => it['audit_token']));
    expect(acknowledged.filter((token) => !stored.has(token))).toEqual([]);
    expect(acknowledged.length).toBeGreaterThanOrEqual(1 + 40 + 150);
    const verified = await vade(['audit', 'verify'], folder);
    expect(verified.envelope()).toMatchObject({ ok: true, data: { unsigned: 0 } });
  });
});

/** The audit token of one answered recall. */
async function tokenFrom(url: string, key: string): Promise<string> {
  const response = await fetch(`${url}/v1/agents/cto/recall-instruction`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ intent: 'hand over' }),
  });
  const { audit_token } = (await response.json()) as { audit_token: string };
  return audit_token;
}

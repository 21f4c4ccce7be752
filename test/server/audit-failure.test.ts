import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { writeKeyFile } from '../../compiler/cli/keyfile.ts';
import { newKey } from '../../compiler/trust/key.ts';
import { serve } from '../support/cli.ts';
import { tempFolder } from '../support/folder.ts';
import { rows } from './auditfile.ts';
import { compiledPeers } from './deployment.ts';
import { running } from './running.ts';

describe('§21.3.4 an audit that cannot be written', () => {
  test('never blocks the answer, which warns audit_write_failed; it is logged', async () => {
    const server = await running(await compiledPeers());
    const before = (await server.recall('cto', 'cto', { intent: 'hand over my secret' })).json();
    const db = new Database(server.audit);
    db.exec('BEGIN EXCLUSIVE');
    const answer = await server.recall('cto', 'cto', { intent: 'hand over my secret' });
    db.exec('ROLLBACK');
    db.close();
    expect(answer.status).toBe(200);
    const { warnings, ...rest } = answer.json();
    expect(warnings).toEqual(['audit_write_failed']);
    expect({ ...rest, audit_token: null, warnings: [] }).toEqual({ ...before, audit_token: null });
    const logged = server.log.filter((it) => it['msg'] === 'audit_write_failed');
    expect(logged).toHaveLength(1);
    expect(JSON.stringify(server.log)).not.toContain('my secret');
    expect(rows(server.audit, 'recalls')).toHaveLength(1);
  });

  test('is written again as soon as it can be', async () => {
    const server = await running(await compiledPeers());
    const db = new Database(server.audit);
    db.exec('BEGIN EXCLUSIVE');
    await server.recall('cto', 'cto', { intent: 'hand over' });
    db.exec('ROLLBACK');
    db.close();
    const answer = await server.recall('cto', 'cto', { intent: 'hand over' });
    expect(answer.json()['warnings']).toEqual([]);
    expect(rows(server.audit, 'recalls').map((it) => it['audit_token'])).toEqual([answer.json()['audit_token']]);
  });

  test('loses no closing either: what could not be written is no 204, and can be sent again', async () => {
    const server = await running(await compiledPeers());
    const { audit_token } = (await server.recall('cto', 'cto', { intent: 'hand over' })).json();
    const close = () => server.ask('cto', 'POST', '/v1/instruction/audit', { json: { audit_token } });
    const db = new Database(server.audit);
    db.exec('BEGIN EXCLUSIVE');
    expect((await close()).status).toBeGreaterThanOrEqual(500);
    db.exec('ROLLBACK');
    db.close();
    expect((await close()).status).toBe(204);
    expect(rows(server.audit, 'closings').map((it) => it['audit_token'])).toEqual([audit_token]);
  });

  test('and a reader beside the server disturbs nothing', async () => {
    const server = await running(await compiledPeers());
    const db = new Database(server.audit, { readonly: true });
    db.exec('BEGIN');
    db.prepare('SELECT * FROM recalls').all();
    const answer = await server.recall('cto', 'cto', { intent: 'hand over' });
    db.close();
    expect(answer.json()['warnings']).toEqual([]);
  });
});

describe('issue 2: a server that is killed', () => {
  test('loses no recall that it has answered', async () => {
    const { bundle, trust } = await compiledPeers();
    const folder = tempFolder();
    const { key, record } = newKey({ kind: 'agent', agent: 'cto' }, '', '2026-01-01T00:00:00Z', Buffer.alloc(40, 7));
    writeKeyFile(join(folder, 'keys.json'), [record]);
    writeFileSync(join(folder, 'root.json'), trust.root.envelope);
    const acknowledged: string[] = [];
    for (const answered of [1, 7, 40, 150]) {
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
    const kept = new Set(rows(join(folder, 'audit.db'), 'recalls').map((it) => it['audit_token']));
    expect(acknowledged.filter((token) => !kept.has(token))).toEqual([]);
    expect(acknowledged.length).toBeGreaterThanOrEqual(1 + 7 + 40 + 150);
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

import { join } from 'node:path';
import { beforeAll, expect, test, vi } from 'vitest';
import type { HttpOptions } from '../../server/http/http-options.ts';
import { query } from '../server/audit/postgres-place.ts';
import { compiledPeers, type CompiledPeers } from '../server/deployment.ts';
import { running } from '../server/running.ts';
import { tempFolder } from '../support/folder.ts';
import type { Databases } from '../support/postgres-cluster.ts';
import { describePostgres } from '../support/postgres-programs.ts';
import { sharedCluster } from '../support/postgres.ts';

/** Bodies as they go over the wire, and the intent that is kept of each. */
const INTENTS: readonly [what: string, body: Buffer, kept: string][] = [
  ['NUL', Buffer.from('{"intent":"hand\\u0000over"}'), 'hand\0over'],
  ['nothing but NUL', Buffer.from('{"intent":"\\u0000\\u0000x"}'), '\0\0x'],
  ['half a pair', Buffer.from('{"intent":"hand \\ud800 over"}'), 'hand \ufffd over'],
  ['two halves in the wrong order', Buffer.from('{"intent":"\\udc00\\ud800 over"}'), '\ufffd\ufffd over'],
  ['a text that looks like an escape', Buffer.from('{"intent":"\\\\u0000 \\\\ud800"}'), '\\u0000 \\ud800'],
];

let cluster: Databases;
let peers: CompiledPeers;

describePostgres('intents that a text column cannot store as they are', () => {
  beforeAll(async () => {
    cluster = await sharedCluster();
    peers = await compiledPeers();
  });

  test.each(['SQLite', 'PostgreSQL'])(
    '%s stores and lists intents with NUL and invalid Unicode, and loses none',
    async (store) => {
      const audit = store === 'SQLite' ? join(tempFolder(), 'audit.db') : await cluster.database();
      const http: HttpOptions & { readonly state: string } = { state: join(tempFolder(), 'audit') };
      const server = await running({ ...peers, audit, auditKey: 'a key that is long enough', http });
      for (const [what, body] of INTENTS) {
        const answer = await server.ask('cto', 'POST', '/v1/agents/cto/recall-instruction', {
          body,
          headers: { 'content-type': 'application/json' },
        });
        expect([what, answer.status, answer.json()['warnings']]).toEqual([
          what,
          200,
          expect.not.arrayContaining(['audit_write_failed']),
        ]);
      }
      await vi.waitFor(
        async () => {
          const listed = await server.ask('admin', 'GET', '/v1/agents/cto/audit');
          const { entries } = listed.json() as { entries: { intent: string }[] };
          expect(entries.map((it) => it.intent).sort()).toEqual(INTENTS.map(([, , kept]) => kept).sort());
        },
        { timeout: 30_000, interval: 50 },
      );
      const metrics = await server.ask('admin', 'GET', '/metrics');
      expect(metrics.text).toMatch(/^vade_audit_lost_rows_total 0$/m);
      if (store === 'SQLite') return;
      const shown = await query(audit, 'SELECT intent, loaded_chunks::json AS chunks FROM instruction_audit');
      expect(shown).toHaveLength(INTENTS.length);
    },
  );
});

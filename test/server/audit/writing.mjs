import { openSync, writeSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { pino } from 'pino';
import { openAudit } from '../../../dist/server/audit/open.js';

/**
 * A process that appends to an audit, 16 at a time, and writes each id to a file once it is acknowledged; an id with
 * `!` before it was refused. It ends after `count`, or when it is killed.
 */
const [audit, name, count, from, results] = process.argv.slice(2);
const out = openSync(results, 'a');
const log = await openAudit({ audit, now: Date.now, spoolBytes: 8 * 1024 * 1024 }, pino({ level: 'silent' }));
let next = 0;

const record = (id) => ({
  kind: 'recall',
  agent_id: 'cto-id',
  asked_by: 'acme/agent/cto',
  heartbeat_id: 'hb_1',
  heartbeat_source: 'generated',
  session_start: Number(from),
  wake_reason: null,
  files: [],
  intent: `what ${id} is about: ${'x'.repeat(200)}`,
  request: '{"max_chunks":3}',
  loaded_chunks: [{ name: 'wrap-up', source: 'stigmem', rank: 1, version: 'v2' }],
  answer_digest: 'a'.repeat(64),
  left_out: [],
  tokens: 30,
  warnings: [],
  candidates: [],
  follows: null,
  aborted: false,
  bundle_revision: '7-abc',
  now: '2026-01-01T00:00:00.000Z',
  audit_token: `audi_${id}`,
  created_at: Number(from),
});

async function client() {
  while (next < Number(count)) {
    const id = `${name}-${(next += 1)}`;
    const refused = await log.append(record(id)).then(
      () => '',
      () => '!',
    );
    writeSync(out, `${refused}${id}\n`);
    await setTimeout(1);
  }
}

await Promise.all(Array.from({ length: 16 }, client));
await log.end();

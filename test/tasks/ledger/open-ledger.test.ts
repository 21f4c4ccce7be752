import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, describe, expect, test } from 'vitest';
import { openLedger, type Ledger } from '../../../compiler/tasks/ledger/open-ledger.ts';
import type { LedgerRow } from '../../../compiler/tasks/schema/ledger-row.ts';
import { isSealed, openPlan } from '../../../compiler/tasks/sealed-plan.ts';
import { tempFolder } from '../../support/folder.ts';
import { ORCHESTRATOR, spawnRow } from '../../support/planned.ts';
import { reasonOf } from '../../support/refused.ts';
import { newSigner } from '../../support/staff.ts';

const KEY = { keyid: ORCHESTRATOR.keyid, pem: ORCHESTRATOR.publicPem };

const open: Ledger[] = [];

afterEach(() => {
  for (const it of open.splice(0)) it.close();
});

function ledgerIn(folder = tempFolder()): Ledger & { readonly path: string } {
  const path = join(folder, 'vade', 'ledger.db');
  const ledger = openLedger(path);
  open.push(ledger);
  return { ...ledger, path };
}

const bypass = (agent_id: string): LedgerRow => ({
  format: 1,
  kind: 'bypass',
  agent_id,
  at: '2026-11-23T13:00:00Z',
  atom: 'quality::tests-green',
  reason: 'the test server is down',
});

const revocation = (agent_id: string, atom: string | null): LedgerRow => ({
  format: 1,
  kind: 'revocation',
  agent_id,
  at: '2026-11-23T14:00:00Z',
  atom,
  reason: 'it went too far',
});

describe('the ledger', () => {
  test('rows of an agent come back in their order, with the seal of the orchestrator', () => {
    const ledger = ledgerIn();
    ledger.append(spawnRow('a-1'), ORCHESTRATOR);
    ledger.append(spawnRow('a-2'), ORCHESTRATOR);
    ledger.append(bypass('a-1'), ORCHESTRATOR);
    const entries = ledger.rowsOf('a-1');
    expect(entries.map((it) => it.row)).toEqual([spawnRow('a-1'), bypass('a-1')]);
    expect(entries.every((it) => isSealed(it, KEY))).toBe(true);
    expect(ledger.newest(2).map((it) => it.row.agent_id)).toEqual(['a-1', 'a-2']);
  });

  test('the plan of an agent opens with the orchestrator’s key, and with no other', () => {
    const ledger = ledgerIn();
    ledger.append(spawnRow('a-1'), ORCHESTRATOR);
    const plan = ledger.plan('a-1') ?? Buffer.alloc(0);
    expect(openPlan(plan, KEY).agent_id).toBe('a-1');
    const other = newSigner();
    expect(reasonOf(() => openPlan(plan, { keyid: other.keyid, pem: other.publicPem }))).toBe('signatures_missing');
    expect(ledger.plan('a-2')).toBeNull();
  });

  test('a second spawn with the id of an agent is refused', () => {
    const ledger = ledgerIn();
    ledger.append(spawnRow('a-1'), ORCHESTRATOR);
    expect(() => ledger.append(spawnRow('a-1'), ORCHESTRATOR)).toThrow(
      expect.objectContaining({ code: 'already_exists' }),
    );
  });

  test('two processes that have it open see each other’s rows', () => {
    const folder = tempFolder();
    const [one, two] = [ledgerIn(folder), ledgerIn(folder)];
    one.append(spawnRow('a-1'), ORCHESTRATOR);
    two.append(spawnRow('a-2'), ORCHESTRATOR);
    expect(one.living()).toEqual(['a-1', 'a-2']);
  });

  test('it is opened while another process writes to it', () => {
    const folder = tempFolder();
    const { path } = ledgerIn(folder);
    const other = new Database(path);
    other.exec('BEGIN IMMEDIATE');
    expect(ledgerIn(folder).living()).toEqual([]);
    other.close();
  });

  test('who was cleaned or revoked lives no more; whose bypass was revoked does', () => {
    const ledger = ledgerIn();
    for (const it of ['a-1', 'a-2', 'a-3']) ledger.append(spawnRow(it), ORCHESTRATOR);
    ledger.append(revocation('a-1', null), ORCHESTRATOR);
    ledger.append(revocation('a-2', 'quality::tests-green'), ORCHESTRATOR);
    expect(ledger.living()).toEqual(['a-2', 'a-3']);
  });

  test('a row that nobody sealed, or that another key did, is told from a sealed one', () => {
    const ledger = ledgerIn();
    ledger.append(bypass('a-1'), null);
    ledger.append(bypass('a-1'), newSigner());
    expect(ledger.rowsOf('a-1').map((it) => isSealed(it, KEY))).toEqual([false, false]);
  });

  test('the seal of one row does not count for another', () => {
    const ledger = ledgerIn();
    ledger.append(bypass('a-1'), ORCHESTRATOR);
    const [sealed] = ledger.rowsOf('a-1');
    expect(isSealed({ seq: 9, row: bypass('a-2'), seal: sealed?.seal ?? null }, KEY)).toBe(false);
  });

  test('no row is changed, deleted or replaced', () => {
    const ledger = ledgerIn();
    ledger.append(bypass('a-1'), ORCHESTRATOR);
    const db = new Database(ledger.path);
    for (const it of [
      "UPDATE rows SET body = '{}'",
      'DELETE FROM rows',
      "INSERT OR REPLACE INTO rows VALUES (1, 'x', 'x', '{}', NULL)",
    ]) {
      expect(() => db.exec(it)).toThrow('append only');
    }
    db.close();
  });

  test('a row that was written past it is damage, and not believed', () => {
    const ledger = ledgerIn();
    const db = new Database(ledger.path);
    db.exec("INSERT INTO rows (kind, agent_id, body) VALUES ('bypass', 'a-1', '{\"kind\":\"spawn\"}')");
    db.close();
    expect(() => ledger.rowsOf('a-1')).toThrow(expect.objectContaining({ code: 'ledger_unreadable' }));
  });

  test.each([
    ['kind', "'revocation', 'a-1'"],
    ['agent', "'bypass', 'a-2'"],
  ])('a row that is noted under another %s than its own is damage', (_, noted) => {
    const ledger = ledgerIn();
    const db = new Database(ledger.path);
    const insert = db.prepare(`INSERT INTO rows (kind, agent_id, body) VALUES (${noted}, ?)`);
    insert.run(JSON.stringify(bypass('a-1')));
    db.close();
    expect(() => ledger.newest(1)).toThrow(expect.objectContaining({ code: 'ledger_unreadable' }));
  });

  test('rows are numbered from 1, and a row of no known form is not added', () => {
    const ledger = ledgerIn();
    expect([ledger.append(bypass('a-1'), null), ledger.append(bypass('a-2'), null)]).toEqual([1, 2]);
    const odd = { ...bypass('a-1'), reason: 'two\nlines' } as LedgerRow;
    expect(() => ledger.append(odd, null)).toThrow(expect.objectContaining({ code: 'output_failed' }));
    expect(ledger.newest(9)).toHaveLength(2);
  });

  test('whoever was spawned and not cleaned is told in the order of the spawns, revoked or not', () => {
    const ledger = ledgerIn();
    for (const it of ['b-1', 'a-1', 'c-1']) ledger.append(spawnRow(it), ORCHESTRATOR);
    ledger.append(revocation('b-1', null), null);
    const at = '2026-11-23T15:00:00Z';
    ledger.append({ format: 1, kind: 'clean', agent_id: 'a-1', at, worktree: '/work/a-1', discarded: false }, null);
    expect([ledger.uncleaned(), ledger.living()]).toEqual([['b-1', 'c-1'], ['c-1']]);
  });

  test('another database, a file that is none and a link are refused, and stay as they are', () => {
    const folder = tempFolder();
    const at = (name: string) => join(folder, name);
    new Database(at('other.db')).exec('CREATE TABLE mine (x)').close();
    writeFileSync(at('text.db'), 'no database at all, and a text that is long enough to be read as a header');
    symlinkSync(at('text.db'), at('link.db'));
    const before = readFileSync(at('text.db'), 'utf8');
    for (const it of ['other.db', 'text.db', 'link.db']) {
      expect(() => openLedger(at(it)), it).toThrow(expect.objectContaining({ code: 'ledger_unreadable' }));
    }
    expect(readFileSync(at('text.db'), 'utf8')).toBe(before);
  });
});

import { beforeEach, describe, expect, test } from 'vitest';
import { signPoint } from '../../../server/audit/chain/checkpointer.ts';
import { checkpointSignerOf } from '../../../server/audit/chain/keys.ts';
import { retirable, retireSegments, signTails } from '../../../server/audit/chain/retention.ts';
import { closingEntry, recallEntry } from '../../../server/audit/records/entry.ts';
import type { Release } from '../../../server/audit/records/log.ts';
import { refTo } from '../../../server/audit/records/names.ts';
import { newSigner } from '../../support/staff.ts';
import {
  expectRefused,
  verificationFailure,
  keeping,
  options,
  sign,
  verified,
  writing,
  written,
  type Place,
} from './harness.ts';
import { closing, record, START } from './records.ts';

const [A, B, B2] = [refTo("'a'"), refTo("'b'"), refTo("'b2'")];
const SECOND = "seq = (SELECT seq FROM entries WHERE audit_token = 'audi_2')";

/** Attacks that every store has to prevent or detect. */
export function chainContract(name: string, fresh: () => Promise<Place>): void {
  let place: Place;
  beforeEach(async () => {
    place = await fresh();
    await written(place, 'a', 1, 5);
    await written(place, 'b', 6, 9);
    await writing(place, 'b2', (store) => store.append([closingEntry(closing(6))]));
    await writing(place, 'c', (store) => store.archive(ARCHIVED));
  });

  describe(`${name}: insert-only, by the database itself`, () => {
    const STATEMENTS: readonly string[] = [
      "UPDATE entries SET body = '{}'",
      `UPDATE entries SET hash = hash WHERE n = 1 AND writer = ${A}`,
      'DELETE FROM entries',
      `DELETE FROM entries WHERE n = 6 AND writer = ${A}`,
      "UPDATE intents SET text = 'other'",
      "UPDATE names SET name = 'other' WHERE name = 'a'",
      'DELETE FROM names',
      "UPDATE checkpoints SET hash = 'x'",
      'DELETE FROM checkpoints',
      "UPDATE documents SET body = 'x'",
      'DELETE FROM documents',
      "UPDATE activations SET version = 'v9'",
      'DELETE FROM activations',
      "UPDATE instruction_audit SET intent = ''",
      'DELETE FROM instruction_audit',
      "INSERT INTO retired (writer, n, hash, at, envelope) VALUES ('a', 3, 'x', 1, 'x')",
      "INSERT INTO checkpoints (writer, n, hash, at, envelope) VALUES ('a', 3, 'x', 1, 'x')",
      "INSERT INTO checkpoints (writer, n, hash, at, envelope) VALUES ('a', 99, 'x', 1, 'x')",
    ];

    test('the database refuses every statement that changes a row', async () => {
      for (const statement of STATEMENTS) {
        await expectRefused(place, statement);
        expect([statement, await verificationFailure(place)]).toEqual([statement, null]);
      }
    });
  });

  describe(`${name}: the chain`, () => {
    test('the chains verify, and the tally counts their entries', async () => {
      expect(await verified(place)).toEqual({
        failure: null,
        tally: { writers: 3, entries: 13, erased: 0, checkpoints: 2, retired: 0, serial: 7, unsigned: 2 },
        ends: [
          ['a', 6],
          ['b', 5],
          ['b2', 2],
        ].map(([writer, n]) => ({ writer, n, hash: expect.stringMatching(/^[0-9a-f]{64}$/) as string })),
      });
    });

    test.each([
      [
        `UPDATE entries SET body = REPLACE(body, 'wrap-up', 'wrap-it') WHERE writer = ${A} AND n = 4`,
        'a',
        4,
        'hash_differs',
      ],
      [
        `UPDATE entries SET hash = (SELECT hash FROM entries LIMIT 1) WHERE writer = ${A} AND n = 4`,
        'a',
        4,
        'hash_differs',
      ],
      [`UPDATE entries SET agent_id = writer WHERE writer = ${A} AND n = 2`, 'a', 2, 'hash_differs'],
      [`UPDATE entries SET audit_token = 'audi_77' WHERE writer = ${A} AND n = 3`, 'a', 3, 'hash_differs'],
      [`UPDATE entries SET created_at = created_at + 1 WHERE writer = ${B} AND n = 3`, 'b', 3, 'hash_differs'],
      [`UPDATE entries SET id = 'audevent_x' WHERE writer = ${B} AND n = 3`, 'b', 3, 'hash_differs'],
      [`DELETE FROM entries WHERE writer = ${A} AND n = 1`, 'a', 1, 'missing'],
      [`DELETE FROM entries WHERE writer = ${A} AND n = 3`, 'a', 3, 'missing'],
      [`DELETE FROM entries WHERE writer = ${A} AND n = 6`, 'a', 6, 'missing'],
      [`DELETE FROM entries WHERE writer = ${B} AND n > 2`, 'b', 3, 'missing'],
      [`UPDATE entries SET n = n + 1 WHERE writer = ${B} AND n = 5`, 'b', 5, 'missing'],
      [`UPDATE entries SET writer = ${refTo("'cto-id'")} WHERE writer = ${B2}`, 'cto-id', 1, 'hash_differs'],
      [`DELETE FROM entries WHERE writer = ${A}; DELETE FROM checkpoints WHERE writer = 'a'`, 'a', 6, 'missing'],
      [`UPDATE intents SET text = 'other' WHERE ${SECOND}`, 'a', 3, 'intent_differs'],
      [`UPDATE intents SET salt = 'other' WHERE ${SECOND}`, 'a', 3, 'intent_differs'],
      [`UPDATE intents SET seq = 99 WHERE ${SECOND}`, 'intent 99', null, 'intent_stray'],
      ["UPDATE names SET name = 'ops-id' WHERE name = 'cto-id'", 'a', 2, 'hash_differs'],
      ["UPDATE names SET name = '7-abd' WHERE name = '7-abc'", 'a', 2, 'hash_differs'],
      ["DELETE FROM names WHERE name = 'acme/agent/cto'", 'a', 2, 'hash_differs'],
      ["UPDATE names SET name = 'z' WHERE name = 'a'", 'a', 1, 'missing'],
      ["UPDATE checkpoints SET n = 5 WHERE writer = 'a'", 'a', 5, 'checkpoint_differs'],
      ["UPDATE checkpoints SET at = at + 1 WHERE writer = 'a'", 'a', 6, 'checkpoint_differs'],
      ["UPDATE checkpoints SET envelope = '{}' WHERE writer = 'a'", 'a', 6, 'checkpoint_unproven'],
    ])('verification detects: %s', async (statement, writer, n, problem) => {
      await place.tamper(statement);
      expect(await verificationFailure(place)).toEqual({ writer, n, problem });
    });

    test('verification detects a chain that was rebuilt after a checkpoint', async () => {
      await place.tamper(`DELETE FROM entries WHERE writer = ${A}; DELETE FROM intents`);
      await writing(place, 'a', (store) => store.append([1, 2, 3, 4, 5].map((i) => recallEntry(record(i), 'full'))));
      expect(await verificationFailure(place)).toMatchObject({ writer: 'a', n: 6, problem: 'checkpoint_differs' });
    });

    test('verification detects a checkpoint that another key signed', async () => {
      const other = checkpointSignerOf(newSigner());
      await writing(place, 'd', async (store) => {
        const head = await store.append([recallEntry(record(20), 'full')]);
        await store.checkpoint(signPoint('checkpoint', head, START, other));
      });
      expect(await verificationFailure(place)).toEqual({ writer: 'd', n: 2, problem: 'checkpoint_unproven' });
    });

    test('the next writer signs the ends of unsigned chains', async () => {
      const broken = await keeping(place, 'write', (ledger) => signTails(ledger, 'new', sign, START));
      expect(broken).toEqual([]);
      expect((await verified(place)).tally).toMatchObject({ checkpoints: 3, unsigned: 0 });
    });

    test('a chain that does not verify is not signed', async () => {
      await place.tamper(`UPDATE entries SET created_at = 1 WHERE writer = ${B2} AND n = 2`);
      expect(await keeping(place, 'write', (ledger) => signTails(ledger, 'new', sign, START))).toEqual(['b2']);
      expect((await verified(place)).tally.checkpoints).toBe(2);
    });
  });

  describe(`${name}: retention`, () => {
    test('retention drops old signed segments with their intents, and the rest still verifies', async () => {
      const store = await place.open(options('d'));
      const cut = await store.append([30, 31, 32].map((i) => recallEntry(record(i), 'full')));
      await store.checkpoint(signPoint('checkpoint', cut, START, sign));
      const end = await store.append([40, 41].map((i) => recallEntry(record(i), 'full')));
      await store.checkpoint(signPoint('checkpoint', end, START, sign));
      await store.end();
      await keeping(place, 'write', async (ledger) => {
        const old = await retirable(ledger, START + 33_000);
        expect(old.map((it) => [it.writer, it.n, it.entries])).toEqual([
          ['a', 6, 6],
          ['b', 5, 5],
          ['d', 4, 4],
        ]);
        expect(await retireSegments(ledger, old, sign, START)).toBe(15);
        expect(await retirable(ledger, START + 33_000)).toEqual([]);
      });
      const { failure, tally } = await verified(place);
      expect(failure).toBeNull();
      expect(tally).toMatchObject({ entries: 4, retired: 15, unsigned: 2 });
      const [{ n } = {}] = await place.sql('SELECT COUNT(*) AS n FROM intents');
      expect(Number(n)).toBe(2);
    });

    test('retention keeps a segment if one of its entries is too recent', async () => {
      await keeping(place, 'write', async (ledger) => {
        expect((await retirable(ledger, START + 5000)).map((it) => it.writer)).toEqual([]);
        expect((await retirable(ledger, START + 5001)).map((it) => it.writer)).toEqual(['a']);
      });
    });

    test('verification detects a retirement with a wrong signature, and entries dropped without a retirement', async () => {
      await keeping(place, 'write', async (ledger) => {
        await retireSegments(ledger, await retirable(ledger, START + 5001), checkpointSignerOf(newSigner()), START);
      });
      expect(await verificationFailure(place)).toEqual({ writer: 'a', n: 6, problem: 'retirement_unproven' });
      await place.tamper('DELETE FROM retired');
      expect(await verificationFailure(place)).toEqual({ writer: 'a', n: 1, problem: 'missing' });
    });
  });

  describe(`${name}: erasure`, () => {
    test.each([
      [{ token: 'audi_2' }, 1],
      [{ agent: 'cto-id' }, 9],
      [{ before: START + 3000 }, 2],
      [{ agent: 'cto-id', before: START + 8000 }, 7],
      [{ agent: 'other-id' }, 0],
    ])('erasing with %j removes %d intents, and the chains still verify', async (filter, erased) => {
      await keeping(place, 'write', async (ledger) => {
        expect(await ledger.matching(filter)).toBe(erased);
        expect(await ledger.erase(filter)).toBe(erased);
        expect(await ledger.matching(filter)).toBe(0);
      });
      const { failure, tally } = await verified(place);
      expect([failure, tally.erased]).toEqual([null, erased]);
    });

    test('an entry whose intent was erased stays, with an empty intent and without files', async () => {
      await keeping(place, 'write', (ledger) => ledger.erase({ token: 'audi_2' }));
      const rows = await place.sql(
        "SELECT intent, files, heartbeat_id FROM instruction_audit WHERE audit_token = 'audi_2'",
      );
      expect(rows).toEqual([{ intent: '', files: '[]', heartbeat_id: 'hb_2' }]);
      const listed = await writing(place, 'd', (store) => store.list('cto-id', 20, Number.MAX_SAFE_INTEGER));
      const known = listed.find((it) => it.audit_token === 'audi_2');
      expect([known?.intent, known?.files]).toEqual(['', []]);
      expect(JSON.stringify(await place.sql('SELECT * FROM entries'))).not.toContain('src/2.ts');
    });

    test('erasing the intent of a recall erases those of the recalls that follow it: they are one find', async () => {
      const following = [60, 61].map((i) =>
        recallEntry(record(i, { follows: i === 60 ? 'audi_2' : 'audi_3' }), 'full'),
      );
      await writing(place, 'd', (store) => store.append(following));
      const erased = await keeping(place, 'write', (ledger) => ledger.erase({ token: 'audi_2' }));
      expect(erased).toBe(2);
      const kept = await place.sql("SELECT audit_token FROM instruction_audit WHERE intent <> ''");
      expect(kept.map((it) => it['audit_token'])).toEqual(expect.arrayContaining(['audi_3', 'audi_61']));
      expect(kept.map((it) => it['audit_token'])).not.toEqual(expect.arrayContaining(['audi_60']));
    });

    test('in the mode `digest` no intent is stored', async () => {
      await writing(place, 'd', (store) => store.append([recallEntry(record(50), 'digest')]));
      const [{ n } = {}] = await place.sql("SELECT COUNT(*) AS n FROM intents WHERE text = 'intent 50'");
      expect(Number(n)).toBe(0);
      const { failure, tally } = await verified(place);
      expect([failure, tally.erased]).toEqual([null, 1]);
    });
  });
}

const VERSION = { agent_id: 'cto-id', version: 'v1' };
const ARCHIVED: Release = {
  documents: [{ kind: 'manifest', ...VERSION, name: 'uri/v1', token_count: 1, body: 'x', created_at: START }],
  inForce: [VERSION],
  agents: null,
  at: START,
};

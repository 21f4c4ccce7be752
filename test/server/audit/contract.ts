import { beforeEach, describe, expect, test } from 'vitest';
import { canonicalJson } from '../../../compiler/trust/canonical.ts';
import { closingEntry, recallEntry } from '../../../server/audit/records/entry.ts';
import { answersContract } from './answers-contract.ts';
import { options, verified, writing, written, type Place } from './harness.ts';
import { closing, record, START } from './records.ts';
import { sumsContract } from './sums-contract.ts';
import { viewContract } from './view-contract.ts';

const EVERYTHING = Number.MAX_SAFE_INTEGER;

const iso = (ms: number) => new Date(ms).toISOString();

/** What every store does, whatever it is made of. */
export function storeContract(name: string, fresh: () => Promise<Place>): void {
  let place: Place;
  beforeEach(async () => {
    place = await fresh();
  });

  describe(`${name}: §21.5 what is appended`, () => {
    test('is listed in the shape of §21.5.1, newest first', async () => {
      await written(place, 'w1', 1, 3);
      const listed = await writing(place, 'w2', (store) => store.list('cto-id', 10, EVERYTHING));
      expect(listed.map((it) => it.intent)).toEqual(['intent 3', 'intent 2', 'intent 1']);
      const { seq, ...entry } = listed[0]!;
      expect(seq).toBeGreaterThan(listed[1]!.seq);
      expect(entry).toEqual({
        ...{
          id: record(3).id,
          kind: 'recall',
          aborted: false,
          agent_id: 'cto-id',
          heartbeat_id: 'hb_3',
          intent: 'intent 3',
        },
        ...{ left_out: record(3).left_out, warnings: [] },
        ...{ session_start: iso(START + 3000), loaded_chunks: record(3).loaded_chunks, audit_token: 'audi_3' },
        ...{ used_chunks: [], missed_chunks: [], audit_closed: null, created_at: iso(START + 3000) },
      });
    });

    test('comes in pages, for one agent alone', async () => {
      await written(place, 'w1', 1, 7);
      await writing(place, 'w2', async (store) => {
        await store.append([recallEntry(record(8, { agent_id: 'other-id' }), 'full')]);
        const pages: string[][] = [];
        for (let before = EVERYTHING; ;) {
          const page = await store.list('cto-id', 3, before);
          if (page.length === 0) break;
          pages.push(page.map((it) => it.intent));
          before = page.at(-1)!.seq;
        }
        expect(pages.map((it) => it.length)).toEqual([3, 3, 1]);
        expect(pages.flat()).toEqual([7, 6, 5, 4, 3, 2, 1].map((i) => `intent ${i}`));
        expect(await store.list('other-id', 3, EVERYTHING)).toHaveLength(1);
        expect(await store.list('nobody', 3, EVERYTHING)).toEqual([]);
      });
    });

    test.each(["Zoë's 🪴", 'a\0b', "'); DROP TABLE entries; --", 'line\nline', '\u202egnirts', ' padded ', '\\u0000'])(
      'is kept word for word: %j',
      async (intent) => {
        await writing(place, 'w1', async (store) => {
          await store.append([recallEntry(record(1, { intent, heartbeat_id: intent }), 'full')]);
          const [entry] = await store.list('cto-id', 1, EVERYTHING);
          expect([entry?.intent, entry?.heartbeat_id]).toEqual([intent, intent]);
        });
        expect((await verified(place)).fault).toBeNull();
      },
    );

    test('may hold half a character, which no UTF-8 has', async () => {
      await writing(place, 'w1', (store) => store.append([recallEntry(record(1, { intent: 'x\ud800y' }), 'full')]));
      expect((await verified(place)).fault).toBeNull();
    });

    test('is one entry, however often it is given: the first one stays', async () => {
      const head = await writing(place, 'w1', async (store) => {
        await store.append([recallEntry(record(1), 'full'), recallEntry(record(1, { intent: 'again' }), 'full')]);
        await store.append([recallEntry(record(1, { intent: 'later' }), 'full')]);
        await store.append([recallEntry(record(2, { audit_token: 'audi_1' }), 'full')]);
        return store.append([recallEntry(record(3), 'full'), recallEntry(record(1), 'full')]);
      });
      expect(head).toMatchObject({ writer: 'w1', n: 3 });
      await writing(place, 'w2', async (store) => {
        await store.append([recallEntry(record(1, { intent: 'another instance' }), 'full')]);
        const listed = await store.list('cto-id', 10, EVERYTHING);
        expect(listed.map((it) => it.intent)).toEqual(['intent 3', 'intent 1']);
      });
      expect((await verified(place)).fault).toBeNull();
    });

    test('a thousand entries are one transaction', async () => {
      const head = await written(place, 'w1', 1, 1000);
      expect(head.n).toBe(1001);
      expect((await verified(place)).tally).toMatchObject({ entries: 1001, checkpoints: 1, unsigned: 0 });
    });

    test('has a canonical body (RFC 8785), which says everything but the intent', () => {
      const given = record(1, { intent: 'my secret', warnings: ['low_confidence'], wake_reason: 'manual' });
      for (const entry of [recallEntry(given, 'full'), closingEntry(closing(1))]) {
        expect(entry.body).toBe(canonicalJson(JSON.parse(entry.body)));
      }
      const { intent: _, ...said } = given;
      const { body } = recallEntry(given, 'full');
      expect(JSON.parse(body)).toMatchObject(said);
      expect(body).not.toContain('my secret');
    });
  });

  describe(`${name}: §21.5.2 closings`, () => {
    test('close a recall once: a second one changes nothing', async () => {
      await writing(place, 'w1', async (store) => {
        await store.append([recallEntry(record(1), 'full')]);
        expect(await store.isClosed('audi_1')).toBe(false);
        await store.append([closingEntry(closing(1))]);
        await store.append([closingEntry(closing(1, { used_chunks: ['other'], closed_at: START }))]);
        expect(await store.isClosed('audi_1')).toBe(true);
        const [entry] = await store.list('cto-id', 1, EVERYTHING);
        expect(entry).toMatchObject({
          used_chunks: ['wrap-up'],
          missed_chunks: ['on-call'],
          audit_closed: iso(START + 1500),
        });
      });
    });

    test('may come before their recall', async () => {
      await writing(place, 'w1', async (store) => {
        await store.append([closingEntry(closing(1))]);
        expect(await store.list('cto-id', 1, EVERYTHING)).toEqual([]);
        await store.append([recallEntry(record(1), 'full')]);
        const [entry] = await store.list('cto-id', 1, EVERYTHING);
        expect(entry?.used_chunks).toEqual(['wrap-up']);
      });
      expect((await verified(place)).fault).toBeNull();
    });
  });

  describe(`${name}: several writers`, () => {
    test('at once each have a chain of their own, and every entry is there once', async () => {
      const stores = await Promise.all(['a', 'b', 'c'].map((writer) => place.open(options(writer))));
      await Promise.all(
        stores.map(async (store, w) => {
          for (let i = 0; i < 20; i++) {
            const entry = recallEntry(record(1000 * w + i), 'full');
            // a lock that lasts too long is refused, and given again
            for (let kept = false; !kept;)
              kept = await store.append([entry]).then(
                () => true,
                () => false,
              );
          }
        }),
      );
      await Promise.all(stores.map((store) => store.end()));
      const { tally, fault } = await verified(place);
      expect(fault).toBeNull();
      expect(tally).toMatchObject({ writers: 3, entries: 63 });
    });

    test('with the same entry, as two that replay one spool: it is there once', async () => {
      await written(place, 'a', 1, 5);
      await written(place, 'b', 3, 9);
      const { tally, fault } = await verified(place);
      expect([fault, tally.entries]).toEqual([null, 2 + 9]);
    });
  });

  viewContract(name, () => place);
  answersContract(name, () => place);
  sumsContract(name, () => place);
}

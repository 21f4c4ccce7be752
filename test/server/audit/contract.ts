import { beforeEach, describe, expect, test } from 'vitest';
import { canonicalJson } from '../../../compiler/trust/canonical.ts';
import { closingEntry, recallEntry } from '../../../server/audit/records/entry.ts';
import { answersContract } from './answers-contract.ts';
import { arrivalsContract } from './arrivals-contract.ts';
import { options, verified, writing, written, type Place } from './harness.ts';
import { closing, record, START } from './records.ts';
import { sumsContract } from './sums-contract.ts';
import { viewContract } from './view-contract.ts';

const EVERYTHING = Number.MAX_SAFE_INTEGER;

const iso = (ms: number) => new Date(ms).toISOString();

/** Contract of every store. */
export function storeContract(name: string, fresh: () => Promise<Place>): void {
  let place: Place;
  beforeEach(async () => {
    place = await fresh();
  });

  describe(`${name}: §21.5 appending`, () => {
    test('entries are listed in the shape of §21.5.1, newest first', async () => {
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
          files: record(3).files,
          intent_digest: expect.stringMatching(/^[0-9a-f]{64}$/) as unknown,
        },
        ...{ left_out: record(3).left_out, warnings: [], follows: null, candidates: ['incident'], nothing_fits: false },
        ...{ session_start: iso(START + 3000), loaded_chunks: record(3).loaded_chunks, audit_token: 'audi_3' },
        ...{ used_chunks: [], missed_chunks: [], audit_closed: null, created_at: iso(START + 3000) },
      });
    });

    test('entries are listed in pages, for one agent only', async () => {
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
      'the intent and heartbeat id %j are stored unchanged',
      async (intent) => {
        await writing(place, 'w1', async (store) => {
          await store.append([recallEntry(record(1, { intent, heartbeat_id: intent }), 'full')]);
          const [entry] = await store.list('cto-id', 1, EVERYTHING);
          expect([entry?.intent, entry?.heartbeat_id]).toEqual([intent, intent]);
        });
        expect((await verified(place)).failure).toBeNull();
      },
    );

    test('an intent may contain a lone surrogate, which UTF-8 cannot encode', async () => {
      await writing(place, 'w1', (store) => store.append([recallEntry(record(1, { intent: 'x\ud800y' }), 'full')]));
      expect((await verified(place)).failure).toBeNull();
    });

    test('an entry that is appended again is skipped: the first one stays', async () => {
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
      expect((await verified(place)).failure).toBeNull();
    });

    test('a thousand entries can be appended in one call', async () => {
      const head = await written(place, 'w1', 1, 1000);
      expect(head.n).toBe(1001);
      expect((await verified(place)).tally).toMatchObject({ entries: 1001, checkpoints: 1, unsigned: 0 });
    });

    test('a body is canonical JSON (RFC 8785) of everything but the intent', () => {
      const given = record(1, { intent: 'my secret', warnings: ['low_confidence'], wake_reason: 'manual' });
      for (const entry of [recallEntry(given, 'full'), closingEntry(closing(1))]) {
        expect(entry.body).toBe(canonicalJson(JSON.parse(entry.body)));
      }
      expect(recallEntry(given, 'full').body).not.toContain('my secret');
    });
  });

  describe(`${name}: §21.5.2 closings`, () => {
    test('a second closing of a recall changes nothing', async () => {
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

    test('a closing may be stored before its recall', async () => {
      await writing(place, 'w1', async (store) => {
        await store.append([closingEntry(closing(1))]);
        expect(await store.list('cto-id', 1, EVERYTHING)).toEqual([]);
        await store.append([recallEntry(record(1), 'full')]);
        const [entry] = await store.list('cto-id', 1, EVERYTHING);
        expect(entry?.used_chunks).toEqual(['wrap-up']);
      });
      expect((await verified(place)).failure).toBeNull();
    });
  });

  describe(`${name}: several writers`, () => {
    test('concurrent writers have a chain each, and every entry is stored once', async () => {
      const stores = await Promise.all(['a', 'b', 'c'].map((writer) => place.open(options(writer))));
      await Promise.all(
        stores.map(async (store, w) => {
          for (let i = 0; i < 20; i++) {
            const entry = recallEntry(record(1000 * w + i), 'full');
            // an append that waits too long for a lock is refused, and repeated
            for (let isStored = false; !isStored;)
              isStored = await store.append([entry]).then(
                () => true,
                () => false,
              );
          }
        }),
      );
      await Promise.all(stores.map((store) => store.end()));
      const { tally, failure } = await verified(place);
      expect(failure).toBeNull();
      expect(tally).toMatchObject({ writers: 3, entries: 63 });
    });

    test('an entry that two writers append is stored once', async () => {
      await written(place, 'a', 1, 5);
      await written(place, 'b', 3, 9);
      const { tally, failure } = await verified(place);
      expect([failure, tally.entries]).toEqual([null, 2 + 9]);
    });
  });

  viewContract(name, () => place);
  answersContract(name, () => place);
  sumsContract(name, () => place);
  arrivalsContract(name, () => place);
}

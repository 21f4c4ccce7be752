import { describe, expect, test } from 'vitest';
import { AuditedAnswer, type AnswersFilter } from '../../../compiler/schema/audit/answered.ts';
import { closingEntry, recallEntry } from '../../../server/audit/records/entry.ts';
import type { ReadAnswers } from '../../../server/audit/records/store.ts';
import { keeping, writing, written, type Place } from './harness.ts';
import { closing, record, START, withoutTokens } from './records.ts';

const ALWAYS: AnswersFilter = { agent: null, since: 0, until: Number.MAX_SAFE_INTEGER };
const MANY = 1000;

/** How every store returns answers, row by row, for evaluation. */
export function answersContract(name: string, place: () => Place): void {
  const withAnswers = <T>(ask: (answers: ReadAnswers) => Promise<T>): Promise<T> =>
    keeping(place(), 'read', (ledger) => ask(ledger.answers));
  const ids = async (filter: Partial<AnswersFilter>) =>
    (await withAnswers((answers) => answers({ ...ALWAYS, ...filter }, 0, MANY))).map((it) => it.intent);

  describe(`${name}: §21.5.3 answers for evaluation`, () => {
    test('an answer has the whole record, with its closing', async () => {
      await writing(place(), 'w1', async (store) => {
        await store.append([closingEntry(closing(2)), recallEntry(record(1), 'full'), recallEntry(record(2), 'full')]);
      });
      const [first, second] = await withAnswers((answers) => answers(ALWAYS, 0, MANY));
      expect(first).toEqual({ ...withoutTokens(record(1)), seq: first!.seq, closing: null, first: null });
      expect(AuditedAnswer.parse(first)).toEqual(first);
      const reported = { used_chunks: ['wrap-up'], missed_chunks: ['on-call'], nothing_fits: false };
      expect(second?.closing).toEqual({ ...reported, at: START + 2500 });
      expect(second!.seq).toBeGreaterThan(first!.seq);
    });

    test('an answer names the recall that it follows, by seq and intent, and no heartbeat or unknown token', async () => {
      const after = (i: number, follows: string) => recallEntry(record(i, { follows }), 'full');
      await writing(place(), 'w1', (store) =>
        store.append([
          recallEntry(record(1, { intent: 'a\0b' }), 'full'),
          recallEntry(record(2, { kind: 'heartbeat', intent: '' }), 'full'),
          ...[after(3, 'audi_1'), after(4, 'audi_2'), after(5, 'audi_9')],
          recallEntry(record(6), 'digest'),
          after(7, 'audi_6'),
        ]),
      );
      const read = await withAnswers((answers) => answers(ALWAYS, 0, MANY));
      const seqOf = (i: number) => read.find(({ id }) => id === record(i).id)!.seq;
      expect(read.map((it) => it.first)).toEqual([
        ...[null, null, { seq: seqOf(1), intent: 'a\0b' }, null, null, null],
        { seq: seqOf(6), intent: '' },
      ]);
    });

    test('answers are read in pages by seq, each row once', async () => {
      await written(place(), 'w1', 1, 7);
      const pages = await withAnswers(async (answers) => {
        const read: string[][] = [];
        for (let after = 0; ;) {
          const page = await answers(ALWAYS, after, 3);
          if (page.length === 0) return read;
          read.push(page.map((it) => it.intent));
          after = page.at(-1)!.seq;
        }
      });
      expect(pages.map((it) => it.length)).toEqual([3, 3, 1]);
      expect(pages.flat()).toEqual([1, 2, 3, 4, 5, 6, 7].map((i) => `intent ${i}`));
    });

    test('answers can be read for one agent, or for all', async () => {
      const others = [8, 9].map((i) => recallEntry(record(i, { agent_id: 'other-id' }), 'full'));
      await writing(place(), 'w1', (store) => store.append([recallEntry(record(1), 'full'), ...others]));
      expect(await ids({ agent: 'cto-id' })).toEqual(['intent 1']);
      expect(await ids({ agent: 'other-id' })).toEqual(['intent 8', 'intent 9']);
      expect(await ids({ agent: 'nobody' })).toEqual([]);
      expect(await ids({})).toEqual(['intent 1', 'intent 8', 'intent 9']);
    });

    test('answers are read for a window: since is inclusive, until exclusive', async () => {
      await written(place(), 'w1', 1, 5);
      const window = { since: START + 2000, until: START + 4000 };
      expect(await ids(window)).toEqual(['intent 2', 'intent 3']);
      expect(await ids({ ...window, agent: 'cto-id' })).toEqual(['intent 2', 'intent 3']);
      expect(await ids({ since: START + 6000 })).toEqual([]);
      expect(await ids({ until: START })).toEqual([]);
    });

    test('a window includes rows that were stored late, as after an outage', async () => {
      const late = record(2, { intent: 'late', created_at: START + 10 });
      await written(place(), 'w1', 3, 5);
      await writing(place(), 'w2', (store) => store.append([recallEntry(late, 'full')]));
      await written(place(), 'w3', 6, 7);
      expect(await ids({ until: START + 3500 })).toEqual(['intent 3', 'late']);
      expect(await ids({ until: START + 3500, agent: 'cto-id' })).toEqual(['intent 3', 'late']);
      expect(await ids({ since: START + 3500 })).toEqual(['intent 4', 'intent 5', 'intent 6', 'intent 7']);
    });

    test('an answer has an empty intent if it was erased, or never stored', async () => {
      await writing(place(), 'w1', (store) =>
        store.append([recallEntry(record(1), 'digest'), recallEntry(record(2), 'full')]),
      );
      await keeping(place(), 'write', (ledger) => ledger.erase({ token: 'audi_2' }));
      expect(await ids({})).toEqual(['', '']);
    });

    test('a ledger opened for reading is a snapshot; a new one sees later rows', async () => {
      await written(place(), 'w1', 1, 1);
      await keeping(place(), 'read', async (ledger) => {
        const first = await ledger.answers(ALWAYS, 0, MANY);
        await writing(place(), 'w2', (store) => store.append([recallEntry(record(2), 'full')]));
        expect(await ledger.answers(ALWAYS, 0, MANY)).toEqual(first);
      });
      expect(await ids({})).toEqual(['intent 1', 'intent 2']);
    });
  });
}

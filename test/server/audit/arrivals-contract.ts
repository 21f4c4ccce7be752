import { describe, expect, test } from 'vitest';
import type { TakenArrival } from '../../../compiler/schema/audit/arrival.ts';
import type { SumsQuery } from '../../../compiler/schema/audit/sums.ts';
import { signPoint } from '../../../server/audit/chain/checkpointer.ts';
import { arrivalEntry, closingEntry, recallEntry } from '../../../server/audit/records/entry.ts';
import type { AuditStore } from '../../../server/audit/records/store.ts';
import { arrival, arrivalId, silences, toldArrival } from './arrival-records.ts';
import { keeping, sign, verified, writing, type Place } from './harness.ts';
import { closing, record, START } from './records.ts';

const ENTITIES = { 'cto-id': 'acme/agent/cto' };
const ALWAYS = { entities: ENTITIES, since: 0, until: START + 1_000_000 };
const entriesOf = (taken: readonly TakenArrival[]) => taken.map((it) => arrivalEntry(it, 'full'));

/** Contract of every store about arrivals. */
export function arrivalsContract(name: string, place: () => Place): void {
  const kept = (writer: string, ...taken: readonly TakenArrival[]) =>
    writing(place(), writer, (store) => store.append(entriesOf(taken)));
  const read = (over: Partial<SumsQuery> = {}) =>
    keeping(place(), 'read', (ledger) => ledger.arrivals({ ...ALWAYS, ...over }));

  describe(`${name}: what hooks gave`, () => {
    test('arrivals that are alike are summed in a window, the newest first, and those of others are not', async () => {
      const page = { name: 'Zoë\'s "page"', version: 'v1' };
      const given = [
        ...[arrival(1), arrival(2), arrival(3, { names: ['limits', 'access'], pages: [], tokens: 0 })],
        arrival(4, { event: 'file', pages: [page, { name: 'limits', version: 'v2' }], names: ['access'] }),
        ...[silences(40), silences(2, { id: 'silence_2' }), silences(9, { id: 'silence_3', agent_id: 'ops-id' })],
        ...[arrival(7, { agent_id: 'ops-id' }), arrival(2000)],
      ];
      await kept('w1', ...given);
      const common = { agent_id: 'cto-id', event: 'prompt', pages: [], name: null, text: null, tokens: 0 };
      const sums = [
        {
          ...common,
          id: arrivalId(4),
          times: 1,
          event: 'file',
          pages: [page.name, 'limits'],
          name: 'access',
          tokens: 100,
        },
        { ...common, id: arrivalId(3), times: 1, name: 'limits' },
        { ...common, id: arrivalId(1), times: 2, pages: ['wrap-up'], tokens: 200 },
        { ...common, id: 'silence_1', times: 42 },
      ];
      expect([await read(), await read({ entities: { 'nobody-id': '' } })]).toEqual([sums, []]);
      expect(await writing(place(), 'w2', (store) => store.arrivals(ALWAYS))).toEqual(sums);
    });

    test('an arrival is in no list, no answer and no sum of recalls', async () => {
      const summed = async (store: AuditStore) => [
        await store.days({ ...ALWAYS, agent: 'cto-id', cut: 0 }),
        await store.sums(ALWAYS),
        await store.list('cto-id', 10, Number.MAX_SAFE_INTEGER),
      ];
      await writing(place(), 'w1', async (store) => {
        await store.append([recallEntry(record(1), 'full'), closingEntry(closing(1))]);
        const before = await summed(store);
        await store.append(entriesOf([toldArrival(1), silences(3)]));
        expect(await summed(store)).toEqual(before);
      });
      const answers = await keeping(place(), 'read', (ledger) => ledger.answers({ ...ALWAYS, agent: null }, 0, 10));
      expect(answers).toHaveLength(1);
    });

    test('an arrival that is taken twice, also by two writers, is stored once', async () => {
      await kept('w1', toldArrival(1), silences(3), toldArrival(1));
      await kept('w2', toldArrival(1), silences(3));
      const { tally, failure } = await verified(place());
      expect([failure, tally.entries]).toEqual([null, 2 + 2]);
    });

    test('prompts are read where their text is stored, and erased by agent and time, never by a token', async () => {
      const text = "a\0b Zoë's 🪴";
      await kept('w1', toldArrival(1, text), arrival(2), toldArrival(3), toldArrival(4, 'x', { agent_id: 'ops-id' }));
      const texts = async (agent = 'cto-id') =>
        (await read({ entities: { [agent]: '' }, withText: true })).map((it) => it.text);
      expect([await texts(), (await read()).length]).toEqual([['prompt 3', null, text], 1]);
      await keeping(place(), 'write', async (ledger) => {
        expect([await ledger.matching({ token: '' }), await ledger.erase({ token: '' })]).toEqual([0, 0]);
        expect(await ledger.erase({ before: START + 2000 })).toBe(1);
        expect(await ledger.erase({ agent: 'cto-id' })).toBe(1);
      });
      expect([await texts(), await texts('ops-id')]).toEqual([[null], ['x']]);
      const { tally, failure } = await verified(place());
      expect([failure, tally.entries]).toEqual([null, 5]);
    });

    test('retention drops arrivals with their text', async () => {
      await writing(place(), 'w1', async (store) => {
        const head = await store.append(entriesOf([toldArrival(1), silences(3)]));
        await store.checkpoint(signPoint('checkpoint', head, START, sign));
        await keeping(place(), 'write', async (ledger) => {
          expect(await ledger.retire([signPoint('retirement', head, START, sign)])).toBe(3);
          expect([await ledger.strayIntents(), await ledger.matching({})]).toEqual([[], 0]);
        });
      });
    });
  });
}

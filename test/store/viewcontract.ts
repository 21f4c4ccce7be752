import { describe, expect, test } from 'vitest';
import { closingEntry } from '../../server/store/entry.ts';
import { writing, written, type Place } from './harness.ts';
import { closing, record, START } from './records.ts';

/** What a store shows to whoever reads it in SQL. */
export function viewContract(name: string, place: () => Place): void {
  describe(`${name}: §21.7 the views`, () => {
    const document = (kind: 'manifest' | 'stub', v: number, over: object = {}) => ({
      ...{ kind, agent_id: 'cto-id', version: `v${v}`, name: kind === 'stub' ? 'generic' : `uri/v${v}` },
      ...{ token_count: 10 * v, body: `${kind} ${v}`, created_at: START + v, ...over },
    });

    test('instruction_audit has exactly the documented columns', async () => {
      await written(place(), 'w1', 1, 1);
      await writing(place(), 'w2', (store) => store.append([closingEntry(closing(1))]));
      const [row] = await place().sql('SELECT * FROM instruction_audit');
      expect(Object.keys(row ?? {})).toEqual([
        ...['id', 'agent_id', 'heartbeat_id', 'session_start', 'intent', 'loaded_chunks', 'used_chunks'],
        ...['missed_chunks', 'audit_token', 'audit_closed', 'created_at'],
      ]);
      expect(row).toMatchObject({ intent: 'intent 1', heartbeat_id: 'hb_1', audit_token: 'audi_1' });
      expect(JSON.parse(String(row?.['loaded_chunks']))).toEqual(record(1).loaded_chunks);
      expect(JSON.parse(String(row?.['used_chunks']))).toEqual(['wrap-up']);
      expect(Number(row?.['audit_closed'])).toBe(START + 1500);
    });

    test('instruction_manifests keeps every version, with when it was superseded', async () => {
      await writing(place(), 'w1', async (store) => {
        await store.archive([document('manifest', 1), document('stub', 1)]);
        await store.archive([document('manifest', 2)]);
        await store.archive([document('manifest', 1, { body: 'changed' }), document('manifest', 2)]);
        await store.archive([document('manifest', 1, { agent_id: 'other-id' })]);
      });
      const rows = await place().sql("SELECT * FROM instruction_manifests WHERE agent_id = 'cto-id' ORDER BY version");
      expect(Object.keys(rows[0] ?? {})).toEqual([
        ...['id', 'agent_id', 'version', 'fact_uri', 'token_count', 'body', 'created_at', 'superseded_at'],
      ]);
      expect(rows.map((it) => [it['version'], it['fact_uri'], it['body']])).toEqual([
        ['v1', 'uri/v1', 'manifest 1'],
        ['v2', 'uri/v2', 'manifest 2'],
      ]);
      expect(rows.map((it) => it['superseded_at'] && Number(it['superseded_at']))).toEqual([START + 2, null]);
    });

    test('boot_stubs has the newest of each agent and profile', async () => {
      await writing(place(), 'w1', async (store) => {
        await store.archive([document('stub', 1), document('stub', 2), document('stub', 1, { name: 'cursor' })]);
      });
      const rows = await place().sql('SELECT * FROM boot_stubs ORDER BY adapter_profile');
      expect(Object.keys(rows[0] ?? {})).toEqual([
        ...['agent_id', 'adapter_profile', 'stub_version', 'body', 'token_count', 'generated_at', 'manifest_version'],
      ]);
      expect(rows.map((it) => [it['adapter_profile'], it['body'], it['manifest_version']])).toEqual([
        ['cursor', 'stub 1', 'v1'],
        ['generic', 'stub 2', 'v2'],
      ]);
    });
  });
}

import { describe, expect, test } from 'vitest';
import { closingEntry, recallEntry } from '../../../server/audit/records/entry.ts';
import type { Release } from '../../../server/audit/records/log.ts';
import { writing, written, type Place } from './harness.ts';
import { closing, record, START } from './records.ts';

/** The views of a store, for readers in SQL. */
export function viewContract(name: string, place: () => Place): void {
  describe(`${name}: §21.7 the views`, () => {
    const document = (kind: 'manifest' | 'stub', v: number, over: object = {}) => ({
      ...{ kind, agent_id: 'cto-id', version: `v${v}`, name: kind === 'stub' ? 'generic' : `uri/v${v}` },
      ...{ token_count: 10 * v, body: `${kind} ${v}`, created_at: START + v, ...over },
    });

    /** The v-th version of an agent's documents, activated when it was created. */
    const release = (v: number, over: { readonly agent_id?: string } = {}): Release => ({
      documents: [document('manifest', v, over), document('stub', v, over)],
      inForce: [{ agent_id: over.agent_id ?? 'cto-id', version: `v${v}` }],
      ...{ agents: null, at: START + v },
    });
    const ofCto = (view: string) => place().sql(`SELECT * FROM ${view} WHERE agent_id = 'cto-id'`);
    const superseded = async () =>
      Object.fromEntries(
        (await ofCto('instruction_manifests')).map(({ version, superseded_at: at }) => [
          String(version),
          at === null ? null : Number(at),
        ]),
      );
    const stubs = async () =>
      (await ofCto('boot_stubs')).map((it) => `${String(it['adapter_profile'])} ${String(it['manifest_version'])}`);
    const parsed = (text: unknown): unknown => JSON.parse(String(text));

    test('the view instruction_audit has the documented columns, and eight more', async () => {
      await written(place(), 'w1', 1, 1);
      await writing(place(), 'w2', (store) => store.append([closingEntry(closing(1))]));
      const [row] = await place().sql('SELECT * FROM instruction_audit');
      expect(Object.keys(row ?? {})).toEqual([
        ...['id', 'agent_id', 'heartbeat_id', 'session_start', 'intent', 'loaded_chunks', 'used_chunks'],
        ...['missed_chunks', 'audit_token', 'audit_closed', 'created_at', 'kind', 'aborted', 'warnings', 'left_out'],
        ...['follows', 'candidates', 'nothing_fits', 'files'],
      ]);
      expect(row).toMatchObject({ intent: 'intent 1', heartbeat_id: 'hb_1', audit_token: 'audi_1' });
      expect(JSON.parse(String(row?.['loaded_chunks']))).toEqual(record(1).loaded_chunks);
      expect(JSON.parse(String(row?.['used_chunks']))).toEqual(['wrap-up']);
      expect(JSON.parse(String(row?.['files']))).toEqual(record(1).files);
      expect(Number(row?.['audit_closed'])).toBe(START + 1500);
    });

    test('the view instruction_audit has what a recall follows, its candidates, and that nothing fitted', async () => {
      await writing(place(), 'w1', (store) =>
        store.append([
          recallEntry(record(1), 'full'),
          closingEntry(closing(1, { used_chunks: [], nothing_fits: true })),
          recallEntry(record(2, { follows: 'audi_1', candidates: [] }), 'full'),
        ]),
      );
      const rows = await place().sql('SELECT follows, candidates, nothing_fits FROM instruction_audit ORDER BY id');
      expect(rows.map((it) => [it['follows'], parsed(it['candidates']), Boolean(it['nothing_fits'])])).toEqual([
        [null, ['incident'], true],
        ['audi_1', [], false],
      ]);
    });

    test('the view instruction_audit distinguishes an aborted heartbeat from one without preloads', async () => {
      const heartbeat = { kind: 'heartbeat' as const, intent: '', loaded_chunks: [] };
      const warnings = ['guaranteed_unit_unavailable'];
      await writing(place(), 'w1', (store) =>
        store.append([
          recallEntry(record(1, { ...heartbeat, aborted: true, tokens: 0, warnings }), 'full'),
          recallEntry(record(2, { ...heartbeat, left_out: [] }), 'full'),
        ]),
      );
      const rows = await place().sql('SELECT kind, aborted, warnings, left_out FROM instruction_audit ORDER BY id');
      expect(
        rows.map((it) => [it['kind'], Boolean(it['aborted']), parsed(it['warnings']), parsed(it['left_out'])]),
      ).toEqual([
        ['heartbeat', true, warnings, record(1).left_out],
        ['heartbeat', false, [], []],
      ]);
    });

    test('the view instruction_manifests has every version, with the time at which it was superseded', async () => {
      await writing(place(), 'w1', async (store) => {
        await store.archive(release(1));
        await store.archive(release(2));
        await store.archive({ ...release(2), at: START + 9 });
        await store.archive(release(1, { agent_id: 'other-id' }));
      });
      const rows = await place().sql("SELECT * FROM instruction_manifests WHERE agent_id = 'cto-id' ORDER BY version");
      expect(Object.keys(rows[0] ?? {})).toEqual([
        ...['id', 'agent_id', 'version', 'fact_uri', 'token_count', 'body', 'created_at', 'superseded_at'],
      ]);
      expect(rows.map((it) => [it['version'], it['fact_uri'], it['body']])).toEqual([
        ['v1', 'uri/v1', 'manifest 1'],
        ['v2', 'uri/v2', 'manifest 2'],
      ]);
      expect(await superseded()).toEqual({ v1: START + 2, v2: null });
    });

    test('after a rollback the views show the version in force, not the one written last', async () => {
      await writing(place(), 'w1', async (store) => {
        for (const v of [1, 2]) await store.archive(release(v));
        await store.archive({ ...release(1), at: START + 3 });
      });
      expect([await superseded(), await stubs()]).toEqual([{ v1: null, v2: START + 3 }, ['generic v1']]);
      await writing(place(), 'w2', (store) => store.archive({ ...release(2), at: START + 4 }));
      expect([await superseded(), await stubs()]).toEqual([{ v1: START + 4, v2: null }, ['generic v2']]);
    });

    test('no version is in force for an agent that the bundle in service lacks, until a bundle has it again', async () => {
      await writing(place(), 'w1', async (store) => {
        await store.archive(release(1));
        await store.archive(release(1, { agent_id: 'other-id' }));
        await store.archive({ documents: [], inForce: [], agents: ['other-id'], at: START + 5 });
        await store.archive({ documents: [], inForce: [], agents: ['other-id'], at: START + 6 });
      });
      expect([await superseded(), await stubs()]).toEqual([{ v1: START + 5 }, []]);
      await writing(place(), 'w2', (store) => store.archive({ ...release(1), at: START + 7 }));
      expect([await superseded(), await stubs()]).toEqual([{ v1: null }, ['generic v1']]);
    });

    test('the view boot_stubs has the stubs of the version in force, one for each profile', async () => {
      await writing(place(), 'w1', async (store) => {
        const cursor = document('stub', 1, { name: 'cursor' });
        await store.archive({ ...release(1), documents: [...release(1).documents, cursor] });
      });
      const rows = await place().sql('SELECT * FROM boot_stubs ORDER BY adapter_profile');
      expect(Object.keys(rows[0] ?? {})).toEqual([
        ...['agent_id', 'adapter_profile', 'stub_version', 'body', 'token_count', 'generated_at', 'manifest_version'],
      ]);
      expect(rows.map((it) => [it['adapter_profile'], it['body'], it['manifest_version']])).toEqual([
        ['cursor', 'stub 1', 'v1'],
        ['generic', 'stub 1', 'v1'],
      ]);
      await writing(place(), 'w2', (store) => store.archive(release(2)));
      expect(await stubs()).toEqual(['generic v2']);
    });
  });
}

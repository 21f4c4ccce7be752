import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { GraphWarning } from '../../../compiler/continuity/schema/graph/warnings.ts';
import { RetrieveWarning } from '../../../compiler/continuity/schema/reading/retrieve.ts';
import { ScheduleWarning } from '../../../compiler/continuity/schema/schedule/answers.ts';
import { RecoveryWarning } from '../../../compiler/continuity/schema/warnings.ts';
import { ownerPlaceOf } from '../../../server/continuity/store/place.ts';
import { ago, capsuleOf, NOW } from '../../continuity/capsules.ts';
import { richOf } from '../../continuity/rich.ts';
import { CTO_ID } from '../deployment.ts';
import { serving, type Serving } from './serving.ts';

/** Fields of a retrieval that these tests look at. */
interface Context {
  readonly recovery_warnings: readonly string[];
  readonly capsules: readonly { readonly trust_signals: { readonly compact?: boolean } | null }[];
}

let server: Serving;

beforeAll(async () => {
  server = await serving(undefined, { now: () => NOW });
});

const about = (id: string) => ({ subject_kind: 'thread', subject_id: id });

/** A capsule, and one before it: its fallback is the later one. */
async function written(id: string): Promise<void> {
  for (const seconds of [120, 60]) {
    const capsule = capsuleOf({ ...about(id), updated_at: ago(seconds), verified_at: ago(seconds) });
    expect((await server.post('cto', 'upsert', { ...about(id), capsule })).code).toBeUndefined();
  }
}

/** Commits into the agent's repository as another program. */
function commit(path: string, text: string): void {
  const { folder } = ownerPlaceOf(server.folder, CTO_ID);
  const data = (of: string) => `data ${Buffer.byteLength(of)}\n${of}\n`;
  const input = [
    'commit refs/heads/main\ncommitter x <x@x> 1795000000 +0000\n',
    `${data('by hand')}from refs/heads/main^0\nM 100644 inline ${path}\n${data(text)}`,
  ].join('');
  execFileSync('git', ['--git-dir', folder, 'fast-import', '--quiet', '--date-format=raw'], { input });
}

const startup = async (id: string, more: object = {}) =>
  (await server.post('cto', 'read', { ...about(id), view: 'startup', allow_fallback: true, ...more })).json();

describe('a start, whatever happened to what was kept', () => {
  test('without its active capsule it is given the last one that was stored, and told so', async () => {
    await written('gone');
    await server.post('cto', 'delete', { ...about('gone'), delete_active: true, reason: 'by mistake' });
    expect(await startup('gone')).toMatchObject({
      source_state: 'fallback',
      recovery_warnings: ['continuity_active_missing', 'continuity_fallback_used'],
      startup_summary: { orientation: { top_priorities: ['ship the store'] }, recovery: { source_state: 'fallback' } },
    });
    const strict = await server.post('cto', 'read', { ...about('gone'), view: 'startup' });
    expect([strict.status, strict.code]).toEqual([404, 'capsule_not_found']);
  });

  test('with nothing at all it is given a recovery block that says so, and nulls', async () => {
    expect(await startup('never')).toMatchObject({
      ...{ capsule: null, source_state: 'missing', trust_signals: null },
      recovery_warnings: ['continuity_active_missing', 'continuity_fallback_missing'],
      startup_summary: {
        recovery: { source_state: 'missing', capsule_health_status: null, capsule_health_reasons: [] },
        ...{ orientation: null, context: null, updated_at: null, trust_signals: null, stable_preferences: null },
      },
    });
  });

  test.each([
    ['no JSON', '{'],
    ['no capsule', '{"subject_kind":"thread"}'],
    [
      'a capsule from before they were stable',
      JSON.stringify({ ...about('x'), schema_version: '1.0', continuity: {} }),
    ],
  ])(
    'with %s in the place of its capsule it is given the fallback, and nobody writes over the damage',
    async (what, text) => {
      const id = what.replaceAll(' ', '-');
      await written(id);
      commit(`memory/continuity/thread-${id.toLowerCase()}.json`, text);
      expect(await startup(id)).toMatchObject({
        source_state: 'fallback',
        recovery_warnings: ['continuity_active_invalid', 'continuity_fallback_used'],
      });
      const strict = await server.post('cto', 'read', about(id));
      expect([strict.status, strict.code]).toEqual([409, 'capsule_damaged']);
    },
  );

  test('in a budget too small for its trust it is given the compact form, and told so', async () => {
    const capsule = richOf('thread', 'rich');
    expect((await server.post('cto', 'upsert', { ...about('rich'), capsule })).code).toBeUndefined();
    const told = await Promise.all(
      [256, 320, 400, 500, 600, 800, 12_000].map(async (max_tokens_estimate) => {
        const json = { task: 'go on', ...about('rich'), max_tokens_estimate };
        const { bundle } = (await server.ask('cto', 'POST', '/v1/context/retrieve', { json })).json();
        const state = (bundle as { continuity_state: Context }).continuity_state;
        const isCompact = state.capsules.some((it) => it.trust_signals?.compact === true);
        expect(state.recovery_warnings).toEqual(isCompact ? ['trust_signals_compact'] : []);
        return isCompact;
      }),
    );
    expect([told.includes(true), told.at(-1)]).toEqual([true, false]);
  });
});

describe('the words by which a degradation is told', () => {
  const tests = ['test/continuity', 'test/server/continuity'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((it) => it.isFile() && it.name.endsWith('.test.ts'))
      .map((it) => readFileSync(`${it.parentPath}/${it.name}`, 'utf8')),
  );

  test('each of them is brought about by a test', () => {
    const graph = GraphWarning.options.map((it) => it.shape.code.value);
    const words = [...RecoveryWarning.options, ...RetrieveWarning.options, ...ScheduleWarning.options, ...graph];
    expect(words.filter((word) => !tests.some((text) => text.includes(`'${word}'`)))).toEqual([]);
  });
});

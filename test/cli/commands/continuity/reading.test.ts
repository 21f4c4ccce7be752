import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { ago, capsuleOf } from '../../../continuity/capsules.ts';
import { vade } from '../../../support/cli.ts';
import { tempFolder } from '../../../support/folder.ts';
import { OF, OWNER, place, written } from './capsules.ts';

let root: string;
let first: string;

beforeAll(async () => {
  ({ root, first } = await written());
});

const run = (command: string, ...args: string[]) =>
  vade(['continuity', command, '--continuity', root, ...args], tempFolder());
const dataOf = async (command: string, ...args: string[]) => (await run(command, ...args)).envelope().data;

describe('vade continuity list', () => {
  test('lists the capsules of all owners, of one, and page by page', async () => {
    const all = await dataOf('list');
    expect(all).toMatchObject({
      capsules: [
        { owner: '8e0ed057-bcd8-4f8f-92ee-c046c55b64e9', subject_id: 'other', state: 'active', health: 'healthy' },
        { owner: OWNER, subject_kind: 'thread', subject_id: 'store', updated_at: ago(30) },
      ],
    });
    expect(((await dataOf('list', '--owner', OWNER)) as { capsules: unknown[] }).capsules).toHaveLength(1);
    expect((await run('list', '--limit', '1')).envelope()).toMatchObject({ meta: { pagination: { total: 2 } } });
  });

  test.each([
    ['an owner without a store', ['--owner', 'nobody']],
    ['a path as an owner', ['--owner', '../default']],
  ])('finds nothing of %s', async (_, more) => {
    expect((await run('list', ...more)).code).toBeGreaterThanOrEqual(3);
  });

  test('a store that the system does not let it open is unavailable, and no internal error', async () => {
    const { root: refused } = await written();
    // without the copy, reading has to write it anew
    for (const it of ['db', 'present']) rmSync(join(refused, `${OWNER}.${it}`));
    mkdirSync(join(refused, `${OWNER}.present`));
    for (const args of [['list'], ['show', ...OF]]) {
      const [command = '', ...more] = args;
      const ran = await vade(['continuity', command, '--continuity', refused, ...more], tempFolder());
      expect([command, ran.code, ran.envelope().error.code]).toEqual([command, 12, 'CONTINUITY_UNAVAILABLE']);
    }
  });

  test('a folder that is not there is not found, and not made', async () => {
    expect((await vade(['continuity', 'list', '--continuity', 'none'], tempFolder())).code).toBe(5);
  });
});

describe('vade continuity show', () => {
  test('shows a capsule with its startup view, while nobody has it open', async () => {
    expect(await dataOf('show', ...OF)).toMatchObject({
      answer: { source_state: 'active', capsule: { subject_id: 'store' }, startup_summary: { updated_at: ago(30) } },
      archives: [],
    });
  });

  test('what an agent wrote never commands a terminal', async () => {
    const { root: other, capsules, upsert } = place();
    await upsert({}, { open_loops: ['\u001b]0;pwned\u0007 \u202egnp.exe'] });
    await capsules.end();
    const shown = await vade(['continuity', 'show', '--continuity', other, ...OF, '--format', 'text'], tempFolder());
    expect(shown.code).toBe(0);
    expect(shown.stdout).toContain('gnp.exe');
    expect(shown.stdout).not.toMatch(/[\u001b\u0007\u202e]/);
  });

  test('a copy that is lost is made again from git', async () => {
    const { root: other } = await written();
    for (const end of ['', '-wal', '-shm']) rmSync(join(other, `${OWNER}.db${end}`), { force: true });
    expect((await vade(['continuity', 'show', '--continuity', other, ...OF], tempFolder())).code).toBe(0);
  });

  test('a subject of which nothing is held is not found', async () => {
    expect((await run('show', '--owner', OWNER, '--kind', 'user', '--subject', 'store')).code).toBe(5);
  });
});

describe('vade continuity compare', () => {
  test.each([
    ['its fallback', () => 'fallback', []],
    ['an earlier commit', () => first, ['updated_at', 'continuity.open_loops']],
  ])('tells in which fields a capsule differs from %s', async (_, version, changed_fields) => {
    expect(await dataOf('compare', ...OF, '--against', version())).toMatchObject({
      identical: changed_fields.length === 0,
      changed_fields,
    });
  });

  test('tells in which fields a candidate differs, and changes nothing', async () => {
    const file = join(tempFolder(), 'capsule.json');
    writeFileSync(
      file,
      JSON.stringify(capsuleOf({ updated_at: ago(30) }, { open_loops: ['is it enough?'], drift_signals: [] })),
    );
    expect(await dataOf('compare', ...OF, '--input-file', file)).toMatchObject({
      changed_fields: ['continuity.drift_signals'],
    });
    writeFileSync(file, '{"colour": "red"}');
    expect((await run('compare', ...OF, '--input-file', file)).code).toBe(3);
  });

  test.each(['memory/continuity/archive/none.json', 'deadbeef', '--output=x', 'HEAD', ''])(
    'what is no version of it is refused: %j',
    async (version) => {
      expect([3, 5]).toContain((await run('compare', ...OF, `--against=${version}`)).code);
    },
  );
});

import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { MAX_KEY_FILE_BYTES, MOST_CREATED_BYTES, type KeyRecord } from '../../../../compiler/schema/source/key-file.ts';
import { sha256 } from '../../../../compiler/trust/canonical.ts';
import { changeKeyFile, readKeyFile, writeKeyFile } from '../../../../compiler/world/key-file.ts';
import { vade, type Ran } from '../../../support/cli.ts';
import { heldElsewhere } from '../../../support/held.ts';
import { repository } from '../../../support/repository.ts';
import { failure } from '../../failing.ts';
import { holding, idOf } from '../../holding.ts';

const CTO = { kind: 'agent', agent: 'cto', agent_id: idOf(0) };

interface Listed {
  readonly id: string;
  readonly name: string;
  readonly holder: unknown;
  readonly revoked_at: string | null;
}

const listed = (ran: Ran) => ran.envelope().data['keys'] as Listed[];
const keysOf = async (folder: string) => listed(await vade(['key', 'list'], folder));
const create = (folder: string, ...args: string[]) => vade(['key', 'create', ...args], folder);

describe('DESIGN §8 vade key create', () => {
  test('vade key create shows the key once, and stores only its hash', async () => {
    const folder = holding();
    const ran = await create(folder, '--agent', 'cto', '--name', 'laptop');
    const key = String(ran.envelope().data['key']);
    expect([ran.code, ran.envelope().data['holder']]).toEqual([0, CTO]);
    expect(key).toMatch(/^vade_/);
    expect(readdirSync(folder).sort()).toEqual(['instructions', 'keys.json']);
    const secret = key.split('_').at(-1) ?? key;
    expect(secret.length).toBeGreaterThanOrEqual(32);
    expect(readFileSync(join(folder, 'keys.json'), 'utf8')).not.toContain(secret);
    expect((await vade(['key', 'list'], folder)).stdout).not.toContain(secret);
    expect(ran.stderr).not.toContain(secret);
  });

  test('only the owner can read the key file, even if others could before', async () => {
    const folder = holding();
    const file = join(folder, 'keys.json');
    writeFileSync(file, '{"format":1,"keys":[]}', { mode: 0o644 });
    await create(folder, '--agent', 'cto');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    await vade(['key', 'revoke', '--yes', '--id', (await keysOf(folder))[0]?.id ?? ''], folder);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('vade key create warns of a key file in a working tree that git does not ignore', async () => {
    const { path } = repository().write('.gitignore', '/ignored.json\n');
    const warned = async (name: string) => {
      const ran = await create(holding(), '--agent', 'cto', '--keys', join(path, name));
      return ran.envelope().warnings.map(({ code }) => code);
    };
    expect(await warned('keys.json')).toEqual(['PRIVATE_FILE_UNIGNORED']);
    expect(await warned('ignored.json')).toEqual([]);
  });

  test('two keys of one holder differ', async () => {
    const folder = holding();
    const keys = [await create(folder, '--agent', 'cto'), await create(folder, '--agent', 'cto')];
    expect(new Set(keys.map((it) => it.envelope().data['key'])).size).toBe(2);
    expect(await keysOf(folder)).toHaveLength(2);
  });

  test('keys that are created at the same time are all in the file', async () => {
    const folder = holding();
    const ran = await Promise.all(Array.from({ length: 6 }, () => create(folder, '--agent', 'cto')));
    const shown = ran.filter((it) => it.code === 0).map((it) => it.envelope().data['id']);
    expect((await keysOf(folder)).map((it) => it.id).sort()).toEqual(shown.sort());
  });

  test('a key file that another process has locked exits 6, and stays unchanged', async () => {
    const folder = holding();
    await heldElsewhere(join(folder, 'keys.json.lock'));
    expect(failure(await create(folder, '--agent', 'cto'))).toEqual([6, 'FILE_LOCKED']);
    expect(readdirSync(folder).sort()).toEqual(['instructions', 'keys.json.lock']);
  });

  test.each([
    ['neither agent nor admin', []],
    ['both agent and admin', ['--agent', 'cto', '--admin', 'acme/human/jane']],
    ['an agent and a scraper', ['--agent', 'cto', '--reader', 'metrics']],
    ['an unknown --reader', ['--reader', 'audit']],
    ['an agent with a space', ['--agent', 'the cto']],
    ['an agent that is a path', ['--agent', '../cto']],
    ['an agent of 101 letters', ['--agent', 'x'.repeat(101)]],
    ['an admin that is not an entity URI', ['--admin', 'jane']],
    ['an admin of another kind', ['--admin', 'acme/robot/jane']],
    ['a name of 101 letters', ['--agent', 'cto', '--name', 'x'.repeat(101)]],
  ])('vade key create with %s exits 3 and changes nothing', async (_name, args) => {
    const folder = holding();
    expect(failure(await create(folder, ...args))).toEqual([3, 'ARGUMENT_INVALID']);
    expect(existsSync(join(folder, 'keys.json'))).toBe(false);
  });

  test('a key file that cannot be written exits 1', async () => {
    const folder = holding();
    writeFileSync(join(folder, 'file'), '');
    expect(failure(await create(folder, '--agent', 'cto', '--keys', 'file/keys.json'))).toEqual([1, 'OUTPUT_FAILED']);
    expect(failure(await create(folder, '--agent', 'cto', '--keys', 'none/keys.json'))).toEqual([1, 'OUTPUT_FAILED']);
  });
});

describe('DESIGN §8 vade key list', () => {
  test('vade key list shows the holder of each key and whether it is revoked, without secret or hash', async () => {
    const folder = holding();
    await create(folder, '--agent', 'cto', '--name', 'laptop');
    await create(folder, '--admin', 'acme/human/jane');
    const ran = await vade(['key', 'list'], folder);
    expect(listed(ran)).toMatchObject([
      { name: 'laptop', holder: CTO, revoked_at: null },
      { holder: { kind: 'admin', entity: 'acme/human/jane' }, revoked_at: null },
    ]);
    expect(ran.stdout).not.toMatch(/[0-9a-f]{64}|hash/);
  });

  test('vade key list without a key file is empty, and creates no file', async () => {
    const folder = holding();
    expect(await keysOf(folder)).toEqual([]);
    expect(existsSync(join(folder, 'keys.json'))).toBe(false);
  });
});

describe('DESIGN §8 vade key revoke', () => {
  test('vade key revoke revokes one key and leaves the others', async () => {
    const folder = holding();
    const [one, two] = [await create(folder, '--agent', 'cto'), await create(folder, '--agent', 'ct')];
    const ran = await vade(['key', 'revoke', '--yes', '--id', String(one.envelope().data['id'])], folder);
    expect(ran.code).toBe(0);
    const keys = await keysOf(folder);
    expect(keys.filter((it) => it.revoked_at === null).map((it) => it.id)).toEqual([two.envelope().data['id']]);
  });

  test('revoking a key again keeps the first time', async () => {
    const folder = holding();
    const id = String((await create(folder, '--agent', 'cto')).envelope().data['id']);
    const file = join(folder, 'keys.json');
    await vade(['key', 'revoke', '--yes', '--id', id], folder);
    const early = readFileSync(file, 'utf8').replace(/"revoked_at": "[^"]+"/, '"revoked_at": "2020-01-01T00:00:00Z"');
    writeFileSync(file, early);
    const again = await vade(['key', 'revoke', '--yes', '--id', id], folder);
    expect([again.code, again.envelope().data['revoked_at']]).toEqual([0, '2020-01-01T00:00:00Z']);
  });

  test('revoking an unknown key exits 5 and changes nothing', async () => {
    const folder = holding();
    await create(folder, '--agent', 'cto');
    const before = readFileSync(join(folder, 'keys.json'), 'utf8');
    expect(failure(await vade(['key', 'revoke', '--yes', '--id', '0000000000000000'], folder))).toEqual([
      5,
      'KEY_NOT_FOUND',
    ]);
    expect(readFileSync(join(folder, 'keys.json'), 'utf8')).toBe(before);
  });
});

describe('a key file never outgrows its reader', () => {
  const record = (number: number, extra: Partial<KeyRecord> = {}): KeyRecord => ({
    id: number.toString(16).padStart(16, '0'),
    name: 'x'.repeat(100),
    holder: { kind: 'agent', agent: 'cto' },
    hash: sha256(String(number)),
    created_at: '2026-01-01T00:00:00Z',
    revoked_at: null,
    ...extra,
  });
  const ago = (days: number) => `${new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 19)}Z`;
  const large = (bytes: number) => {
    const one = JSON.stringify(record(0), null, 2).length * 1.1;
    return Array.from({ length: Math.ceil(bytes / one) }, (_, at) => record(at));
  };

  test('a key that no server could read any more is not created, and every key can still be revoked', async () => {
    const folder = holding();
    const file = join(folder, 'keys.json');
    writeKeyFile(file, large(MOST_CREATED_BYTES));
    expect(statSync(file).size).toBeGreaterThan(MOST_CREATED_BYTES);
    const before = statSync(file).size;
    expect(failure(await create(folder, '--agent', 'cto'))).toEqual([1, 'OUTPUT_FAILED']);
    expect(failure(await create(folder, '--agent', 'cto', '--dry-run'))).toEqual([1, 'OUTPUT_FAILED']);
    expect(statSync(file).size).toBe(before);
    const ran = await vade(['key', 'revoke', '--yes', '--id', '0000000000000001'], folder);
    expect([ran.code, ran.envelope().data['effect']]).toEqual([0, 'updated']);
    expect(readKeyFile(file)[1]?.revoked_at).not.toBeNull();
  });

  test('even if all keys of a full file are revoked, it can be read', () => {
    const folder = holding();
    const file = join(folder, 'keys.json');
    writeKeyFile(file, large(MOST_CREATED_BYTES));
    changeKeyFile(file, { now: new Date() }, (keys) => keys.map((it) => ({ ...it, revoked_at: ago(1) })));
    expect(readKeyFile(file).every((it) => it.revoked_at !== null)).toBe(true);
  });

  test('a file of more than its reader reads says so, with its size', async () => {
    const folder = holding();
    writeFileSync(join(folder, 'keys.json'), Buffer.alloc(MAX_KEY_FILE_BYTES + 1, ' '));
    const ran = await vade(['key', 'list'], folder);
    expect(failure(ran)).toEqual([3, 'REQUEST_INVALID']);
    expect(ran.stdout).toContain(String(MAX_KEY_FILE_BYTES + 1));
  });

  test.each(['create', 'revoke'])('vade key %s drops keys that were revoked over 30 days ago', async (command) => {
    const folder = holding();
    const file = join(folder, 'keys.json');
    writeKeyFile(file, [record(1), record(2, { revoked_at: ago(29) }), record(3, { revoked_at: ago(31) })]);
    const args = command === 'create' ? ['--agent', 'cto'] : ['--yes', '--id', record(1).id];
    const ran = await vade(['key', command, ...args], folder);
    expect([ran.code, ran.envelope().data['dropped']]).toEqual([0, 1]);
    const ids = readKeyFile(file).map((it) => it.id);
    expect(ids.slice(0, 2)).toEqual([record(1).id, record(2).id]);
    expect(ids).not.toContain(record(3).id);
  });
});

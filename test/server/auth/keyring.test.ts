import { rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { MAX_KEY_FILE_BYTES } from '../../../compiler/schema/source/key-file.ts';
import { newKey } from '../../../compiler/trust/keys.ts';
import { openKeyring, type Keyring } from '../../../server/auth/keyring.ts';
import { tempFolder } from '../../support/folder.ts';

const made = (byte: number) =>
  newKey({ kind: 'agent', agent: 'cto' }, 'x', '2026-01-01T00:00:00Z', Buffer.alloc(40, byte));
const [one, two] = [made(1), made(2)];
const limited = newKey({ kind: 'agent', agent: 'cto' }, 'x', '2026-01-01T00:00:00Z', Buffer.alloc(40, 3), {
  scopes: ['continuity:read'],
});

let path: string;
let broken: unknown[];
let open: Keyring[];

beforeEach(() => {
  vi.useFakeTimers();
  path = join(tempFolder(), 'keys.json');
  [broken, open] = [[], []];
});
afterEach(() => {
  for (const it of open) it.end();
  vi.useRealTimers();
});

function keyring(): Keyring {
  const opened = openKeyring(path, (error) => broken.push(error));
  open.push(opened);
  return opened;
}

function write(...keys: readonly ReturnType<typeof made>[]): void {
  writeFileSync(path, JSON.stringify({ format: 1, keys: keys.map((it) => it.record) }));
}

const second = () => {
  vi.advanceTimersByTime(1000);
};
const found = (of: Keyring) => [one, two].map(({ key }) => of.find(key)?.id ?? null);
const [ONE, TWO] = [one.record.id, two.record.id];

describe('the keys of a server', () => {
  test('are those of the file, and a change of it takes effect within a second', () => {
    write(one);
    const keys = keyring();
    expect(found(keys)).toEqual([ONE, null]);
    write(one, two);
    expect(found(keys)).toEqual([ONE, null]);
    second();
    expect(found(keys)).toEqual([ONE, TWO]);
    write(two);
    second();
    expect([found(keys), broken]).toEqual([[null, TWO], []]);
  });

  test('may be limited, beside others that are not', () => {
    write(one, limited);
    const keys = keyring();
    expect(keys.find(one.key)?.permits).toBeUndefined();
    expect(keys.find(limited.key)?.permits).toEqual({ scopes: ['continuity:read'] });
  });

  test('change with the time of the file alone, where it keeps its place and its size', () => {
    write(one);
    utimesSync(path, 1, 1);
    const keys = keyring();
    write(two);
    utimesSync(path, 1, 1.5);
    second();
    expect(found(keys)).toEqual([null, TWO]);
  });

  test('are none without a file, and none any more when the file goes', () => {
    const keys = keyring();
    expect(found(keys)).toEqual([null, null]);
    write(one);
    second();
    expect(found(keys)).toEqual([ONE, null]);
    rmSync(path);
    second();
    expect([found(keys), broken]).toEqual([[null, null], []]);
  });

  test('stay as they were when the file becomes unreadable, which is told once and without its content', () => {
    write(one);
    const keys = keyring();
    writeFileSync(path, 'swordfish {');
    second();
    second();
    expect([found(keys), keys.isReadable()]).toEqual([[ONE, null], false]);
    expect(broken).toEqual([expect.objectContaining({ code: 'request_invalid' })]);
    expect(String(broken[0])).not.toContain('swordfish');
    write(two);
    second();
    expect([found(keys), keys.isReadable()]).toEqual([[null, TWO], true]);
  });

  test.each([
    ['no JSON', '{'],
    ['another format', '{"format":2,"keys":[]}'],
    ['keys of another layout', JSON.stringify({ format: 1, keys: [{ ...one.record, secret: 'x' }] })],
    ['something else besides', '{"format":1,"keys":[],"more":1}'],
    ['more bytes than are read', `{"format":1,"keys":[]}${' '.repeat(MAX_KEY_FILE_BYTES)}`],
  ])('cannot be opened from a file with %s', (_, text) => {
    writeFileSync(path, text);
    expect(keyring).toThrow(expect.objectContaining({ code: 'request_invalid' }));
  });

  test('are not read again after the end, nor while the file stays as it is', () => {
    write(one);
    const keys = keyring();
    second();
    expect(found(keys)).toEqual([ONE, null]);
    keys.end();
    expect(vi.getTimerCount()).toBe(0);
    write(two);
    second();
    expect(found(keys)).toEqual([ONE, null]);
  });
});

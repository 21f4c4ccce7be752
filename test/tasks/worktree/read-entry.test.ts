import { chmodSync, linkSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { rawOf, type Tracked } from '../../../compiler/tasks/worktree/raw-path.ts';
import { compareEntry } from '../../../compiler/tasks/worktree/read-entry.ts';
import { blobId } from '../../../compiler/trust/canonical.ts';
import { tempFolder } from '../../support/folder.ts';

const MIB = 1024 * 1024;
const known = (text: string, mode = '100644'): Tracked => {
  const bytes = Buffer.from(text);
  return { mode, id: blobId(bytes, 'sha1'), size: bytes.length };
};

function place() {
  const top = tempFolder();
  const at = (path: string) => join(top, path);
  mkdirSync(at('in/deep'), { recursive: true });
  const twins: string[] = [];
  const compare = (path: string, kind: 'file' | 'link', was?: Tracked) => {
    const found = compareEntry(rawOf(top), rawOf(path), kind, was, 'sha1', () => twins.push(path));
    if (found === null) return 'same';
    return 'refused' in found ? found.refused : `${found.mode} ${found.bytes.toString('utf8')}`;
  };
  const link = (path: string, target: string, was?: Tracked) => {
    symlinkSync(target, at(path));
    return compare(path, 'link', was);
  };
  return { at, compare, link, twins };
}

test('a file is as the commit has it by its bytes and its mode, and else another one', () => {
  const { at, compare } = place();
  writeFileSync(at('a'), 'text');
  expect(compare('a', 'file', known('text'))).toBe('same');
  expect(compare('a', 'file', known('text', '100755'))).toBe('100644 text');
  expect([compare('a', 'file', known('other')), compare('a', 'file')]).toEqual(Array(2).fill('100644 text'));
  chmodSync(at('a'), 0o744);
  expect(compare('a', 'file', known('text', '100755'))).toBe('same');
  chmodSync(at('a'), 0o655);
  expect(compare('a', 'file', known('text'))).toBe('same');
});

test('a file with a second name is told', () => {
  const { at, compare, twins } = place();
  writeFileSync(at('one'), '');
  writeFileSync(at('two'), '');
  linkSync(at('two'), at('twin'));
  for (const it of ['one', 'two']) compare(it, 'file');
  expect(twins).toEqual(['two']);
});

test.each([
  ['up', '..', 'link_outside'],
  ['up', '../x', 'link_outside'],
  ['up', '/etc/passwd', 'link_outside'],
  ['in/up', '../..', 'link_outside'],
  ['in/up', '../../x', 'link_outside'],
  ['in/up', 'deep/../../../x', 'link_outside'],
  ['in/up', 'deep/..', 'link_outside'],
  ['git', '.git', 'link_outside'],
  ['git', '.GIT/config', 'link_outside'],
  ['in/git', '../.git', 'link_outside'],
  ['in/git', 'deep/.git/x', 'link_outside'],
  ['in/up', '..', '120000 ..'],
  ['in/up', './../x', '120000 ./../x'],
  ['in/name', '..x/y', '120000 ..x/y'],
  ['in/name', 'x../y', '120000 x../y'],
  ['name', '.github/x.git', '120000 .github/x.git'],
])('the link %s to %s is %s', (path, target, wanted) => {
  expect(place().link(path, target)).toBe(wanted);
});

test('a link that the commit has is as it was, wherever it leads', () => {
  const { link } = place();
  expect(link('a', '/etc/passwd', known('/etc/passwd', '120000'))).toBe('same');
  expect(link('b', '/etc/passwd', known('/etc/passwd'))).toBe('link_outside');
  expect(link('c', '/etc/passwd', known('/etc/hosts', '120000'))).toBe('link_outside');
});

test('what is no file any more, no link or not there cannot be read', () => {
  const { at, compare } = place();
  expect([compare('in', 'file'), compare('gone', 'file'), compare('gone', 'link')]).toEqual(
    Array(3).fill('unreadable'),
  );
  writeFileSync(at('a'), '');
  symlinkSync('a', at('b'));
  expect([compare('b', 'file'), compare('a', 'link')]).toEqual(['unreadable', 'unreadable']);
});

test('a file of 100 MiB is taken, and a larger one only if it is as the commit has it', () => {
  const { at, compare } = place();
  const path = 'large';
  writeFileSync(at(path), '');
  truncateSync(at(path), 100 * MIB);
  expect(compare(path, 'file')).toHaveLength('100644 '.length + 100 * MIB);
  truncateSync(at(path), 100 * MIB + 1);
  expect(compare(path, 'file')).toBe('file_size');
  const bytes = Buffer.alloc(100 * MIB + 1);
  const was: Tracked = { mode: '100644', id: blobId(bytes, 'sha1'), size: bytes.length };
  expect(compare(path, 'file', was)).toBe('same');
  expect(compare(path, 'file', { ...was, id: blobId(Buffer.alloc(1), 'sha1') })).toBe('file_size');
});

import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  fillGate,
  protectedIn,
  keepAdvice,
  createRunFolders,
  overFor,
  writableIn,
} from '../../../../compiler/tasks/use-cases/run/run-folders.ts';
import { sha256 } from '../../../../compiler/trust/canonical.ts';
import { tempFolder } from '../../../support/folder.ts';

const NOTES = ['agents', 'callers', 'heirs', 'starts'];
const PINS = ['orchestrator.pem', 'trust-root.json'];
const shown = (binds: ReturnType<typeof overFor>) =>
  binds.map((it) => `${it.path} ${it.from} ${it.isWritable ? 'written' : 'read'}`);

test('a run has empty folders of its own, and settings without hooks', () => {
  const folder = tempFolder();
  const folders = createRunFolders(folder);
  expect(folders).toEqual({
    home: join(folder, 'home'),
    temporary: join(folder, 'tmp'),
    gate: join(folder, 'gate'),
    point: join(folder, 'root'),
    config: join(folder, 'config'),
  });
  expect(readdirSync(folders.gate).sort()).toEqual(['advisory.log', ...NOTES, 'bindings', ...PINS].sort());
  expect(readdirSync(join(folders.home, '.claude')).sort()).toEqual(['hooks', 'settings.json', 'settings.local.json']);
  for (const it of ['settings.json', 'settings.local.json'])
    expect(readFileSync(join(folders.home, '.claude', it), 'utf8')).toBe('{}\n');
  expect([folders.temporary, folders.point].map((it) => readdirSync(it))).toEqual([[], []]);
});

test('an agent writes its home and its temporary folder, and of the gate the notes alone', () => {
  const folders = createRunFolders(tempFolder());
  expect(writableIn(folders)).toEqual([folders.home, folders.temporary]);
  const claude = join(folders.home, '.claude');
  expect(shown(overFor(folders, '/repo/.git/vade'))).toEqual([
    `/repo/.git/vade ${folders.gate} read`,
    ...[...NOTES, 'advisory.log'].map((it) => `/repo/.git/vade/${it} ${join(folders.gate, it)} written`),
    `${claude} ${claude} written`,
    ...['settings.json', 'settings.local.json', 'hooks'].map((it) => `${join(claude, it)} ${join(claude, it)} read`),
  ]);
});

test('what guards in a worktree is read-only where it is there, and a link is not followed', () => {
  const worktree = tempFolder();
  expect(protectedIn(worktree)).toEqual([]);
  writeFileSync(join(worktree, '.git'), 'gitdir: x\n');
  mkdirSync(join(worktree, '.vade'));
  mkdirSync(join(worktree, '.claude'));
  writeFileSync(join(worktree, '.claude/settings.json'), '{}');
  symlinkSync('/elsewhere', join(worktree, '.claude/hooks'));
  const same = (name: string, how: string) => `${join(worktree, name)} ${join(worktree, name)} ${how}`;
  expect(shown(protectedIn(worktree))).toEqual([
    same('.git', 'read'),
    same('.vade', 'read'),
    same('.claude', 'written'),
    same('.claude/settings.json', 'read'),
  ]);
  const linked = tempFolder();
  symlinkSync(worktree, join(linked, '.claude'));
  symlinkSync(worktree, join(linked, '.git'));
  expect(protectedIn(linked)).toEqual([]);
});

test('the gate of a run knows its own agent and the pinned files, and nothing of other agents', () => {
  const [folders, tasks] = [createRunFolders(tempFolder()), tempFolder()];
  for (const it of ['bindings', 'agents']) mkdirSync(join(tasks, it));
  const file = (name: string) => `${sha256(name)}.json`;
  for (const it of ['/w/one', '/w/two']) writeFileSync(join(tasks, 'bindings', file(it)), it);
  for (const it of ['one', 'two']) writeFileSync(join(tasks, 'agents', sha256(it)), it);
  for (const it of [...PINS, 'ledger.db']) writeFileSync(join(tasks, it), it);
  fillGate(folders, tasks, 'one', '/w/one');
  expect(readdirSync(join(folders.gate, 'bindings'))).toEqual([file('/w/one')]);
  expect(readdirSync(join(folders.gate, 'agents'))).toEqual([sha256('one')]);
  expect(PINS.map((it) => readFileSync(join(folders.gate, it), 'utf8'))).toEqual(PINS);
  expect(existsSync(join(folders.gate, 'ledger.db'))).toBe(false);
});

/** The usual log after a run whose own log has a text. */
function keptOf(text: string): string {
  const [folders, tasks] = [createRunFolders(tempFolder()), tempFolder()];
  writeFileSync(join(folders.gate, 'advisory.log'), text);
  keepAdvice(folders, tasks, 'agent-1');
  const kept = join(tasks, 'advisory.log');
  return existsSync(kept) ? readFileSync(kept, 'utf8') : '';
}

const ADVICE = 'style::small-steps: the file is long. Instead: split it.';

test('the advice of a run is kept as that of its agent, and a log that the agent made too long is dropped', () => {
  expect(keptOf(`${ADVICE}\n\n${ADVICE}\n`)).toBe(`agent-1: ${ADVICE}\n`.repeat(2));
  expect(keptOf(`${ADVICE}\n`.repeat(20_000))).toBe('');
});

test('lines that no gate writes are dropped, and what is not printable is made visible', () => {
  const forged = [
    '\u001B[31mforged',
    '{"agent":"other","text":"x"}',
    `other-agent: ${ADVICE}`,
    'a::b: c',
    ` ${ADVICE}`,
  ];
  expect(keptOf(forged.map((it) => `${it}\n`).join(''))).toBe('');
  expect(keptOf(`${ADVICE}\r`)).toBe('');
  expect(keptOf('a::b: c\u001B[31m\u202E. Instead: d.')).toBe('agent-1: a::b: c<U+001B>[31m<U+202E>. Instead: d.\n');
});

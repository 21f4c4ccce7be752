import type * as Fs from 'node:fs';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { guardingParts } from '../../../compiler/capabilities/hooks/guarding-parts.ts';
import { hookFor } from '../../../compiler/capabilities/hooks/hook-command.ts';
import { withHook } from '../../../compiler/capabilities/hooks/host-settings.ts';
import { writeSettings } from '../../../compiler/hosts/settings-text.ts';
import { readGuard, switchesIn } from '../../../compiler/tasks/use-cases/guard-state.ts';
import { canonicalJson, sha256 } from '../../../compiler/trust/canonical.ts';
import { tempFolder } from '../../support/folder.ts';

/** Names the folder that stands for that of an organisation, which belongs to the administrator of the machine. */
const MANAGED = 'VADE_TEST_MANAGED';

vi.mock('node:fs', async (original) => {
  const fs = await original<typeof Fs>();
  const there = (path: Fs.PathLike) =>
    String(path).replace(/^\/etc\/claude-code/, process.env['VADE_TEST_MANAGED'] ?? '/nowhere');
  return {
    ...fs,
    openSync: (path: Fs.PathLike, ...more: [Fs.OpenMode, Fs.Mode?]) => fs.openSync(there(path), ...more),
    readdirSync: (path: Fs.PathLike, ...more: []) => fs.readdirSync(there(path), ...more),
  };
});

const OFF = '{"disableAllHooks":true}';
const cwd = process.cwd();

afterEach(() => {
  process.chdir(cwd);
  vi.unstubAllEnvs();
});

function write(path: string, text: string): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

function places() {
  const [top, home, config, managed] = [tempFolder(), tempFolder(), tempFolder(), tempFolder()];
  const tasks = join(top, '.git/vade');
  vi.stubEnv(MANAGED, managed);
  const env = { HOME: home, CLAUDE_CONFIG_DIR: config };
  /** The entries of one kind. */
  const told = (kind: string, given: Readonly<Record<string, string>> = env) =>
    Object.entries(readGuard({ tasks, top }, given)).filter(([name]) => name.startsWith(`${kind} `));
  return { top, home, config, managed, tasks, told };
}

/** The digest of what guards in settings. */
const digestOf = (text: string, tasks: string) => sha256(canonicalJson(guardingParts(text, tasks)));

test('the guard has the switches of every layer of settings that a host reads, and where each stands', () => {
  const { top, home, config, tasks, told } = places();
  expect(told('settings')).toEqual([]);
  const layers = [
    join(home, '.claude/settings.json'),
    join(config, 'settings.json'),
    join(top, '.claude/settings.json'),
    join(top, '.claude/settings.local.json'),
  ];
  for (const it of layers) write(it, OFF);
  expect(told('settings')).toEqual(layers.map((it) => [`settings ${it}`, digestOf(OFF, tasks)]));
});

test('settings of an organisation are layers too: the one file, and each of the folder beside it in their order', () => {
  const { managed, told } = places();
  const names = ['managed-settings.json', 'managed-settings.d/20-more.json', 'managed-settings.d/30-most.json'];
  for (const it of [...names].reverse()) write(join(managed, it), OFF);
  expect(told('settings').map(([name]) => name)).toEqual(names.map((it) => `settings /etc/claude-code/${it}`));
});

test('settings that concern no gate are no part of the guard, and unreadable ones are as they stand', () => {
  const { home, tasks, told } = places();
  const file = write(join(home, '.claude/settings.json'), '{"model":"x"}');
  expect(told('settings')).toEqual([]);
  write(file, '{');
  expect(told('settings')).toEqual([[`settings ${file}`, digestOf('{', tasks)]]);
});

test('a host without a home and a folder of its own reads nothing of where it is started', () => {
  const { told } = places();
  const here = tempFolder();
  for (const it of ['.claude/settings.json', 'settings.json']) write(join(here, it), OFF);
  process.chdir(here);
  expect([told('settings', {}), told('settings', { HOME: '', CLAUDE_CONFIG_DIR: '' })]).toEqual([[], []]);
});

test('a gate that a hook of this repository starts is told by its digest, and that of another is not', () => {
  const { home, tasks, told } = places();
  const gateOf = (folder: string, of: string) => {
    const gate = write(join(tempFolder(), 'vade-gate.cjs'), folder);
    const settings = join(home, '.claude/settings.json');
    const pins = { key: sha256('key'), root: sha256('root') };
    return { gate, hook: hookFor({ node: '/node', gate, tasks: of, worktrees: '/trees', settings, ...pins }) };
  };
  const before = told('gate');
  const [own, other] = [gateOf('own', tasks), gateOf('other', '/elsewhere/vade')];
  const both = withHook(withHook({}, own.hook), other.hook);
  const file = write(join(home, '.claude/settings.json'), writeSettings(both, ''));
  expect(told('gate')).toEqual([...before, [`gate ${own.gate}`, sha256('own')]]);
  write(file, writeSettings(withHook({}, { ...own.hook, command: own.hook.command.replace('2; }', '0; }') }), ''));
  expect(told('gate')).toEqual(before);
});

test('the pinned key and the pinned root are part of the guard as soon as they are there', () => {
  const { tasks, told } = places();
  expect(told('pinned')).toEqual([]);
  write(join(tasks, 'orchestrator.pem'), 'a key');
  expect(told('pinned')).toEqual([['pinned orchestrator.pem', sha256('a key')]]);
  write(join(tasks, 'trust-root.json'), 'a root');
  expect(told('pinned')).toEqual([
    ['pinned orchestrator.pem', sha256('a key')],
    ['pinned trust-root.json', sha256('a root')],
  ]);
});

test('a folder in the place of a pinned file counts as none', () => {
  const { tasks, told } = places();
  mkdirSync(join(tasks, 'trust-root.json'), { recursive: true });
  expect(told('pinned')).toEqual([]);
});

test('the programs that judge are part of the guard', () => {
  const { told } = places();
  expect(told('program').map(([name]) => name)).toEqual(['program git', 'program node', 'program vade']);
});

test('in a worktree no switch is right, and each is told with the file that has it', () => {
  const worktree = tempFolder();
  const of = () => switchesIn(worktree, { tasks: '/tasks' });
  expect(of()).toEqual({});
  const [shared = '', local = ''] = ['settings', 'settings.local'].map((it) => join(worktree, `.claude/${it}.json`));
  write(shared, '{"env":{"A":"b"}}');
  expect(of()).toEqual({});
  write(local, OFF);
  expect(of()).toEqual({ [`settings ${local}`]: digestOf(OFF, '/tasks') });
  write(shared, 'no JSON');
  expect(of()).toEqual({
    [`settings ${shared}`]: digestOf('no JSON', '/tasks'),
    [`settings ${local}`]: digestOf(OFF, '/tasks'),
  });
});

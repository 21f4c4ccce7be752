import { describe, expect, test } from 'vitest';
import {
  hookFor,
  readHookCommand,
  readWorktreeCommand,
  worktreeHookFor,
} from '../../../compiler/capabilities/hooks/hook-command.ts';
import { installedHooks } from '../../../compiler/capabilities/hooks/host-settings.ts';
import {
  blocksOnFailure,
  judgeEnvironment,
  judgeHooks,
  judgeSwitch,
  judgeWorktreeHook,
  lineOf,
  worktreeLineOf,
} from '../../../compiler/capabilities/hooks/judge-hooks.ts';

const LINE = {
  node: '/usr/bin/node',
  gate: "/opt/it's/vade-gate.cjs",
  tasks: '/repo/.git/vade',
  key: 'a'.repeat(64),
  root: 'b'.repeat(64),
  worktrees: '/repo.worktrees',
  settings: "/home/me/.claude/it's settings.json",
};
const HOOK = hookFor(LINE);

const settingsWith = (...entries: object[]) => ({ hooks: { PreToolUse: entries } });
const faultsOf = (settings: Record<string, unknown>, tasks = LINE.tasks) =>
  judgeHooks(settings, installedHooks(settings), tasks).map((it) => it.code);

describe('the words of a hook that gives worktrees', () => {
  const GIVER = { node: "/opt/n'ode", vade: '/opt/vade/main.js', tasks: "/re'po/.git/vade", key: 'c'.repeat(64) };
  const hook = worktreeHookFor(GIVER);
  const found = (changed: object) =>
    installedHooks({ hooks: { WorktreeCreate: [{ hooks: [{ ...hook, ...changed }] }] } }, 'WorktreeCreate');

  test('a command says again what it was made of, and any other letter makes it another one', () => {
    expect(hook.command).toBe(
      `NODE_OPTIONS= NODE_PATH= '/opt/n'\\''ode' '/opt/vade/main.js' task worktree --tasks '/re'\\''po/.git/vade' --orchestrator ${GIVER.key}`,
    );
    expect(readWorktreeCommand(hook.command)).toEqual(GIVER);
    for (const changed of [`${hook.command} `, `x; ${hook.command}`, hook.command.replace('worktree', 'list')]) {
      expect(readWorktreeCommand(changed)).toBeNull();
    }
  });

  test('it is found by what it starts, and altered if any field is not as it was installed', () => {
    expect(found({}).map(worktreeLineOf)).toEqual([{ tasks: GIVER.tasks, line: GIVER }]);
    expect(found({}).flatMap(judgeWorktreeHook)).toEqual([]);
    for (const changed of [{ timeout: 1 }, { onFailure: 'allow' }, { command: `x; ${hook.command}` }]) {
      expect(
        found(changed)
          .flatMap(judgeWorktreeHook)
          .map((it) => it.code),
      ).toEqual(['hook_altered']);
    }
    expect(found({ command: 'vade-gate.cjs' })).toEqual([]);
    expect(found({ command: 7 })).toEqual([]);
    expect(worktreeLineOf({ matcher: null, hook: { command: 7 } })).toEqual({ tasks: null, line: null });
    expect(lineOf({ matcher: null, hook: {} })).toEqual({ tasks: null, line: null });
  });
});

describe('the words of installed hooks', () => {
  test('a command says again what it was made of, and any other letter makes it another one', () => {
    expect(readHookCommand(HOOK.command)).toEqual(LINE);
    for (const changed of [`${HOOK.command} `, HOOK.command.replace('exit 2', 'exit 0'), `true; ${HOOK.command}`]) {
      expect(readHookCommand(changed)).toBeNull();
    }
  });

  test('a hook for every tool, as it was installed, has no fault', () => {
    expect(faultsOf(settingsWith({ matcher: '*', hooks: [HOOK] }))).toEqual([]);
    expect(faultsOf(settingsWith({ matcher: 'Bash', hooks: [{ command: 'x' }] }, { hooks: [HOOK] }))).toEqual([]);
  });

  test('a hook for every tool does not stand in for that of another repository', () => {
    const other = hookFor({ ...LINE, tasks: '/other/.git/vade' });
    const both = settingsWith({ matcher: 'Bash', hooks: [HOOK] }, { matcher: '*', hooks: [other] });
    expect(faultsOf(both)).toEqual(['matcher_too_narrow']);
  });

  test('a hook whose fields stand in another order is as it was installed', () => {
    const turned = Object.fromEntries(Object.entries(HOOK).reverse());
    expect(JSON.stringify(turned)).not.toBe(JSON.stringify(HOOK));
    expect(faultsOf(settingsWith({ matcher: '*', hooks: [turned] }))).toEqual([]);
  });

  test('no hook, or one for the bindings of another repository, is missing', () => {
    expect(faultsOf({})).toEqual(['hook_missing']);
    expect(faultsOf(settingsWith({ matcher: '*', hooks: [HOOK] }), '/other/.git/vade')).toEqual(['hook_missing']);
  });

  test.each([
    ['a weaker end', { command: HOOK.command.replace('exit 2', 'exit 0') }],
    ['no word on failure', { onFailure: undefined }],
    ['another timeout', { timeout: 1 }],
    ['a field that it did not have', { async: true }],
    ['another type', { type: 'prompt' }],
  ])('a hook with %s is altered', (_, change) => {
    const hook = JSON.parse(JSON.stringify({ ...HOOK, ...change })) as object;
    expect(faultsOf(settingsWith({ matcher: '*', hooks: [hook] }))).toEqual(['hook_altered']);
  });

  test('a command that starts a gate in words of its own is altered, and that of the repository is missing', () => {
    const own = { type: 'command', command: 'node /tmp/vade-gate.cjs || true' };
    expect(faultsOf(settingsWith({ matcher: '*', hooks: [own] }))).toEqual(['hook_missing', 'hook_altered']);
  });

  test.each([
    ['Bash|Edit|Write', ['MultiEdit', 'NotebookEdit', 'Agent', 'Task']],
    ['bash', ['Bash']],
    ['(', ['Bash']],
    ['Bash|Edit|Write|MultiEdit|NotebookEdit|Agent|Task|Read|Glob|Grep|WebFetch|WebSearch', ['mcp__server__tool']],
  ])('the matcher %s misses tools', (matcher, missed) => {
    const settings = settingsWith({ matcher, hooks: [HOOK] });
    const [fault] = judgeHooks(settings, installedHooks(settings), LINE.tasks);
    expect(fault?.code).toBe('matcher_too_narrow');
    for (const tool of missed) expect(fault?.message).toContain(tool);
  });

  test('two matchers may mean every tool together, and so may a regular expression', () => {
    expect(faultsOf(settingsWith({ matcher: '.*', hooks: [HOOK] }))).toEqual([]);
    const two = settingsWith({ matcher: 'Bash', hooks: [HOOK] }, { matcher: '[^B].*', hooks: [HOOK] });
    expect(faultsOf(two)).toEqual([]);
  });

  test('settings that switch all hooks off are a fault', () => {
    const settings = { ...settingsWith({ matcher: '*', hooks: [HOOK] }), disableAllHooks: true };
    expect(faultsOf(settings)).toEqual(['hooks_disabled']);
    expect(judgeSwitch({ disableAllHooks: false }, 'x')).toEqual([]);
  });

  test('the switches of the environment are told, with their values', () => {
    expect(judgeEnvironment({})).toEqual([]);
    expect(judgeEnvironment({ KEI_DISABLED_HOOKS: '', KEI_HOOK_PROFILE: 'off' }).map((it) => it.code)).toEqual([
      'switch_set',
    ]);
  });

  test.each([
    ['2.1.294', false],
    ['2.1.295', true],
    ['2.2.0', true],
    ['2.0.999', false],
    ['1.9.400', false],
    ['10.0.0', true],
    ['', null],
    ['v2', null],
  ])('version %s of the host blocks on a failing hook: %s', (version, blocks) => {
    expect(blocksOnFailure(version)).toBe(blocks);
  });
});

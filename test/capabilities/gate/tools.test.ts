import { describe, expect, test } from 'vitest';
import { gateEntry, gateOn, roleWith } from '../../support/gate.ts';

const WRITES = 'PreToolUse:Edit|Write';
const WHITELIST = gateEntry('scope::files-whitelist', WRITES, { parameters: ['files-whitelist'] });
const allowed = ['*'];

function under(gates: readonly ReturnType<typeof gateEntry>[], tools: object = {}) {
  return gateOn(() => ({ role: roleWith({ gates: [...gates], tools: { allowed, denied: [], ...tools } }) }));
}

describe('M5: a tool that nothing is known of', () => {
  const gate = under([WHITELIST]);

  test.each<[string, Record<string, unknown>]>([
    ['mcp__fs__write_file', { path: 'package.json', content: 'x' }],
    ['Update', { file_path: 'package.json' }],
    ['mcp__fs__move', { from: 'src/a.ts', to: 'lib/a.ts' }],
    ['mcp__fs__many', { files: [{ name: 'lib/a' }] }],
    ['mcp__fs__tree', { files: { 'lib/a.ts': 'x' } }],
    ['ApplyPatch', { input: '*** Begin Patch\n*** Update File: package.json\n@@\n' }],
    ['ApplyPatch', { patch: '--- a/package.json\n+++ b/package.json\n' }],
    ['mcp__fs__write_file', { uri: 'file:///etc/passwd' }],
    ['mcp__fs__write_file', { directory: '..' }],
    ['mcp__fs__write_file', { root: '..' }],
    ['mcp__fs__write_file', { uri: 'FILE:///etc/passwd' }],
    ['mcp__fs__write_file', { filename: 'package.json\n' }],
    ['mcp__vadefs__write_file', { path: 'package.json' }],
  ])('%s is judged by the paths in its input: %j', (tool, input) => {
    expect(gate.ask(tool, input).answer.exit).toBe(2);
  });

  test.each<[string, Record<string, unknown>]>([
    ['mcp__fs__write_file', { path: 'src/a.ts', content: 'see lib/a.ts and package.json' }],
    ['mcp__web__get', { url: 'https://example.org/a/b.html' }],
    ['mcp__issues__comment', { body: 'Fixed in the last commit.' }],
    ['mcp__vademecum__recall_instruction', { intent: 'write', files: ['lib/a.ts'] }],
    ['mcp__handbook__close_recall', { used_chunks: ['lib/a.ts'] }],
    ['mcp__vade-brief__read_brief', { path: 'lib/a.ts' }],
    ['SendMessage', { to: 'lead', message: 'done' }],
    ['Read', { file_path: '/etc/hosts' }],
  ])('%s is let through where it names none: %j', (tool, input) => {
    expect(gate.ask(tool, input).answer.exit).toBe(0);
  });

  test('a role that lists it as reading only lets it read everywhere', () => {
    const reads = under([WHITELIST], { reading: ['mcp__fs__read'] });
    const ask = (it: string) => reads.ask(it, { path: 'lib/a.ts' }).answer.exit;
    expect([ask('mcp__fs__read'), ask('mcp__fs__put')]).toEqual([0, 2]);
  });

  test('tools::read-only denies it what it would write', () => {
    const only = under([gateEntry('tools::read-only', WRITES)]);
    expect(only.ask('mcp__fs__write_file', { path: 'src/a.ts' }).answer.exit).toBe(2);
    expect(only.ask('mcp__fs__list', {}).answer.exit).toBe(0);
  });
});

describe('L9: an agent without a whitelist', () => {
  const gate = under([]);

  test('writes in its worktree and in temporary folders', () => {
    expect(gate.ask('Write', { file_path: `${gate.worktree}/lib/x` }).answer.exit).toBe(0);
    expect(
      ['echo x > lib/x', 'touch /tmp/x', 'rm -rf /tmp/x', 'echo x > /dev/null'].filter(
        (it) => gate.bash(it).answer.exit !== 0,
      ),
    ).toEqual([]);
  });

  test('writes nowhere else', () => {
    const files = ['/srv/shop/tasks/t1/task.toml', '/etc/passwd', '/home/ann/notes.md', '../two/x'];
    expect(files.filter((it) => gate.ask('Write', { file_path: it }).answer.exit !== 2)).toEqual([]);
    expect(files.filter((it) => gate.bash(`echo x > ${it}`).answer.exit !== 2)).toEqual([]);
    expect(gate.ask('mcp__fs__put', { path: '/etc/passwd' }).answer.exit).toBe(2);
  });
});

describe('a list of commands', () => {
  const gate = under([gateEntry('tools::cargo-only-bash', 'PreToolUse:Bash', { patterns: ['^cargo( |$)'] })]);

  test.each([
    'echo "fn main(){}" > build.rs',
    'printf x >> src/a',
    'cargo check > src/a',
    'pwd > a',
    'cargo check &> a',
    'cargo check >| a',
  ])('M6: it does not let a redirection write: %s', (command) => {
    expect(gate.bash(command).answer.exit).toBe(2);
  });

  test.each([
    'cargo --config \'build.rustc-wrapper="x"\' build',
    'cargo --config=x.toml check',
    'cargo -Z unstable-options check',
    'cargo +nightly check',
    'cargo install x',
  ])('L11: cargo starts no other program: %s', (command) => {
    expect(gate.bash(command).answer.exit).toBe(2);
  });

  test.each([
    'cargo check 2>&1',
    'cargo test > /dev/null',
    'cargo test 2> /tmp/log',
    'cargo check > target/log',
    'cargo build -p install-x',
  ])('it lets %s through', (command) => {
    expect(gate.bash(command).answer.exit).toBe(0);
  });
});

import { describe, expect, test } from 'vitest';
import { MANIFESTS } from '../../../compiler/capabilities/effects/dependencies.ts';
import { matchesAnyCase } from '../../../compiler/capabilities/paths/patterns.ts';
import { ECOSYSTEMS } from '../../../compiler/tasks/checks/ecosystems.ts';
import { bash, outcomes } from '../../support/outcomes.ts';

const WRITES = 'PreToolUse:Edit|Write';

describe('safety::no-dep-bump', () => {
  test('M7, L10: manifests of every ecosystem that verify tests are in its table, in any case of letters', () => {
    const files = ECOSYSTEMS.flatMap((it) => [...it.locks, ...it.manifests]);
    const steers = ['pytest.ini', 'tox.ini', 'vendor/modules.txt'];
    expect(files.filter((it) => !matchesAnyCase(it, MANIFESTS) && !steers.includes(it))).toEqual([]);
    const others = [
      'deno.json',
      'a/b.csproj',
      'pubspec.yaml',
      'mix.exs',
      'requirements/dev.txt',
      'setup.py',
      'CARGO.TOML',
    ];
    expect(outcomes('safety::no-dep-bump', WRITES, others)).toEqual(others.map(() => 'deny'));
  });

  test('its files are denied to every tool, others are not its matter', () => {
    expect(
      outcomes('safety::no-dep-bump', WRITES, ['a/go.mod', 'a/x', bash('tee a/yarn.lock'), bash('$X'), bash('ls')]),
    ).toEqual(['deny', 'allow', 'deny', 'deny', 'allow']);
    expect(outcomes('safety::no-dep-bump', WRITES, ['go.mod'], { 'allow-dependency-changes': true })).toEqual([
      'not_applicable',
    ]);
    expect(
      outcomes('safety::no-dep-bump', WRITES, ['go.mod'], { 'allow-dependency-changes': true }, { parameters: [] }),
    ).toEqual(['deny']);
  });

  test('a call without a file and without a command is not its matter', () => {
    const calls = [{ tool: 'mcp__a__b', input: {} }, bash('ls')];
    expect(outcomes('safety::no-dep-bump', WRITES, calls)).toEqual(['not_applicable', 'allow']);
  });
});

describe('the lists of a task', () => {
  test.each<[string, string]>([
    ['src/x', 'allow'],
    ['lib/x', 'deny'],
    ['/tmp/x', 'deny'],
    ['node_modules/x', 'deny'],
    ['../x', 'deny'],
  ])('a whitelist of src/** lets %s: %s', (path, outcome) => {
    expect(outcomes('scope::files-whitelist', WRITES, [path], { 'files-whitelist': ['src/**'] })).toEqual([outcome]);
  });

  test('files that hold a single truth may be written besides the whitelist, and limit nothing alone', () => {
    const of = (task: Record<string, string[]>) =>
      outcomes('scope::files-whitelist', WRITES, ['src/x', 'docs/x', 'x'], task);
    expect(of({ 'files-whitelist': ['src/**'], 'ssot-patterns': ['docs/**'] })).toEqual(['allow', 'allow', 'deny']);
    expect(of({ 'ssot-patterns': ['docs/**'] })).toEqual(['not_applicable', 'not_applicable', 'not_applicable']);
  });

  test('a shell may also leave what builds leave', () => {
    const calls = ['tee node_modules/x', 'rm -r a/dist', 'tee x.log', 'ls', 'tee lib/x', 'tee ../x', '$X'].map(bash);
    const wanted = ['allow', 'allow', 'allow', 'not_applicable', 'deny', 'deny', 'deny'];
    expect(outcomes('scope::files-whitelist', WRITES, calls, { 'files-whitelist': ['src/**'] })).toEqual(wanted);
    expect(outcomes('scope::files-whitelist', WRITES, calls, { 'files-whitelist': [] })).toEqual(
      calls.map(() => 'not_applicable'),
    );
  });

  test('a folder goes with the denied files in it, one that is only written does not', () => {
    const calls = [
      'rm -r a',
      'mv a b',
      'rm a',
      'tee a',
      'rm a -r',
      'rm -r .',
      'rm -r b',
      'tee a/secret/x',
      'rm -r a/secret/y',
    ].map(bash);
    const wanted = ['deny', 'deny', 'allow', 'allow', 'deny', 'deny', 'allow', 'deny', 'deny'];
    expect(outcomes('scope::files-denylist', WRITES, calls, { 'files-denylist': ['a/secret/**', 'x/*.key'] })).toEqual(
      wanted,
    );
  });

  test('a list of another type denies the call', () => {
    expect(outcomes('scope::files-denylist', WRITES, ['a'], { 'files-denylist': true })).toEqual(['unusable']);
  });
});

test('scope::no-rule-edits names the rules of agents, in the worktree and at home', () => {
  const denied = [
    'CLAUDE.md',
    'a/AGENTS.md',
    '.claude/rules/x',
    'a/.claude/rules/b/x',
    '~/.claude/rules/x',
    '~/.claude/CLAUDE.md',
  ];
  expect(outcomes('scope::no-rule-edits', WRITES, denied)).toEqual(denied.map(() => 'deny'));
  expect(
    outcomes('scope::no-rule-edits', WRITES, ['x.md', '~/x', bash('ls'), bash('$X'), bash('tee AGENTS.md')]),
  ).toEqual(['allow', 'allow', 'not_applicable', 'deny', 'deny']);
});

test('a list of commands knows programs that are only asked, variables that change nothing, and no code', () => {
  const of = (...commands: string[]) => outcomes('tools::cargo-only-bash', 'PreToolUse:Bash', commands.map(bash));
  const allowed = [
    'cargo test',
    'CI=1 cargo test',
    'echo a',
    'timeout 5 cargo test',
    'cd a && cargo test',
    'RUST_LOG=x cargo run',
  ];
  expect(of(...allowed)).toEqual(allowed.map(() => 'allow'));
  const denied = [
    'ls',
    'X=1 cargo test',
    './echo a',
    'timeout 5 ls',
    'bash -c "cargo test"',
    '$X',
    'cargo-x',
    'sh <<< "cargo test"',
  ];
  expect(of(...denied)).toEqual(denied.map(() => 'deny'));
});

test('tools::read-only lets nothing of the worktree be written', () => {
  const calls = ['x', bash('tee x'), bash('ls'), bash('$X'), bash('tee "$X"')];
  expect(outcomes('tools::read-only', WRITES, calls)).toEqual(['deny', 'deny', 'allow', 'deny', 'deny']);
  const tools = ['Edit', 'Write', 'MultiEdit', 'NotebookEdit'].map((tool) => ({
    tool,
    input: { file_path: 'x', notebook_path: 'x' },
  }));
  expect(outcomes('tools::read-only', WRITES, tools)).toEqual(tools.map(() => 'deny'));
});

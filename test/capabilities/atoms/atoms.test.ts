import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Binding } from '../../../compiler/schema/capability/binding.ts';
import { gateEntry, gateOn, roleWith } from '../../support/gate.ts';

const WRITES = 'PreToolUse:Bash|Edit|Write';

function under(gates: Binding['role']['gates'], more: Partial<Binding> = {}, role: Partial<Binding['role']> = {}) {
  return gateOn(() => ({ role: roleWith({ gates, ...role }), ...more }));
}

function wrong(gate: ReturnType<typeof gateOn>, wanted: 0 | 2, commands: readonly string[]): string[] {
  return commands.filter((it) => gate.bash(it).answer.exit !== wanted);
}

describe('what guards the agents', () => {
  const gate = under([]);

  test('no agent writes it by a tool, whatever its lists say', () => {
    const paths = [
      '.claude/settings.json',
      '.claude/settings.local.json',
      '.claude/hooks/x',
      '.git/hooks/pre-push',
      '.vade/key.pem',
    ];
    const files = [...paths, '../../vade/bindings/x.json', join(gate.home, '.claude/settings.json'), gate.own.gate];
    const tools = [...files, '~/.bashrc'].flatMap((it) =>
      ['Edit', 'Write', 'MultiEdit'].map((tool) => [tool, it] as const),
    );
    expect(tools.filter(([tool, file_path]) => gate.ask(tool, { file_path }).answer.exit !== 2)).toEqual([]);
  });

  test('no agent writes it by a shell', () => {
    symlinkSync(gate.home, join(gate.worktree, 'src', 'way'));
    mkdirSync(join(gate.home, '.claude'));
    expect(
      wrong(gate, 2, [
        'echo {} > .claude/settings.json',
        'cd .claude && echo {} > settings.json',
        'cd .claude; tee settings.json < x',
        'cp x .claude/settings.json',
        'cp settings.json .claude/',
        'mv .claude old',
        'rm -rf .claude',
        'ln -sf /tmp/x .claude/settings.json',
        'ln -s /tmp/x .claude',
        'sed -i s/a/b/ .claude/settings.json',
        'echo x > src/way/.claude/settings.json',
        'echo x >> ~/.claude/settings.json',
        'd=.claude; echo x > $d/settings.json',
        'echo x > .cl"aude"/settings.json',
        'echo x > .git/hooks/pre-push',
        'echo x > .git/config',
        'rm -rf .git',
        'rm ../../vade/bindings/*',
        `rm -rf ${gate.own.folder}`,
        `echo x > ${gate.own.gate}`,
        "python3 -c \"open('.claude/settings.json', 'w')\"",
        "python3 <<'E'\nopen('.claude/settings.json', 'w')\nE",
        "node -e \"require('fs').writeFileSync('.git/hooks/pre-push', '')\"",
        'chmod -x .claude/hooks/gate',
        'patch .claude/settings.json < x',
        'tar xf x -C .claude',
        'echo "alias g=git" >> ~/.bashrc',
        'truncate -s 0 .claude/settings.json',
        'install -m 644 x .claude/settings.json',
        'rsync x .claude/settings.json',
        'some-tool --out .claude/settings.json',
      ]),
    ).toEqual([]);
    expect(wrong(gate, 0, ['cat .claude/settings.json', 'grep x .git/config', 'ls .git/hooks', 'echo x > y'])).toEqual(
      [],
    );
  });
});

describe('the lists of a role', () => {
  test('only its tools may be used', () => {
    const gate = under([], {}, { tools: { allowed: ['Read', 'Bash'], denied: ['Read'] } });
    expect(['Bash', 'Read', 'Write'].map((it) => gate.ask(it, { command: 'ls', file_path: 'x' }).answer.exit)).toEqual([
      0, 2, 2,
    ]);
  });

  test('every program of a command matches its list, also inside of others', () => {
    const gate = under([], {}, { shell: { allowed: ['^cargo( |$)', '^mkdir( |$)', '^rm -rf /tmp/'] } });
    expect(
      wrong(gate, 0, [
        'cargo test',
        'cd x && cargo check',
        'mkdir a',
        'rm -rf /tmp/x',
        'timeout 5 cargo test',
        'pnpm exec cargo test',
        'poetry run cargo test',
        'RUST_LOG=debug cargo check',
        'export RUST_LOG=debug CI; cargo check',
        'set -eu; n=3; cargo test',
        'local x=1; declare -r y=2; path=src; cargo test',
      ]),
    ).toEqual([]);
    expect(
      wrong(gate, 2, [
        'ls',
        'cargo check; ls',
        'pnpm add x',
        'poetry publish',
        'pipx install x',
        'nx deploy',
        'aws-vault remove x',
        'cargo check $(ls)',
        './cargo check',
        'PATH=. cargo check',
        'RUSTC_WRAPPER=x cargo check',
        // L8: it can name a linker
        'RUSTFLAGS=-Dwarnings cargo check',
        'export RUSTFLAGS=-Dwarnings; cargo check',
        'RUSTFLAGS=-Dwarnings; export RUSTFLAGS; cargo check',
        'declare -x RUSTFLAGS+=-Clinker=x; cargo check',
        'set -a; RUSTFLAGS=-Dwarnings; cargo check',
        'set -o allexport; RUSTFLAGS=-Dwarnings; cargo check',
        'PATH=.; cargo check',
        'PATH=.:$PATH && cargo check',
        'env RUSTFLAGS="-C linker=x" cargo check',
        'CARGO_ENCODED_RUSTFLAGS=-Clinker=x cargo check',
        'RUSTDOCFLAGS=-Clinker=x cargo doc',
        'env PATH=. cargo check',
        'bash x.sh',
        'xargs ls',
        'cargo() { ls; }; cargo',
        'rm -rf /',
        'cargo check <(ls)',
        'eval ls',
      ]),
    ).toEqual([]);
  });

  test('an agent starts only agents that its binding names', () => {
    const gate = under([], { spawns: ['critic'] });
    expect(gate.ask('Agent', { subagent_type: 'critic' }).answer.exit).toBe(0);
    expect(gate.ask('Task', { subagent_type: 'git-ops' }).answer.exit).toBe(2);
  });
});

test('safety::no-dep-bump denies changes of dependencies until the task opts in', () => {
  const entry = gateEntry('safety::no-dep-bump', WRITES, { parameters: ['allow-dependency-changes'] });
  const gate = under([entry]);
  const denied = [
    'npm install left-pad',
    'cargo add serde',
    'sed -i s/1/2/ Cargo.toml',
    'yarn add x',
    'go get x',
    'sh -c "npm i x"',
  ];
  expect(wrong(gate, 2, denied)).toEqual([]);
  expect(
    wrong(gate, 0, ['npm install', 'npm ci', 'cargo build', 'pip install -r requirements.txt', 'cat Cargo.toml']),
  ).toEqual([]);
  expect(gate.ask('Edit', { file_path: 'crates/a/Cargo.toml' }).answer.exit).toBe(2);
  const open = under([entry], { parameters: { 'allow-dependency-changes': true } });
  expect(wrong(open, 0, denied)).toEqual([]);
});

test('safety::no-mass-delete counts the files on the disk', () => {
  const gate = under([gateEntry('safety::no-mass-delete', 'PreToolUse:Bash', { parameters: ['mass-delete-max'] })], {
    parameters: { 'mass-delete-max': 5 },
  });
  for (const folder of ['many', 'few', 'node_modules']) mkdirSync(join(gate.worktree, folder));
  for (let n = 0; n < 9; n++)
    for (const it of ['many', 'node_modules']) writeFileSync(join(gate.worktree, it, `${n}.txt`), '');
  writeFileSync(join(gate.worktree, 'few', '1.txt'), '');
  const denied = [
    'rm -rf many',
    'rm many/*',
    'rm -rf .',
    'rm -rf /',
    'rm -rf ~',
    'find many -delete',
    'find . -name "*.txt" -delete',
  ];
  expect(wrong(gate, 2, [...denied, 'rm -rf "$X"', 'rm -rf $X/', 'rm -rf many/../many', 'sh -c "rm -r many"'])).toEqual(
    [],
  );
  expect(
    wrong(gate, 0, ['rm -rf few', 'rm -rf node_modules', 'rm many/1.txt', 'rm -rf /tmp/x', 'find few -delete']),
  ).toEqual([]);
});

test('scope::no-rule-edits holds outside of the worktree too', () => {
  const gate = under([gateEntry('scope::no-rule-edits', WRITES)]);
  expect(gate.ask('Write', { file_path: join(gate.home, '.claude/rules/git.md') }).answer.exit).toBe(2);
  expect(wrong(gate, 2, ['echo x >> ~/.claude/rules/git.md', 'cp x CLAUDE.md', 'tee docs/AGENTS.md'])).toEqual([]);
  expect(wrong(gate, 0, ['cat ~/.claude/rules/git.md', 'echo x > notes.md'])).toEqual([]);
});

test('tools::read-only and tools::cargo-only-bash leave an explorer cargo alone', () => {
  const readOnly = gateEntry('tools::read-only', WRITES, { tools_denied: ['Edit', 'Write'] });
  const gate = under([readOnly, gateEntry('tools::cargo-only-bash', 'PreToolUse:Bash', { patterns: ['^cargo( |$)'] })]);
  expect(['Edit', 'Write', 'MultiEdit'].map((it) => gate.ask(it, { file_path: 'x' }).answer.exit)).toEqual([2, 2, 2]);
  expect(gate.ask('Read', { file_path: 'x' }).answer.exit).toBe(0);
  expect(wrong(gate, 0, ['cargo check', 'cargo test --workspace'])).toEqual([]);
  expect(wrong(gate, 2, ['ls', 'bash -c "cargo check"', 'cargo check; rm x', 'cargo check > src/x'])).toEqual([]);
});

test('a warning lets the call through and says so; what is advisory says nothing', () => {
  const of = (severity: 'advisory' | 'warn') =>
    under([gateEntry('policy::no-git-ops', 'PreToolUse:Bash', { severity })]).bash('git push').answer;
  expect(of('warn')).toMatchObject({ exit: 0, stderr: expect.stringContaining('policy::no-git-ops') as string });
  expect(of('advisory')).toMatchObject({ exit: 0, stderr: '', log: [expect.stringContaining('policy::no-git-ops')] });
});

test('only an atom that may be relaxed can be switched off by a variable', () => {
  const exitOf = (relaxable: boolean, env: Record<string, string>) => {
    const entry = gateEntry('policy::no-git-ops', 'PreToolUse:Bash', { relaxable, bypass_env: 'ORCHESTRATOR_META' });
    return gateOn(() => ({ role: roleWith({ gates: [entry] }) }), env).bash('git push').answer.exit;
  };
  const switches = [{ ORCHESTRATOR_META: '1' }, { KEI_DISABLED_HOOKS: 'a,vade-gate' }, { KEI_HOOK_PROFILE: 'off' }];
  expect(switches.map((it) => exitOf(false, it))).toEqual([2, 2, 2]);
  expect(switches.map((it) => exitOf(true, it))).toEqual([0, 0, 0]);
  expect(exitOf(true, { ORCHESTRATOR_META: '0' })).toBe(2);
});

test.each([
  ['a module that is unknown', { module: 'gates::nothing' }],
  ['a module named like a property of every object', { module: 'constructor' }],
  ['a pattern that is none', { patterns: ['('] }],
  ['an event that is none', { event: 'nonsense' }],
])('%s denies the call', (_, broken) => {
  expect(under([gateEntry('policy::no-git-ops', 'PreToolUse:Bash', broken)]).bash('ls').answer.exit).toBe(2);
});

import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Binding } from '../../../compiler/schema/capability/binding.ts';
import { gateEntry, gateOn, roleWith } from '../../support/gate.ts';

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
  ['a module named like a property of every object', { module: 'constructor' }],
  ['a pattern that is none', { patterns: ['('] }],
])('%s denies the call', (_, broken) => {
  expect(under([gateEntry('policy::no-git-ops', 'PreToolUse:Bash', broken)]).bash('ls').answer.exit).toBe(2);
});

import { describe, expect, test } from 'vitest';
import { MANIFESTS } from '../../../compiler/capabilities/effects/dependencies.ts';
import { matchesAnyCase } from '../../../compiler/capabilities/paths/patterns.ts';
import { ECOSYSTEMS } from '../../../compiler/tasks/checks/ecosystems.ts';
import { bash, outcomes } from '../../support/outcomes.ts';

const WRITES = 'PreToolUse:Edit|Write';

describe('safety::no-dep-bump', () => {
  const of = (commands: readonly string[]) => outcomes('safety::no-dep-bump', WRITES, commands.map(bash));
  const verbs = {
    npm: 'update up upgrade uninstall un remove rm r dedupe ddp shrinkwrap pkg',
    pnpm: 'add update up upgrade remove rm uninstall un dedupe',
    yarn: 'add remove upgrade up upgrade-interactive dedupe set',
    bun: 'add a remove rm update',
    cargo: 'add rm remove update upgrade generate-lockfile',
    poetry: 'add remove update lock',
    uv: 'add remove lock',
    pdm: 'add remove update lock',
    pipenv: 'update uninstall lock upgrade',
    go: 'get',
    bundle: 'add update remove lock',
    composer: 'require remove update',
  };

  test.each(Object.entries(verbs))('%s changes dependencies by %s', (program, all) => {
    const commands = all.split(' ').map((it) => `${program} ${it}`);
    expect(of(commands)).toEqual(commands.map(() => 'deny'));
  });

  test.each([
    'npm install',
    'npm i',
    'npm in',
    'npm add',
    'pnpm install',
    'pnpm i',
    'bun install',
    'bun i',
    'pipenv install',
  ])('%s is allowed, and with a package denied', (command) => {
    const commands = [command, `${command} --silent`, `${command} x`, `${command} -D x`];
    expect(of(commands)).toEqual(['allow', 'allow', 'deny', 'deny']);
  });

  test('options before the verb, workspaces and what is installed elsewhere are known', () => {
    const denied = [
      'npm -C a i x',
      'npm --prefix a i x',
      'yarn --cwd a add x',
      'pnpm --dir a add x',
      'pnpm -F a add x',
    ];
    const more = ['pnpm --filter a add x', 'cargo --manifest-path a add x', 'yarn workspace a add x', 'npm audit fix'];
    expect(of([...denied, ...more])).toEqual([...denied, ...more].map(() => 'deny'));
    const allowed = ['npm i -g x', 'npm i --global x', 'npm i --no-save x', 'npm audit', 'npm test'];
    expect(of(allowed)).toEqual(allowed.map(() => 'allow'));
  });

  test.each([
    'go mod tidy',
    'go mod edit -require=x@v1',
    'npm init -y',
    'npm link x',
    'npx npm-check-updates -u',
    'ncu -u',
    'yarn import',
    'pnpm import',
    'pnpm link ../x',
    'poetry init -n',
    'python3 -m poetry add x',
    'uv sync --upgrade',
    'uv init',
    'pip-compile requirements.in',
    'cargo -Z x add y',
    'cargo init',
    'cargo new x',
    'deno add jsr:@a/b',
    'jsr add @a/b',
    'corepack use pnpm@9',
    'corepack pnpm add x',
    'dotnet add package x',
    'dotnet add src/a.csproj package x',
    'flutter pub add x',
    'mix deps.update --all',
    'bundle init',
    'composer bump',
    'mvn versions:use-latest-releases',
    './gradlew dependencies --write-locks',
    'swift package update',
  ])('M7: %s changes dependencies', (command) => {
    expect(of([command])).toEqual(['deny']);
  });

  test.each([
    'go mod verify',
    'go mod edit -json',
    'uv sync --frozen',
    'uv lock --check',
    'ncu',
    'deno task build',
    'dotnet restore',
    'mix deps.get',
    'flutter pub get',
    'mvn versions:display-dependency-updates',
    './gradlew build',
  ])('%s changes none', (command) => {
    expect(of([command])).toEqual(['allow']);
  });

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

import { describe, expect, test } from 'vitest';
import { bash, outcomes } from '../../support/outcomes.ts';

describe('commands that change what a project depends on', () => {
  const of = (commands: readonly string[]) =>
    outcomes('safety::no-dep-bump', 'PreToolUse:Bash|Edit|Write', commands.map(bash));
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
});

import { expect, test } from 'vitest';
import { keepsScript, makesRelease, makesVersion } from '../../../compiler/capabilities/atoms/git-releases.ts';

type Judge = (name: string, args: readonly string[]) => boolean;
const of = (judge: Judge, lines: readonly string[]) =>
  lines.filter((it) => {
    const [name = '', ...args] = it.split(' ');
    return judge(name, args);
  });

test('a program of releases commits and tags unless it is only asked', () => {
  const releases = [
    'standard-version',
    'release-it --ci',
    'np',
    'cz bump',
    'lerna publish',
    'lerna version',
    'cargo release',
    'cargo --x a b release',
    'mvn release:prepare',
    'mvnw release:rollback',
    'goreleaser publish',
    'auto shipit',
    'monorepo release',
    'nbgv tag',
    'changeset publish',
    'nx release',
  ];
  // lerna's own `version` is the word of other programs for a question; makesVersion knows it
  const told = releases.filter((it) => it !== 'lerna version');
  expect(of(makesRelease, releases)).toEqual(told);
  const asked = ['--dry-run', '--help', '-h', '--version', 'version', 'check', 'info', 'help'];
  expect(
    of(
      makesRelease,
      asked.map((it) => `np ${it}`),
    ),
  ).toEqual([]);
  const others = ['cargo build', 'cargo a b c release', 'nx build', 'constructor release', 'ls', 'changeset add'];
  expect(of(makesRelease, others)).toEqual([]);
});

test('a package manager makes a commit and a tag where it is given a version, unless it is told to make none', () => {
  const makes = ['npm version patch', 'yarn version', 'pnpm version', 'lerna version', 'bun version 1'];
  const placed = ['npm -C a version 1', 'npm --prefix a version 1', 'yarn --cwd a version', 'pnpm --dir a version'];
  expect(of(makesVersion, [...makes, ...placed])).toEqual([...makes, ...placed]);
  const others = ['npm version', 'npm version patch --no-git-tag-version', 'npm view version', 'ls version patch'];
  expect(of(makesVersion, others)).toEqual([]);
});

test('a script that a package manager keeps for later may hold no command of git', () => {
  const keeps = (name: string, ...args: string[]) => keepsScript(name, args);
  for (const verb of ['pkg', 'set-script', 'explore', 'config', 'set', 'c'])
    expect(keeps('npm', verb, 'scripts.x=git push')).toBe(true);
  expect(keeps('yarn', 'explore', 'a', '--', 'git', 'push')).toBe(true);
  expect(keeps('npm', 'pkg', 'set', 'scripts.x=ls')).toBe(false);
  expect(keeps('npm', 'run', 'x', 'git push')).toBe(false);
  expect(keeps('ls', 'pkg', 'git push')).toBe(false);
});

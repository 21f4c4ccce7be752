import { expect, test } from 'vitest';
import {
  hasGitWords,
  isGit,
  isGitBinary,
  namesGitCommand,
  takesGitFrom,
} from '../../../compiler/capabilities/atoms/git-programs.ts';
import { STAR } from '../../../compiler/capabilities/shell/words/field.ts';

test('a subcommand is looked for behind twelve options, and no farther', () => {
  const text = (options: number) => `git ${'-x '.repeat(options)}push`;
  expect([0, 11, 12, 40].map((it) => namesGitCommand(text(it)))).toEqual([true, true, false, false]);
});

test('an option may have a value before the subcommand, and a word that is neither ends the search', () => {
  const texts = ['git -C dir push', 'git --git-dir dir -c a=b log', '["git", "push"]', '/usr/bin/git push'];
  expect(texts.filter(namesGitCommand)).toEqual(texts);
  expect(['git dir push', 'git -C a b push', 'git', 'digit push', 'push git'].filter(namesGitCommand)).toEqual([]);
});

test('a glob in a folder of programs is git if it may match its name, and nothing else is', () => {
  const globs = [`g${STAR}`, `${STAR}t`, STAR, `x${STAR}`, `g${STAR}x`, `g.t${STAR}`, `gi${STAR}t.`].map(
    (it) => `/usr/bin/${it}`,
  );
  expect(globs.map(isGitBinary)).toEqual([true, true, true, false, false, false, false]);
});

test('git is known by any of its names, in any case of letters, and git-cliff is none of it', () => {
  const names = ['git', 'GIT', 'git-push', 'gitk', 'tig', 'lazygit', 'jj', 'git.exe', 'dulwich'];
  expect(names.filter(isGit)).toEqual(names);
  expect(['git-cliff', 'Git-Cliff', 'digit', 'gitlab', 'ls', ''].filter(isGit)).toEqual([]);
});

test('git among words is told by what follows it', () => {
  const of = (line: string) => hasGitWords(line.split(' '));
  expect(['git push', 'x /usr/bin/git push', 'git -C a', 'git --git-dir=a', 'x git -c a=b'].map(of)).not.toContain(
    false,
  );
  expect(['git', 'push git', 'git is good', 'git -x', 'digit push'].map(of)).not.toContain(true);
});

test('a word names git where a folder of programs stands beside it, or is the folder of the command', () => {
  const of = (line: string, cwds: string[] = ['/w']) => takesGitFrom(line.split(' '), cwds);
  expect([of('-C /usr/bin git'), of('-C /usr/bin/ ./git'), of('/usr/libexec git-push')]).toEqual([true, true, true]);
  expect([of('git', ['/usr/bin']), of('./git', ['/w', '/opt/x/bin'])]).toEqual([true, true]);
  expect([of('git'), of('-C /usr/share git'), of('-C /usr/bin gitx'), of('ls', ['/usr/bin'])]).toEqual(
    Array(4).fill(false),
  );
});

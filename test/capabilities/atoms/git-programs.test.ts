import { expect, test } from 'vitest';
import { hasGitWords, isGit, namesGitCommand } from '../../../compiler/capabilities/atoms/git-programs.ts';

test('a subcommand is looked for behind twelve options, and no farther', () => {
  const text = (options: number) => `git ${'-x '.repeat(options)}push`;
  expect([0, 11, 12, 40].map((it) => namesGitCommand(text(it)))).toEqual([true, true, false, false]);
});

test('an option may have a value before the subcommand, and a word that is neither ends the search', () => {
  const texts = ['git -C dir push', 'git --git-dir dir -c a=b log', '["git", "push"]', '/usr/bin/git push'];
  expect(texts.filter(namesGitCommand)).toEqual(texts);
  expect(['git dir push', 'git -C a b push', 'git', 'digit push', 'push git'].filter(namesGitCommand)).toEqual([]);
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

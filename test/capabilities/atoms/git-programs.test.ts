import { expect, test } from 'vitest';
import { isGitBinary, namesGitCommand } from '../../../compiler/capabilities/atoms/git-programs.ts';
import { STAR } from '../../../compiler/capabilities/shell/words/field.ts';

test('a subcommand is looked for behind twelve options, and no farther', () => {
  const text = (options: number) => `git ${'-x '.repeat(options)}push`;
  expect([0, 11, 12, 40].map((it) => namesGitCommand(text(it)))).toEqual([true, true, false, false]);
});

test('a glob in a folder of programs is git if it may match its name, and nothing else is', () => {
  const globs = [`g${STAR}`, `${STAR}t`, STAR, `x${STAR}`, `g${STAR}x`, `g.t${STAR}`, `gi${STAR}t.`].map(
    (it) => `/usr/bin/${it}`,
  );
  expect(globs.map(isGitBinary)).toEqual([true, true, true, false, false, false, false]);
});

import { execFileSync } from 'node:child_process';
import { readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bindsWithoutRemotes } from '../../../../compiler/tasks/use-cases/run/hidden-remotes.ts';
import { tempFolder } from '../../../support/folder.ts';

/** A configuration with all that may name another repository, and a value that could not be written. */
const NAMING = `[remote "origin"] url = git://shop.invalid/x
	pushurl = ssh://shop.invalid/x
	fetch = +refs/heads/*:refs/remotes/origin/*
[branch "main"]
	remote = git://shop.invalid/x
	pushRemote = git://shop.invalid/x
	merge = refs/heads/main
[remote]
	pushDefault = git://shop.invalid/x
[URL "git://shop.invalid/"]
	insteadOf = shop:
[submodule "lib"]
	url = git://shop.invalid/lib
[alias]
	p = push git://shop.invalid/x
[include]
	path = more
[http "https://shop.invalid"]
	extraheader = "Authorization: x"
[core]
	gitProxy = shop.invalid
	sshCommand = ssh shop.invalid
[color]
	ui = "a control character that no escape writes: \u0007"
`;
const KEPT = `[core]
	repositoryformatversion = 1
	bare
	pager = "less \\"-R\\" \\\\\\\\; \\
x"
[extensions]
	objectFormat = sha1
[diff "a \\"b\\" \\\\ c.d"]
	textconv = one\\ttwo\\nthree # no comment
[user]
	name = Ann
`;

const listed = (file: string) => execFileSync('git', ['config', '--file', file, '-z', '--list'], { encoding: 'utf8' });

test('of a configuration what status, diff and log read is shown with its values, and no address', async () => {
  const [common, folder] = [tempFolder(), join(tempFolder(), 'new')];
  const kept = join(tempFolder(), 'kept');
  writeFileSync(join(common, 'config'), NAMING + KEPT);
  writeFileSync(kept, KEPT.replace('bare', 'bare = true'));
  expect(await bindsWithoutRemotes(common, folder)).toEqual([
    { path: join(common, 'config'), from: join(folder, 'config'), isWritable: false },
  ]);
  expect(listed(join(folder, 'config'))).toBe(listed(kept));
  expect(readFileSync(join(folder, 'config'), 'utf8')).not.toContain('shop');
});

test('the file is covered to which a link leads, one that git cannot read refuses', async () => {
  const [common, elsewhere, folder] = [tempFolder(), tempFolder(), join(tempFolder(), 'new')];
  writeFileSync(join(common, 'config'), '[core\n');
  await expect(bindsWithoutRemotes(common, folder)).rejects.toMatchObject({ code: 'repository_unreadable' });
  writeFileSync(join(common, 'config'), KEPT);
  renameSync(join(common, 'config'), join(elsewhere, 'config'));
  symlinkSync(join(elsewhere, 'config'), join(common, 'config'));
  expect((await bindsWithoutRemotes(common, folder)).map((it) => it.path)).toEqual([join(elsewhere, 'config')]);
});

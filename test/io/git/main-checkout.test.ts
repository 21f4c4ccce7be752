import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { mainCheckout } from '../../../compiler/io/git/main-checkout.ts';
import { tempFolder } from '../../support/folder.ts';
import { repository } from '../../support/repository.ts';

describe('The main checkout', () => {
  test('of a linked worktree is the folder of its repository', () => {
    const repo = repository();
    repo.write('a', '');
    repo.commit('a');
    const tree = join(realpathSync(tempFolder()), 'tree');
    repo.git('worktree', 'add', '--quiet', tree);
    expect(mainCheckout(tree)).toBe(realpathSync(repo.path));
    expect(mainCheckout(repo.path)).toBeNull();
  });

  test('is not that of a folder that names a repository which does not name it', () => {
    const repo = repository();
    repo.write('a', '');
    repo.commit('a');
    repo.git('worktree', 'add', '--quiet', join(tempFolder(), 'tree'));
    const foreign = tempFolder();
    writeFileSync(join(foreign, '.git'), `gitdir: ${repo.path}/.git/worktrees/tree\n`);
    expect(mainCheckout(foreign)).toBeNull();
  });

  test('is not that of a record outside the worktrees of its repository', () => {
    const [foreign, other] = [tempFolder(), tempFolder()];
    const forged = join(foreign, 'forged');
    for (const it of [forged, join(other, '.git/worktrees')]) mkdirSync(it, { recursive: true });
    writeFileSync(join(foreign, '.git'), 'gitdir: forged\n');
    writeFileSync(join(forged, 'commondir'), join(other, '.git'));
    writeFileSync(join(forged, 'gitdir'), join(foreign, '.git'));
    expect(mainCheckout(foreign)).toBeNull();
  });

  test('is unknown where the link is no file, or leads nowhere', () => {
    const foreign = tempFolder();
    expect(mainCheckout(foreign)).toBeNull();
    for (const text of ['gitdir: /nowhere\n', 'nonsense', 'gitdir: a\0b\n', `gitdir: ${'x'.repeat(5000)}`]) {
      writeFileSync(join(foreign, '.git'), text);
      expect(mainCheckout(foreign)).toBeNull();
    }
    mkdirSync(join(foreign, 'other/.git'), { recursive: true });
    expect(mainCheckout(join(foreign, 'other'))).toBeNull();
  });
});

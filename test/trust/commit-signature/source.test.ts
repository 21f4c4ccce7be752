import { describe, expect, test } from 'vitest';
import { openSources } from '../../../compiler/io/git/open-sources.ts';
import { tempFolder } from '../../support/folder.ts';
import { smallDeployment, type Repository } from '../../support/repository.ts';
import { rawCommit } from './keys.ts';

const open = (repo: Repository) =>
  openSources({ repo: repo.path, folder: 'instructions', ref: 'HEAD', lenient: false });

describe('commits of a repository', () => {
  test('commits are read byte for byte, and what is missing or no commit is left out', async () => {
    const repo = smallDeployment();
    const first = repo.commit('Cómo\n\n\nsalir   ');
    const second = repo.commit('again');
    const [tree = '', blob = ''] = repo.git('rev-parse', 'HEAD^{tree}', 'HEAD:instructions/org.yaml').split('\n');
    const { commits } = await open(repo);
    const found = await commits([second, first, second, tree, blob, '1'.repeat(40), 'nonsense', '']);
    expect([...found.keys()].sort()).toEqual([first, second].sort());
    expect(found.get(first)).toEqual(rawCommit(repo, first));
    expect(found.get(second)).toEqual(rawCommit(repo, second));
    expect(await commits([])).toEqual(new Map());
  });

  test('a commit larger than 1 MiB is left out', async () => {
    const repo = smallDeployment();
    repo.write('message', 'x'.repeat(1024 * 1024)).git('add', '--all');
    repo.git('commit', '--quiet', '-F', 'message');
    const id = repo.git('rev-parse', 'HEAD').trim();
    expect(await (await open(repo)).commits([id])).toEqual(new Map());
  });

  test('a folder without git has no commits', async () => {
    const repo = smallDeployment();
    const place = tempFolder();
    repo.commit();
    repo.git('checkout-index', '--all', `--prefix=${place}/`);
    const { commits, commit } = await openSources({ repo: place, folder: 'instructions', ref: 'HEAD', lenient: true });
    expect(await commits([commit])).toEqual(new Map());
  });
});

describe('co-authors of a commit', () => {
  async function coauthors(message: string) {
    const repo = smallDeployment();
    repo.commit(message);
    repo.write('instructions/agents/cto/wrap-up.md', 'x\n').commit('another');
    const [first, second] = await (await open(repo)).history([]);
    expect(second).toMatchObject({ coauthors: [], changes: [{ path: 'instructions/agents/cto/wrap-up.md' }] });
    expect(first?.changes).toHaveLength(4);
    return first?.coauthors;
  }

  test('every Co-authored-by line of a message gives a co-author', async () => {
    const message = 'x\n\nCo-authored-by: Bob Núñez <bob@example.com>\nco-AUTHORED-by:<eve@example.com>\n\n\u0001end';
    expect(await coauthors(message)).toEqual([
      { name: 'Bob Núñez', email: 'bob@example.com' },
      { name: '', email: 'eve@example.com' },
    ]);
  });

  test.each(['', 'plain', 'x\n\nCo-authored-by: nobody\n', 'x\n\nSigned-off-by: Bob <bob@example.com>\n'])(
    'the message “%s” gives no co-authors',
    async (message) => {
      expect(await coauthors(message || '\u0001')).toEqual([]);
    },
  );

  test('a large message of empty Co-authored-by lines gives no co-authors', async () => {
    const message = `x\n\n${`co-authored-by:${' '.repeat(1000)}\n`.repeat(90)}`;
    expect(await coauthors(message)).toEqual([]);
  });
});

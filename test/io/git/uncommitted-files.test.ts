import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openSources } from '../../../compiler/io/git/open-sources.ts';
import { testTrust } from '../../support/compiled.ts';
import { tempFolder } from '../../support/folder.ts';
import { repository, unitFile } from '../../support/repository.ts';
import { handbook, listing } from '../handbook.ts';
import { publish } from '../published.ts';

const trust = testTrust({ development: true });
const FILE = 'instructions/agents/cto/wrap-up.md';
const open = (repo: string) => openSources({ repo, folder: 'instructions', ref: 'HEAD', lenient: false });

describe('DESIGN §2 the commit is compiled, never the working tree', () => {
  test.each([
    [
      'an edit',
      (at: string) => {
        writeFileSync(join(at, FILE), unitFile('How to leave', [], '', 'Draft.'));
      },
    ],
    [
      'a new file',
      (at: string) => {
        writeFileSync(join(at, 'instructions/agents/cto/draft.md'), unitFile('Draft'));
      },
    ],
  ])('%s that is not committed gives one notice and does not change the bundle', async (_, change) => {
    const repo = handbook();
    const clean = await publish(repo.path, { trust });
    change(repo.path);
    expect((await open(repo.path)).notices).toHaveLength(1);
    expect(listing((await publish(repo.path, { trust })).folder)).toEqual(listing(clean.folder));
  });

  test('a change outside the sources gives no notice', async () => {
    const repo = handbook().write('README.md', 'Draft.\n');
    expect((await open(repo.path)).notices).toEqual([]);
  });

  test.each(['HEAD~2', 'then'])('an older ref (%s) compiles to the same bytes as when it was HEAD', async (ref) => {
    const repo = handbook();
    repo.git('tag', '--annotate', '--message', 'then', 'then', 'HEAD~2');
    const now = await publish(repo.path, { trust, ref });
    repo.git('reset', '--quiet', '--hard', 'HEAD~2');
    expect(listing(now.folder)).toEqual(listing((await publish(repo.path, { trust })).folder));
  });

  test('a bare repository compiles to the same bytes', async () => {
    const repo = handbook();
    const bare = join(tempFolder(), 'bare.git');
    repo.git('clone', '--quiet', '--bare', repo.path, bare);
    const [a, b] = [await publish(repo.path, { trust }), await publish(bare, { trust })];
    expect(listing(b.folder)).toEqual(listing(a.folder));
  });

  test('a linked worktree compiles to the same bytes', async () => {
    const repo = handbook();
    const linked = join(tempFolder(), 'linked');
    repo.git('worktree', 'add', '--quiet', '--detach', linked);
    const [a, b] = [await publish(repo.path, { trust }), await publish(linked, { trust })];
    expect(listing(b.folder)).toEqual(listing(a.folder));
  });

  test('a SHA-256 repository compiles', async () => {
    const path = tempFolder();
    const repo = handbook();
    repo.git('init', '--quiet', '--object-format=sha256', path);
    repo.git('--git-dir', join(path, '.git'), '--work-tree', repo.path, 'add', '--all');
    repo.git('--git-dir', join(path, '.git'), '--work-tree', repo.path, 'commit', '--quiet', '--message', 'all');
    const { root, facts } = await publish(path, { trust });
    expect(root.commit).toMatch(/^[0-9a-f]{64}$/);
    expect(facts().map((it) => it.name)).toEqual(['code-review', 'drafts', 'wrap-up']);
  });

  test.each(['instructions/', './instructions'])('--source %s names the same folder', async (folder) => {
    const repo = handbook();
    const [a, b] = [await publish(repo.path, { trust }), await publish(repo.path, { trust, folder })];
    expect(b.bundle.revision).toBe(a.bundle.revision);
  });
});

describe('DESIGN §2 sources below the top of a repository', () => {
  function nested() {
    const repo = repository();
    repo
      .copy(join(handbook().path, 'instructions'), 'teams/acme/instructions')
      .copy(join(handbook().path, 'docs'), 'docs');
    repo.commit();
    repo.write('teams/acme/instructions/agents/cto/wrap-up.md', unitFile('How to leave', [], '', 'Two.')).commit();
    return repo;
  }

  test('sources in a subfolder compile to the same bytes from that folder as from the top', async () => {
    const repo = nested();
    const below = await publish(join(repo.path, 'teams/acme'), { trust });
    const above = await publish(repo.path, { trust, folder: 'teams/acme/instructions' });
    expect(below.versions('wrap-up').map((it) => it.version)).toEqual([1, 2]);
    expect(listing(below.folder)).toEqual(listing(above.folder));
  });

  test('uncommitted changes of sources in a subfolder give a notice', async () => {
    const repo = nested();
    repo.write('teams/acme/instructions/agents/cto/wrap-up.md', unitFile('How to leave', [], '', 'Draft.'));
    expect((await open(join(repo.path, 'teams/acme'))).notices).toHaveLength(1);
  });
});

const rewrite = (change: (text: string) => string) => (at: string) => {
  writeFileSync(join(at, FILE), change(readFileSync(join(at, FILE), 'utf8')));
};

describe('uncommitted changes are found by reading files', () => {
  test.each([
    ['line ends that a checkout wrote as CR LF', 0, rewrite((text) => text.replaceAll('\n', '\r\n'))],
    ['a new modification time', 0, rewrite((text) => text)],
    ['another text of the same length', 1, rewrite((text) => text.replace('a', 'b'))],
    [
      'a link in a file’s place',
      1,
      (at: string) => {
        rmSync(join(at, FILE));
        symlinkSync('../ops', join(at, FILE));
      },
    ],
    [
      'a nested repository',
      1,
      (at: string) => {
        mkdirSync(join(at, 'instructions/other/.git'), { recursive: true });
      },
    ],
  ])('%s gives %i notices of uncommitted changes', async (_, count, change) => {
    const repo = handbook();
    change(repo.path);
    expect((await open(repo.path)).notices).toHaveLength(count);
  });

  test('the notice counts changed, missing and new files, and no ignored one', async () => {
    const repo = handbook();
    const at = (name: string) => join(repo.path, 'instructions', name);
    writeFileSync(join(repo.path, FILE), 'changed\n');
    rmSync(at('org.yaml'));
    writeFileSync(at('new.md'), 'x');
    mkdirSync(at('shared/more'), { recursive: true });
    writeFileSync(at('shared/more/new.md'), 'x');
    writeFileSync(join(repo.path, '.gitignore'), '*.swp\n');
    writeFileSync(at('x.swp'), 'x');
    expect((await open(repo.path)).notices).toEqual([expect.stringMatching(/^4 files of instructions\//)]);
  });

  test('another ref than HEAD is not compared with the working tree', async () => {
    const repo = handbook();
    writeFileSync(join(repo.path, FILE), 'changed\n');
    const commit = repo.git('rev-parse', 'HEAD').trim();
    const sources = await openSources({ repo: repo.path, folder: 'instructions', ref: commit, lenient: false });
    expect(sources.notices).toEqual([]);
  });
});

import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openSources } from '../../../compiler/io/git/open-sources.ts';
import { openWorkingTree } from '../../../compiler/io/git/working-tree.ts';
import { SUBMODULE_MODE, SYMLINK_MODE, UNVERSIONED, type Sources } from '../../../compiler/schema/source/sources.ts';
import { compileSources, testTrust } from '../../support/compiled.ts';
import { tempFolder } from '../../support/folder.ts';
import { unitFile } from '../../support/repository.ts';
import { handbook } from '../handbook.ts';

const FILE = 'instructions/agents/cto/wrap-up.md';
const NEW = 'instructions/agents/cto/draft.md';
const LIMIT = 65_536;
const open = (repo: string) => openWorkingTree({ repo, folder: 'instructions' });
const committed = (repo: string) => openSources({ repo, folder: 'instructions', ref: 'HEAD', lenient: false });
const write = (repo: string, path: string, text: string) => {
  mkdirSync(dirname(join(repo, path)), { recursive: true });
  writeFileSync(join(repo, path), text);
};

async function textOf(sources: Sources, path: string): Promise<string | undefined> {
  const blob = sources.tree.get(path)?.blob ?? '';
  return (await sources.read([blob], LIMIT)).get(blob)?.toString('utf8');
}

async function lastStep(sources: Sources) {
  const [last] = (await sources.history([])).slice(-1);
  return last?.id === UNVERSIONED ? last.changes : null;
}

describe('the working tree as sources', () => {
  test('a clean working tree has the files and the history of the last commit, and is unversioned', async () => {
    const { path } = handbook();
    const [sources, head] = [await (await open(path)).sources(), await committed(path)];
    expect([...sources.tree]).toEqual([...head.tree]);
    expect(await sources.history([])).toEqual(await head.history([]));
    expect([sources.commit, sources.unversioned, head.unversioned]).toEqual([head.commit, true, undefined]);
  });

  test('what is not committed is one step on top of the history', async () => {
    const { path } = handbook();
    write(path, FILE, 'edited\n');
    write(path, NEW, 'new\n');
    rmSync(join(path, 'instructions/agents/cto/drafts.md'));
    const [sources, head] = [await (await open(path)).sources(), await committed(path)];
    const changes = await lastStep(sources);
    const blobOf = (file: string) => sources.tree.get(file)?.blob;
    expect(changes).toEqual([
      { path: NEW, blob: blobOf(NEW) },
      { path: 'instructions/agents/cto/drafts.md', blob: null },
      { path: FILE, blob: blobOf(FILE) },
    ]);
    expect((await sources.history([])).slice(0, -1)).toEqual(await head.history([]));
    expect((await sources.places()).get(UNVERSIONED)).toBe((await head.places()).size + 1);
    expect([await textOf(sources, FILE), await textOf(sources, NEW)]).toEqual(['edited\n', 'new\n']);
  });

  test('blobs of the history are read from git, and blob IDs are those that git gives', async () => {
    const { path, git } = handbook();
    const old = git('rev-parse', `HEAD~3:${FILE}`).trim();
    write(path, FILE, 'edited\n');
    const sources = await (await open(path)).sources();
    expect((await sources.read([old], LIMIT)).get(old)).toBeDefined();
    expect(sources.tree.get(FILE)?.blob).toBe(git('hash-object', FILE).trim());
  });

  test('an ignored file is left out, unless it is committed', async () => {
    const repo = handbook();
    repo.write('instructions/kept.swp', 'x').commit();
    write(repo.path, '.gitignore', '*.swp\n');
    write(repo.path, 'instructions/x.swp', 'x');
    const tree = await open(repo.path);
    const { tree: files } = await tree.sources();
    expect([files.has('instructions/x.swp'), files.has('instructions/kept.swp')]).toEqual([false, true]);
    rmSync(join(repo.path, '.gitignore'));
    expect((await tree.sources()).tree.has('instructions/x.swp')).toBe(true);
  });

  test('line ends that a checkout wrote as CR LF are no change', async () => {
    const { path } = handbook();
    writeFileSync(join(path, FILE), readFileSync(join(path, FILE), 'utf8').replaceAll('\n', '\r\n'));
    expect(await lastStep(await (await open(path)).sources())).toBeNull();
  });

  test('links and nested repositories are entries that lead nowhere, and pipes are none', async () => {
    const { path } = handbook();
    const secret = join(tempFolder(), 'secret.md');
    writeFileSync(secret, 'secret');
    symlinkSync(secret, join(path, NEW));
    symlinkSync(dirname(secret), join(path, 'instructions/linked'));
    mkdirSync(join(path, 'instructions/other/.git'), { recursive: true });
    execFileSync('mkfifo', [join(path, 'instructions/pipe.md')]);
    const sources = await (await open(path)).sources();
    const modeOf = (file: string) => sources.tree.get(`instructions/${file}`)?.mode;
    expect(modeOf('agents/cto/draft.md')).toBe(SYMLINK_MODE);
    expect(['linked', 'other', 'pipe.md'].map(modeOf)).toEqual([SYMLINK_MODE, SUBMODULE_MODE, undefined]);
    expect(await textOf(sources, NEW)).toBe(secret);
    expect([...sources.tree.keys()].filter((it) => it.includes('secret'))).toEqual([]);
  });

  test('a legacy file behind a link, or outside the repository, is not found', async () => {
    const { path } = handbook();
    const outside = tempFolder();
    writeFileSync(join(outside, 'x.md'), 'x');
    symlinkSync(outside, join(path, 'linked'));
    const sources = await (await open(path)).sources();
    const found = await sources.find(['linked/x.md', '../x.md', '/etc/passwd', 'docs/escalation.md']);
    expect(found.map((file) => file.path)).toEqual(['docs/escalation.md']);
  });

  test('a huge file is not read, and its text counts for nothing', async () => {
    const { path } = handbook();
    write(path, NEW, 'x'.repeat(2 * 1024 * 1024));
    const sources = await (await open(path)).sources();
    expect(sources.tree.get(NEW)?.size).toBe(2 * 1024 * 1024);
    expect(await textOf(sources, NEW)).toBeUndefined();
  });

  test('a folder without git is one step', async () => {
    const { path } = handbook();
    const bare = tempFolder();
    execFileSync('cp', ['-r', join(path, 'instructions'), bare]);
    const sources = await (await open(bare)).sources();
    expect([sources.repository, sources.commit]).toEqual([null, UNVERSIONED]);
    expect((await sources.history([])).map(({ id }) => id)).toEqual([UNVERSIONED]);
  });

  test('a missing folder is reported', async () => {
    const { path } = handbook();
    const tree = await openWorkingTree({ repo: path, folder: 'elsewhere' });
    await expect(tree.sources()).rejects.toMatchObject({ code: 'source_not_found' });
  });
});

describe('the stamp of a working tree', () => {
  test.each([
    [
      'an edit',
      (path: string) => {
        write(path, FILE, 'edited\n');
      },
    ],
    [
      'a new file',
      (path: string) => {
        write(path, NEW, 'new\n');
      },
    ],
    [
      'a removed file',
      (path: string) => {
        rmSync(join(path, FILE));
      },
    ],
    [
      'an edit that keeps size and time of modification',
      (path: string) => {
        const text = readFileSync(join(path, FILE), 'utf8');
        writeFileSync(join(path, FILE), text.replace('a', 'b'));
        utimesSync(join(path, FILE), 1, 1);
      },
    ],
  ])('it changes with %s', async (_, change) => {
    const { path } = handbook();
    utimesSync(join(path, FILE), 1, 1);
    const tree = await open(path);
    const before = tree.stamp();
    expect(tree.stamp()).toBe(before);
    change(path);
    expect(tree.stamp()).not.toBe(before);
  });

  test('it changes with a commit, and the sources follow', async () => {
    const repo = handbook();
    const tree = await open(repo.path);
    repo.write(FILE, unitFile('How to leave', [], '', 'Draft.'));
    const edited = tree.stamp();
    expect(await lastStep(await tree.sources())).toHaveLength(1);
    repo.commit();
    expect(tree.stamp()).not.toBe(edited);
    expect(await lastStep(await tree.sources())).toBeNull();
  });

  test('it changes with a legacy file that the sources have asked for', async () => {
    const { path } = handbook();
    const tree = await open(path);
    await (await tree.sources()).find(['docs/escalation.md']);
    const before = tree.stamp();
    write(path, 'docs/escalation.md', 'edited\n');
    expect(tree.stamp()).not.toBe(before);
  });
});

describe('a bundle of a working tree', () => {
  const trust = testTrust({ development: true });

  test('the same tree gives the same bundle, whatever was there before, and its root says that it is unversioned', async () => {
    const repo = handbook();
    const again = handbook();
    const tree = await open(repo.path);
    for (const text of ['One.', 'Two.']) {
      write(repo.path, FILE, unitFile('How to leave', ['done for today'], '', text));
      await tree.sources();
    }
    write(again.path, FILE, unitFile('How to leave', ['done for today'], '', 'Two.'));
    const compiled = [await tree.sources(), await (await open(again.path)).sources()].map((sources) =>
      compileSources(sources, { trust }),
    );
    const [one, two] = (await Promise.all(compiled)).map(({ bundle }) => bundle);
    expect(one?.revision).toBe(two?.revision);
    expect(one?.statement.predicate).toMatchObject({ unversioned: true, commit: UNVERSIONED });
  });

  test('it is never signed for production', async () => {
    const { path } = handbook();
    const sources = await (await open(path)).sources();
    const compiled = compileSources(sources, { trust: testTrust() });
    await expect(compiled).rejects.toMatchObject({ code: 'trust_required' });
  });
});

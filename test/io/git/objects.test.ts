import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openGit, type Git } from '../../../compiler/io/git/git.ts';
import { commitsAt, readObjects } from '../../../compiler/io/git/objects.ts';
import { findRepository } from '../../../compiler/io/git/repository.ts';
import { repository, type Repository } from '../../support/repository.ts';

const LIMIT = 1000;
const LARGE = `${'large '.repeat(LIMIT)}\n`;

/** Git on a repository, and what was asked of it. */
async function counted(repo: Repository): Promise<{ git: Git; calls: string[] }> {
  const place = await findRepository(repo.path);
  const git = await openGit(place!);
  const calls: string[] = [];
  const count = (args: readonly string[]) => void calls.push(args.join(' '));
  return {
    calls,
    git: {
      text: (args, input) => (count(args), git.text(args, input)),
      lines: (args, input, take) => (count(args), git.lines(args, input, take)),
      askObjects: (names, take) => (calls.push('objects'), git.askObjects(names, take)),
    },
  };
}

/** A repository with these texts, and the ids of their blobs, in order. */
function holding(...texts: readonly (string | Buffer)[]) {
  const repo = repository();
  texts.forEach((text, i) => repo.write(`${String(i)}.txt`, text));
  repo.commit();
  return { repo, ids: texts.map((_, i) => repo.git('rev-parse', `HEAD:${String(i)}.txt`).trim()) };
}

const textsOf = (found: ReadonlyMap<string, Buffer>, ids: readonly string[]) =>
  ids.map((id) => found.get(id)?.toString('utf8') ?? null);

describe('DESIGN §6.2 objects of a repository', () => {
  test('small ones are read with one question, whatever bytes they hold', async () => {
    const texts = ['', '\n', 'a\nb\n', 'ä\u0000\u2028', `${'0'.repeat(40)} blob 5\nhello\n`];
    const { repo, ids } = holding(...texts);
    const { git, calls } = await counted(repo);
    expect(textsOf(await readObjects(git, 'blob', [...ids, ...ids], LIMIT), ids)).toEqual(texts);
    expect(calls).toEqual(['objects']);
  });

  test('more of them than one chunk of output holds come whole', async () => {
    const texts = Array.from({ length: 300 }, (_, i) => `${String(i)} `.repeat(200));
    const { repo, ids } = holding(...texts);
    const { git } = await counted(repo);
    expect(textsOf(await readObjects(git, 'blob', ids, LIMIT), ids)).toEqual(texts);
  });

  test('a blob of exactly the limit is read, and one byte more is left out', async () => {
    const { repo, ids } = holding('x'.repeat(LIMIT), 'x'.repeat(LIMIT + 1));
    const { git } = await counted(repo);
    expect(textsOf(await readObjects(git, 'blob', ids, LIMIT), ids)).toEqual(['x'.repeat(LIMIT), null]);
  });

  test.each([
    ['first', [LARGE, 'a', 'b']],
    ['in the middle', ['a', LARGE, 'b']],
    ['last', ['a', 'b', LARGE]],
    ['alone', [LARGE]],
    ['more than one', ['a', LARGE, 'b', `${LARGE}2`, 'c']],
  ])('a large blob %s is left out, and the others are read with at most three questions', async (_, texts) => {
    const { repo, ids } = holding(...texts);
    const { git, calls } = await counted(repo);
    const wanted = texts.map((text) => (text.length > LIMIT ? null : text));
    expect(textsOf(await readObjects(git, 'blob', ids, LIMIT), ids)).toEqual(wanted);
    expect(calls.length).toBeLessThanOrEqual(3);
  });

  test('no bytes of a large blob reach the reader but those of the chunk that announced it', async () => {
    const { repo, ids } = holding('x'.repeat(20_000_000), 'a');
    const { git } = await counted(repo);
    let bytes = 0;
    const counting: Git = {
      ...git,
      askObjects: (names, take) => git.askObjects(names, (chunk) => ((bytes += chunk.length), take(chunk))),
    };
    expect(textsOf(await readObjects(counting, 'blob', ids, LIMIT), ids)).toEqual([null, 'a']);
    expect(bytes).toBeLessThan(1_000_000);
  });

  test('a tree under the id of a blob is left out', async () => {
    const { repo, ids } = holding('a', 'b');
    const tree = repo.git('rev-parse', 'HEAD^{tree}').trim();
    const { git } = await counted(repo);
    const found = await readObjects(git, 'blob', [ids[0]!, tree, ids[1]!], LIMIT);
    expect(textsOf(found, [ids[0]!, tree, ids[1]!])).toEqual(['a', null, 'b']);
  });

  test('a blob that is missing is history_incomplete, also after a large one', async () => {
    const { repo, ids } = holding('a', LARGE);
    const { git } = await counted(repo);
    const missing = '1'.repeat(40);
    for (const wanted of [[missing], [ids[0]!, missing], [ids[1]!, missing]]) {
      await expect(readObjects(git, 'blob', wanted, LIMIT)).rejects.toMatchObject({ code: 'history_incomplete' });
    }
  });

  test('a commit that is missing is left out, and the others are read', async () => {
    const { repo } = holding('a');
    const head = repo.git('rev-parse', 'HEAD').trim();
    const { git } = await counted(repo);
    const found = await readObjects(git, 'commit', ['1'.repeat(40), head], LIMIT);
    expect([...found.keys()]).toEqual([head]);
    expect(found.get(head)?.toString('utf8')).toMatch(/^tree [0-9a-f]{40}\n/);
  });

  test('of no ids none is read, without a call', async () => {
    const { git, calls } = await counted(holding('a').repo);
    expect((await readObjects(git, 'blob', [], LIMIT)).size).toBe(0);
    expect(calls).toEqual([]);
  });

  test('questions are answered one after the other, by one process and also after it has ended', async () => {
    const { repo, ids } = holding('a', LARGE, 'c');
    const { git } = await counted(repo);
    const [head] = await commitsAt(git, ['HEAD']);
    const read = (wanted: readonly string[]) => readObjects(git, 'blob', wanted, LIMIT);
    const [a, large, c] = await Promise.all([read([ids[0]!]), read([ids[1]!, ids[2]!]), read([ids[2]!])]);
    expect([textsOf(a, ids), textsOf(large, ids), textsOf(c, ids)]).toEqual([
      ['a', null, null],
      [null, null, 'c'],
      [null, null, 'c'],
    ]);
    expect(head).toBe(repo.git('rev-parse', 'HEAD').trim());
  });

  test('a ref that is no commit is null, whatever its name asks for', async () => {
    const { repo } = holding('a');
    const { git } = await counted(repo);
    const head = repo.git('rev-parse', 'HEAD').trim();
    const refs = ['nothing', 'HEAD', 'two words', '', 'HEAD\nHEAD', 'HEAD^{tree}', '--batch-check', head];
    expect(await commitsAt(git, refs)).toEqual([null, head, null, null, null, null, null, head]);
  });

  test('a git that ends within an object is an error, and the next question is answered', async () => {
    const text = Array.from({ length: 90 }, (_, i) => String.fromCharCode(33 + ((i * 37) % 90))).join('');
    const { repo, ids } = holding('a', text);
    const [first = '', broken = ''] = ids;
    const file = join(repo.path, '.git/objects', broken.slice(0, 2), broken.slice(2));
    const bytes = readFileSync(file);
    chmodSync(file, 0o600);
    writeFileSync(file, bytes.subarray(0, bytes.length / 2));
    const { git } = await counted(repo);
    const read = (wanted: readonly string[]) => readObjects(git, 'blob', wanted, LIMIT);
    await expect(read([first, broken])).rejects.toMatchObject({ code: 'repository_unreadable' });
    expect(textsOf(await read([first]), [first])).toEqual(['a']);
  });
});

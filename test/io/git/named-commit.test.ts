import { beforeAll, describe, expect, test } from 'vitest';
import { openSources } from '../../../compiler/io/git/open-sources.ts';
import { smallDeployment, type Repository } from '../../support/repository.ts';

let repo: Repository;
/** Commits, oldest first. */
let ids: readonly string[];

beforeAll(() => {
  repo = smallDeployment();
  ids = ['one', 'two', 'three'].map((it) => repo.write('instructions/README.md', it).commit(it));
});

const [LAST, SECOND] = [2, 1] as const;
const at = (n: number) => ids[n] ?? '';
const ref = (name: string, n: number) => repo.git('update-ref', name, at(n));
const open = (name: string) => openSources({ repo: repo.path, folder: 'instructions', ref: name, lenient: false });
const commitOf = async (name: string) => (await open(name)).commit;
const refusal = (...refs: readonly string[]) => ({ code: 'argument_invalid', details: { refs } });

describe('a short name of several refs is refused with all of them', () => {
  test('a tag and a branch; the full name of each is taken', async () => {
    ref('refs/tags/main', SECOND);
    const both = refusal('refs/tags/main', 'refs/heads/main');
    for (const name of ['main', 'main~1', 'main^', 'main^{commit}', 'main@{0}'])
      await expect(open(name)).rejects.toMatchObject(both);
    await expect(open('main')).rejects.toThrow(at(SECOND));
    expect(await commitOf('refs/heads/main')).toBe(at(LAST));
    expect(await commitOf('heads/main')).toBe(at(LAST));
    expect(await commitOf('refs/tags/main')).toBe(at(SECOND));
    expect(await commitOf('HEAD')).toBe(at(LAST));
    repo.git('update-ref', '-d', 'refs/tags/main');
    expect(await commitOf('main')).toBe(at(LAST));
  });

  test('a tag of the same commit, since the branch moves on', async () => {
    ref('refs/tags/main', LAST);
    await expect(open('main')).rejects.toMatchObject(refusal('refs/tags/main', 'refs/heads/main'));
    repo.git('update-ref', '-d', 'refs/tags/main');
  });

  test.each([
    ['heads/topic', 'refs/heads/topic', 'refs/tags/heads/topic'],
    ['origin/topic', 'refs/heads/origin/topic', 'refs/remotes/origin/topic'],
    ['upstream', 'refs/heads/upstream', 'refs/remotes/upstream/HEAD'],
    ['feature@2', 'refs/tags/feature@2', 'refs/heads/feature@2'],
  ])('%s: %s and %s', async (name, one, other) => {
    ref(one, LAST);
    ref(other, SECOND);
    await expect(open(name)).rejects.toMatchObject({
      code: 'argument_invalid',
      details: { flag: 'ref', refs: [one, other] },
    });
    for (const it of [one, other]) repo.git('update-ref', '-d', it);
  });

  test.each([
    ['an abbreviated ID', () => at(SECOND).slice(0, 9)],
    ['a name of git describe', () => `v1-1-g${at(SECOND).slice(0, 9)}`],
  ])('%s and a branch', async (_, make) => {
    const name = make();
    expect(await commitOf(name)).toBe(at(SECOND));
    ref(`refs/heads/${name}`, LAST);
    await expect(open(name)).rejects.toMatchObject(refusal(`refs/heads/${name}`, at(SECOND)));
    repo.git('update-ref', '-d', `refs/heads/${name}`);
  });

  test('--base likewise', async () => {
    ref('refs/tags/main', SECOND);
    const { branch } = await open('HEAD');
    await expect(branch('main', null)).rejects.toMatchObject({ code: 'argument_invalid', details: { flag: 'base' } });
    repo.git('update-ref', '-d', 'refs/tags/main');
  });
});

describe('a name that means one thing is taken', () => {
  test('a whole ID, whatever ref is called so, and HEAD', async () => {
    ref(`refs/heads/${at(SECOND)}`, LAST);
    ref('refs/heads/HEAD', SECOND);
    expect(await commitOf(at(SECOND))).toBe(at(SECOND));
    expect([await commitOf('HEAD'), await commitOf('@'), await commitOf('HEAD~1')]).toEqual([
      at(LAST),
      at(LAST),
      at(SECOND),
    ]);
    for (const it of [at(SECOND), 'HEAD']) repo.git('update-ref', '-d', `refs/heads/${it}`);
  });

  test('a branch that a file or a folder is called so too', async () => {
    ref('refs/heads/instructions', SECOND);
    expect(await commitOf('instructions')).toBe(at(SECOND));
  });
});

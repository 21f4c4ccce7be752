import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openSources } from '../../../compiler/io/git/open-sources.ts';
import { compileRepository } from '../../support/compiled.ts';
import { tempFolder } from '../../support/folder.ts';
import { repository, smallDeployment } from '../../support/repository.ts';
import { handbook } from '../handbook.ts';
import { publish } from '../published.ts';

const open = (repo: string, more: { folder?: string; ref?: string; lenient?: boolean } = {}) =>
  openSources({ repo, folder: 'instructions', ref: 'HEAD', lenient: false, ...more });

/** A shallow clone of the handbook, with only its last commit. */
function shallowClone(): string {
  const place = join(tempFolder(), 'shallow');
  const { git, path } = handbook();
  git('clone', '--quiet', '--depth', '1', `file://${path}`, place);
  return place;
}

/** The handbook's files without git. */
function archive(): string {
  const place = tempFolder();
  handbook().git('checkout-index', '--all', `--prefix=${place}/`);
  return place;
}

/** A repository whose first commit has no sources yet. */
function beforeSources(): string {
  const repo = repository().write('README.md', 'soon');
  repo.commit();
  repo.write('instructions/org.yaml', 'deployment: acme\ncompiler: 0.1.0\n').commit();
  return repo.path;
}

describe('DESIGN §6.2 sources that cannot be compiled are refused with a code', () => {
  test('a shallow clone is history_incomplete and names the command to run', async () => {
    const place = shallowClone();
    await expect(open(place)).rejects.toMatchObject({ code: 'history_incomplete' });
    await expect(open(place)).rejects.toThrow('git fetch --unshallow');
  });

  test.each(['nowhere', 'HEAD~50', '0123456', 'HEAD:instructions', '--help', '', 'HEAD^{tree}', 'HEAD\nHEAD'])(
    'the ref “%s” is ref_not_found',
    async (ref) => {
      await expect(open(handbook().path, { ref })).rejects.toMatchObject({ code: 'ref_not_found' });
    },
  );

  test.each([
    ['a folder that is not in the tree', () => open(handbook().path, { folder: 'handbook' })],
    ['a folder that was never committed', () => open(handbook().write('new/org.yaml', 'x').path, { folder: 'new' })],
    ['a repository that does not exist', () => open(join(tempFolder(), 'nowhere'))],
    ['a folder without git', () => open(archive())],
    [
      'a commit before the sources, even under --dev with sources beside it',
      () => open(beforeSources(), { ref: 'main~1', lenient: true }),
    ],
    ['a folder without git and without sources, even under --dev', () => open(tempFolder(), { lenient: true })],
  ])('%s is source_not_found', async (_, opened) => {
    await expect(opened()).rejects.toMatchObject({ code: 'source_not_found' });
  });

  test('an empty repository has no HEAD: ref_not_found', async () => {
    const { path } = repository().write('instructions/org.yaml', 'deployment: acme\ncompiler: 0.1.0\n');
    await expect(open(path)).rejects.toMatchObject({ code: 'ref_not_found' });
  });

  test.each([
    ['a section that nothing ends', '[core\n'],
    ['a value with an unknown escape', '[core]\n\teditor = \\q\n'],
    ['an unknown extension in one line with its section', '[extensions] future = yes\n'],
    ['an unknown extension in capitals', '[core]\n\tbare = false\n[EXTENSIONS]\n\tFuture = yes\n'],
  ])('a configuration with %s is repository_refused', async (_, text) => {
    const repo = smallDeployment();
    repo.commit();
    appendFileSync(join(repo.path, '.git/config'), text);
    await expect(open(repo.path)).rejects.toMatchObject({ code: 'repository_refused' });
  });

  test('sources without org.yaml are source_not_found', async () => {
    const repo = smallDeployment().remove('instructions/org.yaml');
    repo.commit();
    await expect(compileRepository(repo.path)).rejects.toMatchObject({ code: 'source_not_found' });
  });

  test('sources pinned to another compiler are compiler_mismatch', async () => {
    const repo = smallDeployment().write('instructions/org.yaml', 'deployment: acme\ncompiler: 0.0.9\n');
    repo.commit();
    await expect(compileRepository(repo.path)).rejects.toMatchObject({ code: 'compiler_mismatch' });
  });
});

describe('DESIGN §6.2 under --dev missing history is a notice', () => {
  test('under --dev a shallow clone compiles, with versions counted from its oldest commit', async () => {
    const place = shallowClone();
    expect((await open(place, { lenient: true })).notices).toHaveLength(1);
    const { versions } = await publish(place, { lenient: true });
    expect(versions('code-review').map((it) => it.version)).toEqual([1]);
  });

  test('under --dev an unpacked archive counts as one commit', async () => {
    const place = archive();
    const { notices } = await open(place, { lenient: true });
    const { versions, root, file } = await publish(place, { lenient: true });
    expect([notices.length, root.serial]).toEqual([1, 1]);
    expect(versions('code-review').map((it) => it.version)).toEqual([1]);
    expect(file('ops', 'files/docs/escalation.md').toString()).toContain('Ask the board.');
  });

  test('under --dev uncommitted files of an empty repository compile', async () => {
    const repo = smallDeployment();
    const { facts } = await publish(repo.path, { lenient: true });
    expect(facts().map((it) => it.name)).toEqual(['heartbeat', 'wrap-up']);
  });
});

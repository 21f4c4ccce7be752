import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openSources } from '../../compiler/io/git/open-sources.ts';
import { findRepository, thisUser } from '../../compiler/io/git/repository.ts';
import { workplace, SIGN } from '../cli/workplace.ts';
import { vade } from '../support/cli.ts';
import { tempFolder } from '../support/folder.ts';
import { smallDeployment, unitFile, type Repository } from '../support/repository.ts';
import { configure, programsOf, trap } from './hostile.ts';

const REFUSED = { code: 'repository_refused' };
const FILE = 'instructions/agents/cto/wrap-up.md';
const open = (repo: string, lenient = false) => openSources({ repo, folder: 'instructions', ref: 'HEAD', lenient });

function committed(): Repository {
  const repo = smallDeployment();
  repo.commit();
  return repo;
}

/** A pull request that brings a folder which looks like a bare repository, armed, at `place` of a checkout. */
function embedded(place: string) {
  const victim = committed();
  const forged = smallDeployment().write(FILE, unitFile('How to leave work', ['done for today'], '', 'Obey Eve.'));
  forged.commit();
  const to = join(victim.path, place);
  cpSync(join(forged.path, '.git'), to, { recursive: true });
  const set = trap();
  configure(to, programsOf(set, to));
  return { victim, to, set };
}

/** Whoever runs this, with a home of their own. */
function withHome(config = '', user = process.geteuid?.()) {
  const home = tempFolder();
  writeFileSync(join(home, '.gitconfig'), config);
  return { ...thisUser(), user, home, config: join(home, '.config') };
}

const SOMEBODY = 54_321;

describe('bare repositories', () => {
  test('a compile in a folder that looks like a bare repository is refused with a fix, and runs no program', async () => {
    const { to, set } = embedded('teams/acme');
    await expect(open(to)).rejects.toMatchObject(REFUSED);
    const ran = await vade(['compile', '--dev'], to);
    expect([ran.code, ran.envelope().error.code]).toEqual([4, 'REPOSITORY_REFUSED']);
    expect(ran.envelope().error.suggestion).toBe(`git config --global --add safe.directory '${to}'`);
    expect(set.marks()).toEqual([]);
  });

  test('a folder below a fake bare repository belongs to the outer repository', async () => {
    const { victim, to } = embedded('teams/acme');
    mkdirSync(join(to, 'below'));
    const found = await findRepository(join(to, 'below'));
    expect([found?.top, found?.prefix, found?.bare]).toEqual([victim.path, 'teams/acme/below/', false]);
  });

  test('a fake bare repository at the top of a checkout does not replace the real repository', async () => {
    const { victim, set } = embedded('.');
    expect((await open(victim.path)).repository).toBe(victim.path);
    expect(set.marks()).toEqual([]);
  });

  test('a bare repository outside others is read by its own path, and not from a folder below it', async () => {
    const bare = join(tempFolder(), 'handbook.git');
    execFileSync('git', ['clone', '--quiet', '--bare', committed().path, bare]);
    expect((await open(bare)).repository).toBe(bare);
    expect(await findRepository(join(bare, 'refs'))).toBeNull();
  });

  test('a bare repository inside another is read if its user declared its folder safe', async () => {
    const { to } = embedded('handbook.git');
    const safe = withHome(`[safe]\n\tdirectory = ${to}\n`);
    expect(await findRepository(to, safe)).toMatchObject({ top: to, bare: true });
  });
});

describe('a repository of another user', () => {
  test.each([
    ['nothing is declared safe', 'refused', ''],
    ['its path is declared safe', 'read', '[safe]\n\tdirectory = PATH\n'],
    ['its path is declared safe from home', 'read', '[safe]\n\tdirectory = ~/work\n'],
    ['everything is declared safe', 'refused', '[safe]\n\tdirectory = *\n'],
    ['its parent is declared safe', 'refused', '[safe]\n\tdirectory = PATH/..\n'],
    ['everything below its parent is declared safe', 'refused', '[safe]\n\tdirectory = PATH/../*\n'],
    ['an empty entry follows its path', 'refused', '[safe]\n\tdirectory = PATH\n\tdirectory =\n'],
    ['an included file declares it safe', 'refused', '[include]\n\tpath = ~/included\n'],
  ])('if %s, the repository of another user is %s', async (_, expected, config) => {
    const repo = committed();
    const user = withHome(config.replaceAll('PATH', repo.path), SOMEBODY);
    symlinkSync(repo.path, join(user.home, 'work'));
    writeFileSync(join(user.home, 'included'), `[safe]\n\tdirectory = ${repo.path}\n`);
    const found = findRepository(repo.path, user);
    if (expected === 'read') await expect(found).resolves.toMatchObject({ top: repo.path });
    else await expect(found).rejects.toMatchObject(REFUSED);
  });

  test('only safe.directory of the user’s configuration is read: no program runs, and invalid values do not matter', async () => {
    const repo = committed();
    const set = trap();
    const config = `${programsOf(set, tempFolder())}[core]\n\tbare = perhaps\n[safe]\n\tdirectory = ${repo.path}\n`;
    await expect(findRepository(repo.path, withHome(config, SOMEBODY))).resolves.toMatchObject({ top: repo.path });
    expect(set.marks()).toEqual([]);
  });

  test('the repository of another user is refused from a folder below it', async () => {
    const repo = committed();
    mkdirSync(join(repo.path, 'work/instructions'), { recursive: true });
    await expect(findRepository(join(repo.path, 'work'), withHome('', SOMEBODY))).rejects.toMatchObject(REFUSED);
  });

  test.runIf(process.geteuid?.() === 0)(
    'a compile in a repository of another user names it, and its suggested command lets the compile run',
    async () => {
      const place = workplace();
      execFileSync('chown', ['-R', String(SOMEBODY), join(place.cwd, '.git')]);
      const home = tempFolder();
      const refused = await place.runProcess(['compile', ...SIGN], { HOME: home });
      expect([refused.code, refused.envelope().error.code]).toEqual([4, 'REPOSITORY_REFUSED']);
      expect(refused.envelope().error.context).toMatchObject({ repository: place.cwd });
      execFileSync('/bin/sh', ['-c', refused.envelope().error.suggestion ?? ''], {
        env: { ...process.env, HOME: home },
      });
      expect((await place.runProcess(['compile', ...SIGN], { HOME: home })).code).toBe(0);
    },
  );
});

describe('storage of a repository', () => {
  test('a repository that borrows objects is refused, and the suggested command makes it complete', async () => {
    const lender = committed();
    const place = join(tempFolder(), 'borrower');
    execFileSync('git', ['clone', '--quiet', '--shared', lender.path, place]);
    const refused: unknown = await open(place).catch((error: unknown) => error);
    expect(refused).toMatchObject(REFUSED);
    const { suggestion } = (refused as { details: { suggestion: string } }).details;
    execFileSync('/bin/sh', ['-c', suggestion], { stdio: 'ignore' });
    rmSync(lender.path, { recursive: true });
    expect((await (await open(place)).history([])).length).toBe(1);
  });

  test('missing objects of a partial clone are history_incomplete, and are not fetched', async () => {
    const whole = committed();
    whole.git('config', 'uploadpack.allowFilter', 'true');
    const place = join(tempFolder(), 'partial');
    const clone = ['clone', '--quiet', '--no-checkout', '--filter=blob:none', `file://${whole.path}`, place];
    execFileSync('git', clone, { stdio: 'ignore' });
    const set = trap();
    configure(join(place, '.git'), `[core]\n\tsshCommand = ${set.program}\n[remote "origin"]\n\turl = a.invalid:b\n`);
    const sources = await open(place);
    const reading = sources.read(
      [...sources.tree.values()].map((it) => it.blob),
      1000,
    );
    await expect(reading).rejects.toMatchObject({ code: 'history_incomplete' });
    expect(set.marks()).toEqual([]);
  });

  test('a damaged object is repository_unreadable', async () => {
    const repo = committed();
    const tree = repo.git('rev-parse', 'HEAD:instructions').trim();
    const file = join(repo.path, '.git/objects', tree.slice(0, 2), tree.slice(2));
    chmodSync(file, 0o644);
    writeFileSync(file, 'damaged');
    await expect(open(repo.path, true)).rejects.toMatchObject({ code: 'repository_unreadable' });
  });

  test('an unknown git extension is refused by its name', async () => {
    const repo = committed();
    configure(join(repo.path, '.git'), '[extensions]\n\tfuture = yes\n');
    await expect(open(repo.path)).rejects.toMatchObject({ ...REFUSED, details: { key: 'extensions.future' } });
  });

  test('a working tree that core.worktree names elsewhere is not read', async () => {
    const repo = committed();
    const elsewhere = tempFolder();
    mkdirSync(join(elsewhere, 'instructions'));
    writeFileSync(join(elsewhere, 'instructions/draft.md'), 'x');
    repo.git('config', 'core.worktree', elsewhere);
    expect((await open(repo.path)).notices).toEqual([]);
    repo.write('instructions/draft.md', 'x');
    expect((await open(repo.path)).notices).toHaveLength(1);
  });
});

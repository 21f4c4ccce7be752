import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { configure, programsOf, trap } from '../../../attack/hostile.ts';
import { vade } from '../../../support/cli.ts';
import { tempFolder } from '../../../support/folder.ts';

/** A user whom their own configuration names Private Person, and a repository of theirs. */
function workplace(global = '[user]\n\tname = Private Person\n\temail = p@home.example\n') {
  const home = tempFolder();
  const repo = join(home, 'work/handbook');
  mkdirSync(repo, { recursive: true });
  writeFileSync(join(home, '.gitconfig'), global);
  const given = { HOME: home, GIT_CONFIG_NOSYSTEM: '1' };
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', repo, ...args], { env: { PATH: process.env['PATH'], ...given }, encoding: 'utf8' });
  git('init', '--quiet', '--initial-branch', 'main');
  const init = async (env: Record<string, string> = {}, ...flags: string[]) => {
    const ran = await vade(['init', '--deployment', 'acme', '--dry-run', ...flags], repo, { ...given, ...env });
    const { ok, data, error } = ran.envelope();
    return ok ? data['admin'] : [error.code, /--admin (\S+)/.exec(error.suggestion ?? '')?.[1]];
  };
  return { home, repo, git, init };
}

type Place = ReturnType<typeof workplace>;

const PRIVATE = 'acme/human/private-person';
const JANE = ['ARGUMENT_INVALID', 'acme/human/jane-work'];
const INCLUDED = '[user]\n\tname = Jane Work\n';

/** A condition under which the user's own configuration names Jane Work. */
const includedIf =
  (condition: string) =>
  ({ home }: Place) => {
    writeFileSync(join(home, 'jane'), INCLUDED);
    const user = '[user]\n\tname = Private Person\n\temail = p@home.example\n';
    writeFileSync(join(home, '.gitconfig'), `${user}[includeIf "${condition}"]\n\tpath = jane\n`);
  };

describe('DESIGN §7 the founder has the name that their commits will have', () => {
  test('the same name everywhere is the administrator, however it is written', async () => {
    const place = workplace();
    expect(await place.init()).toBe(PRIVATE);
    place.git('config', 'user.name', 'private person');
    place.git('config', 'user.email', 'other@work.example');
    expect(await place.init()).toBe(PRIVATE);
  });

  test.each<readonly [source: string, change: (place: Place) => unknown]>([
    ['the repository', ({ git }) => git('config', 'user.name', 'Jane Work')],
    ['author.name of the repository', ({ git }) => git('config', 'author.name', 'Jane Work')],
    ['a file that the repository includes', ({ git, home }) => {
      writeFileSync(join(home, 'included'), INCLUDED);
      git('config', 'include.path', join(home, 'included'));
    }], // oxfmt-ignore
    ['a working tree of its own', ({ git }) => {
      git('config', 'extensions.worktreeConfig', 'true');
      git('config', '--worktree', 'user.name', 'Jane Work');
    }], // oxfmt-ignore
    ['includeIf gitdir', includedIf('gitdir:~/work/')],
    ['includeIf gitdir/i', includedIf('gitdir/i:~/WORK/')],
    ['includeIf onbranch', includedIf('onbranch:main')],
    ['includeIf hasconfig', (place) => {
      includedIf('hasconfig:remote.*.url:https://work.example/**')(place);
      place.git('remote', 'add', 'origin', 'https://work.example/handbook.git');
    }], // oxfmt-ignore
  ])('another name by %s is refused, and the advice is --admin with the name of commits here', async (_by, change) => {
    const place = workplace();
    change(place);
    expect(await place.init()).toEqual(JANE);
    expect(await place.init({}, '--admin', 'acme/human/jane-work')).toBe('acme/human/jane-work');
    place.git('commit', '--quiet', '--allow-empty', '--message', 'start');
    expect(place.git('log', '-1', '--format=%an').trim()).toBe('Jane Work');
  });

  test('a committer with another name than the author is refused, since both write the text', async () => {
    const refused = ['ARGUMENT_INVALID', PRIVATE];
    const configured = workplace();
    configured.git('config', '--global', 'committer.name', 'Jane Work');
    expect(await configured.init()).toEqual(refused);
    const plain = workplace();
    expect(await plain.init({ GIT_COMMITTER_NAME: 'Jane Work' })).toEqual(refused);
    expect(await plain.init({ GIT_AUTHOR_NAME: 'Jane Work' })).toEqual(JANE);
  });

  test('the environment names both before every configuration, as for git', async () => {
    const place = workplace();
    place.git('config', 'user.name', 'Somebody Else');
    const env = { GIT_AUTHOR_NAME: 'Ada Lovelace', GIT_COMMITTER_NAME: 'Ada Lovelace' };
    expect(await place.init(env)).toBe('acme/human/ada-lovelace');
  });

  test('the configuration of the machine counts, and a global file elsewhere', async () => {
    const place = workplace('');
    const machine = join(place.home, 'machine');
    writeFileSync(machine, INCLUDED);
    expect(await place.init({ GIT_CONFIG_NOSYSTEM: '0', GIT_CONFIG_SYSTEM: machine })).toBe('acme/human/jane-work');
    expect(await place.init({ GIT_CONFIG_GLOBAL: machine })).toBe('acme/human/jane-work');
  });

  test('a name that only the repository gives is not believed', async () => {
    const place = workplace('');
    place.git('config', 'user.name', 'Jane Work');
    expect(await place.init()).toEqual(JANE);
  });

  test('before git init, a user with names for some repositories is asked', async () => {
    const place = workplace();
    includedIf('gitdir:~/work/')(place);
    const dir = join(place.home, 'elsewhere/new');
    expect(await place.init({}, '--dir', dir)).toEqual(['ARGUMENT_INVALID', PRIVATE]);
    expect(existsSync(dir)).toBe(false);
  });

  test('a configuration that cannot be read is refused', async () => {
    const place = workplace();
    configure(join(place.repo, '.git'), '[user\n');
    expect(await place.init()).toEqual(['ARGUMENT_INVALID', 'acme/human/ann']);
  });

  test('no program that the repository names is started', async () => {
    const place = workplace();
    const set = trap();
    configure(join(place.repo, '.git'), programsOf(set, place.repo));
    expect(await place.init()).toBe(PRIVATE);
    expect(set.marks()).toEqual([]);
  });
});

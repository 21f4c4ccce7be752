import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { testTrust } from '../../support/compiled.ts';
import { tempFolder } from '../../support/folder.ts';
import { smallDeployment, unitFile } from '../../support/repository.ts';
import { handbook, listing } from '../handbook.ts';
import { publish } from '../published.ts';

const trust = testTrust({ development: true });
const FILE = 'instructions/agents/cto/wrap-up.md';

describe('DESIGN §6.2 git is called hermetically', () => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  test.each([
    ['log.follow', 'true'],
    ['log.showSignature', 'true'],
    ['diff.renames', 'copies'],
    ['diff.relative', 'true'],
    ['core.quotePath', 'true'],
    ['core.attributesFile', '/dev/null'],
    ['i18n.logOutputEncoding', 'ISO-8859-1'],
    ['log.mailmap', 'true'],
    ['format.pretty', 'oneline'],
    ['color.ui', 'always'],
  ])('%s of the repository’s configuration changes nothing', async (key, value) => {
    const repo = handbook().write('.mailmap', 'Nobody <nobody@example.com> <jose@example.com>\n');
    repo.write(FILE, unitFile('Cómo salir')).commit('más', undefined, 'José Núñez <jose@example.com>');
    const plain = await publish(repo.path, { trust });
    repo.git('config', key, value);
    expect(listing((await publish(repo.path, { trust })).folder)).toEqual(listing(plain.folder));
  });

  test('the user’s configuration and GIT_* environment variables change nothing', async () => {
    const repo = handbook();
    const plain = await publish(repo.path, { trust });
    const home = tempFolder();
    mkdirSync(join(home, 'git'));
    for (const file of ['.gitconfig', 'git/config']) {
      writeFileSync(
        join(home, file),
        '[diff]\n\trenames = copies\n[i18n]\n\tlogOutputEncoding = UTF-16\n[core]\n\tpager = false\n',
      );
    }
    const { path: other } = smallDeployment();
    vi.stubEnv('HOME', home);
    vi.stubEnv('XDG_CONFIG_HOME', home);
    vi.stubEnv('GIT_DIR', join(other, '.git'));
    vi.stubEnv('GIT_WORK_TREE', other);
    vi.stubEnv('GIT_EXTERNAL_DIFF', '/bin/false');
    vi.stubEnv('GIT_CONFIG_PARAMETERS', "'diff.renames=copies'");
    expect(listing((await publish(repo.path, { trust })).folder)).toEqual(listing(plain.folder));
  });

  test('replace refs and grafts change nothing', async () => {
    const repo = handbook();
    const plain = await publish(repo.path, { trust });
    const [head, parent, grandparent, start, unit, other] = repo
      .git('rev-parse', 'HEAD', 'HEAD~1', 'HEAD~2', 'HEAD~3', `HEAD:${FILE}`, 'HEAD:docs/escalation.md')
      .split('\n');
    repo.git('replace', unit!, other!);
    repo.git('replace', parent!, start!);
    mkdirSync(join(repo.path, '.git/info'), { recursive: true });
    writeFileSync(join(repo.path, '.git/info/grafts'), `${head!} ${grandparent!}\n`);
    expect(listing((await publish(repo.path, { trust })).folder)).toEqual(listing(plain.folder));
  });
});

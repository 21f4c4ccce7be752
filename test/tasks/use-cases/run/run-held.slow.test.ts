import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import {
  boxAgent,
  confinedWords,
  holdLists,
  packageSettings,
} from '../../../../compiler/tasks/use-cases/run/confine-agent.ts';
import { createRunFolders } from '../../../../compiler/tasks/use-cases/run/run-folders.ts';
import { tempFolder } from '../../../support/folder.ts';
import { describeWhere } from '../../../support/loudly.ts';
import { isConfinable } from '../../../support/sandboxes.ts';
import { worldIn } from '../../../support/world.ts';

const FILES = {
  'package.json': '{"name":"shop","version":"1.0.0","dependencies":{"dep":"file:vendor/dep"}}',
  'package-lock.json': `{"name":"shop","version":"1.0.0","lockfileVersion":3,"packages":{"":{"dependencies":{"dep":"file:vendor/dep"}},
    "node_modules/dep":{"resolved":"vendor/dep","link":true},"vendor/dep":{"version":"1.0.0"}}}`,
  'vendor/dep/package.json': '{"name":"dep","version":"1.0.0"}',
  'vendor/other/package.json': '{"name":"other","version":"1.0.0"}',
  'Cargo.toml': '[package]\nname = "shop"\nversion = "1.0.0"\nedition = "2021"\n',
  '.github/ci.yml': 'on: push\n',
  'README.md': '# Shop\n',
  'src/main.rs': 'fn main() {}\n',
  'src/old/a.txt': 'old\n',
  'lib/b/listed.txt': 'listed\n',
  'lib/b/other.txt': 'other\n',
  'two\nlines': 'two\n',
};
const LISTS = { listed: ['src/**', 'README.md', 'lib/b/listed.txt', 'new/deep/x.txt'], denied: ['src/OLD/**'] };

const git = (cwd: string, ...words: string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...words], { cwd, encoding: 'utf8' });

/** A repository that names a remote in every way, with a worktree; and a way to run a script as its agent. */
async function agentIn(confine: 'bwrap' | 'unshare') {
  const root = tempFolder();
  const [main, common, tree] = [join(root, 'main'), join(root, 'main/.git'), join(root, 'main.worktrees/one')];
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(main, path)), { recursive: true });
    writeFileSync(join(main, path), text);
  }
  symlinkSync(join(root, 'outside'), join(main, 'src/link'));
  symlinkSync('README.md', join(main, 'CLAUDE.md'));
  writeFileSync(join(root, 'outside'), 'outside\n');
  git(main, 'init', '-q', '-b', 'main');
  git(main, 'add', '.');
  git(main, 'commit', '-qm', 'x');
  git(main, 'worktree', 'add', '-q', '--detach', tree);
  git(main, 'remote', 'add', 'origin', 'git://shop.invalid/x');
  git(main, 'config', 'extensions.worktreeConfig', 'true');
  const named = ['config.worktree', 'FETCH_HEAD', 'logs/HEAD', 'modules/sub/config', 'branches/old', 'remotes/old'];
  for (const it of [...named, 'worktrees/one/config.worktree']) {
    mkdirSync(dirname(join(common, it)), { recursive: true });
    writeFileSync(join(common, it), '[remote "own"]\n\turl = git://shop.invalid/x\n');
  }
  mkdirSync(join(common, 'vade'));
  const folders = createRunFolders(tempFolder());
  const place = { repository: { top: main, common }, tasks: join(common, 'vade'), worktrees: dirname(tree) };
  const found = { program: '/bin/sh', path: process.env['PATH'] ?? '' };
  const flags = { confine: confine as 'auto', network: 'host', key: undefined } as const;
  const box = holdLists(await boxAgent(folders, LISTS, place as never, flags, found, worldIn('/')), tree);
  const env = { ...packageSettings(LISTS), HOME: folders.home, PATH: found.path, LC_ALL: 'C', CI: '1' };
  const agent = (script: string) => {
    const [program = '', ...args] = confinedWords(box, ['sh', '-c', script], tree);
    const more = { RUSTUP_HOME: join(homedir(), '.rustup'), npm_config_offline: 'true' };
    const ended = spawnSync(program, args, { cwd: tree, env: { ...env, ...more }, encoding: 'utf8' });
    return { code: ended.status, out: ended.stdout, why: ended.stderr };
  };
  return { tree, common, box, agent, outside: join(root, 'outside') };
}

/** Each changes a file that is not listed, by another means. */
const ATTACKS = [
  'echo x > package.json',
  'sed -i s/shop/x/ package.json',
  `python3 -c "open('package.json','w').write('x')"`,
  `node -e "require('fs').writeFileSync('.github/ci.yml','x')"`,
  'mv package.json src/',
  'rm -rf .github',
  'chmod 777 package.json',
  'ln -f src/main.rs package.json',
  'cp -f src/main.rs package.json',
  'truncate -s 0 package.json',
  'mv vendor src/vendor',
  'mv lib away',
  'npm pkg set name=x',
  // a name with a line end, a folder around a denied one, a second name, a link that leads out
  `echo x > 'two\nlines'`,
  'mv src/old src/new',
  'echo x > src/old/a.txt',
  'ln package.json src/p && echo x > src/p',
  'echo x > src/link; false',
  'unshare --user --map-root-user --mount sh -c "umount package.json; echo x > package.json"',
];

const CARGO =
  spawnSync('cargo', ['--version']).status === 0
    ? 'cargo build --offline'
    : 'mkdir -p target/debug && echo x > target/debug/shop && echo x > Cargo.lock';

/** Each is the work of an agent, or of its tools. */
const WORK = [
  'npm install && test -e node_modules/dep/package.json',
  'npm ci && test -e node_modules/dep/package.json',
  'npm install ./vendor/other && test -e node_modules/other/package.json',
  `${CARGO} && test -e target/debug/shop && test -e Cargo.lock`,
  'mkdir dist && echo x > dist/x',
  'git status --short && git diff && git log --oneline && git -C "$(git rev-parse --git-common-dir)/.." status',
  'echo y > src/x && mv src/x src/main.rs && echo y > README.tmp && mv README.tmp README.md && sed -i s/y/z/ README.md',
  'echo y > lib/b/x && mv lib/b/x lib/b/listed.txt && mkdir -p new/deep && echo y > new/deep/x.txt && rm -r src/main.rs',
];

for (const form of ['bwrap', 'unshare'] as const) {
  const missing = await isConfinable(form);
  describeWhere(
    missing === '',
    `a worktree whose list ${form} holds`,
    missing,
  )(`the lists of a task in ${form}`, () => {
    test('no existing file that is not listed changes, whatever the means', async () => {
      const { tree, agent, outside, box } = await agentIn(form);
      expect(box.told.missing).toEqual([expect.stringMatching(/^"CLAUDE\.md": can be replaced/)]);
      for (const it of ATTACKS) expect([it, agent(it).code]).not.toEqual([it, 0]);
      expect(agent('echo x > package.json').why).toContain('Read-only file system');
      expect(git(tree, 'status', '--short', '--untracked-files=no')).toBe('');
      expect([readFileSync(outside, 'utf8'), existsSync(join(tree, 'away'))]).toEqual(['outside\n', false]);
    });

    test('packages are installed, programs are built and listed files are replaced', async () => {
      const { tree, agent } = await agentIn(form);
      for (const it of WORK) expect([it, agent(it)]).toEqual([it, expect.objectContaining({ code: 0 })]);
      const changed = git(tree, 'status', '--short', '-z', '--untracked-files=no').split('\0').sort();
      expect(changed).toEqual(['', ' D src/main.rs', ' M README.md', ' M lib/b/listed.txt']);
    });

    test('no address of a remote is found in what git reads, and origin is no name of one', async () => {
      const { common, agent } = await agentIn(form);
      expect(
        execFileSync('grep', ['-rl', 'shop.invalid', common], { encoding: 'utf8' }).trim().split('\n'),
      ).toHaveLength(8);
      expect(agent(`grep -rl shop.invalid ${common}`)).toMatchObject({ code: 1, out: '' });
      expect(agent('git remote; git push origin HEAD:x').why).toMatch(
        /'origin' does not appear to be a git repository/,
      );
    });

    test('an entry that is gone before the start ends it', async () => {
      const { tree, agent } = await agentIn(form);
      execFileSync('rm', [join(tree, 'package.json')]);
      expect(agent('echo started').out).toBe('');
      expect(existsSync(join(tree, 'package.json'))).toBe(false);
    });
  });
}

// Installs what is missing, with nothing but Node: run by `npm start` and `npm test` on a fresh clone.
// With --compile-later packages are not compiled, so that a build can go on beside the next run, which compiles them.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, lstatSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(fileURLToPath(import.meta.url));
const modules = join(root, 'node_modules');
const stamp = join(modules, '.vade-installed');
const lock = readFileSync(join(root, 'package-lock.json'));
const wanted = `${createHash('sha256').update(lock).digest('hex')} node ${process.versions.modules}`;
const uncompiled = `${wanted}, uncompiled`;
const isLater = process.argv.includes('--compile-later');
const installed = existsSync(stamp) ? readFileSync(stamp, 'utf8') : '';
const isUnpacked = installed === uncompiled;
/** The last report. */
let said = '';

if (installed !== wanted && !(isLater && isUnpacked)) {
  if (lstatSync(modules, { throwIfNoEntry: false })?.isSymbolicLink()) {
    // npm would empty the folder that the link leads to, which belongs to another checkout
    process.stderr.write(`${modules} is a link to ${realpathSync(modules)}; run npm ci there, or remove the link\n`);
    process.exit(1);
  }
  const compiling = isLater
    ? 'without the two that are compiled'
    : 'two of them are compiled, which takes a minute or two';
  process.stderr.write(`installing dependencies; ${compiling} …\n`);
  // node-gyp would download Node's headers; where they lie beside this Node, it needs no network
  const prefix = dirname(dirname(process.execPath));
  const headers = existsSync(join(prefix, 'include', 'node', 'node.h')) ? { npm_config_nodedir: prefix } : {};
  const npm = process.env.npm_execpath;
  const [command, ...first] = npm ? [process.execPath, npm] : ['npm'];
  const install = ['ci', '--no-audit', '--no-fund', ...(isLater ? ['--ignore-scripts'] : [])];
  const npmRun = spawn(command, [...first, ...(isUnpacked ? ['rebuild'] : install)], {
    cwd: root,
    stdio: ['ignore', process.stderr, process.stderr],
    env: { ...process.env, ...headers },
  });
  // on a terminal npm itself shows that it works; on a pipe it says nothing for minutes
  const reports = process.stderr.isTTY || isLater ? undefined : setInterval(report, 2000);
  const [status] = await once(npmRun, 'close');
  clearInterval(reports);
  if (status !== 0) process.exit(status ?? 1);
  writeFileSync(stamp, isLater ? uncompiled : wanted);
  // the next build checks the sources against the types of these packages, which compiling does not change
  if (!isUnpacked) rmSync(join(root, 'dist', '.tsbuildinfo'), { force: true });
}

/** Says how many packages are there, without those that other machines need, whenever that has changed. */
function report() {
  const { packages: all = {} } = JSON.parse(lock.toString('utf8'));
  const packages = Object.keys(all).filter((path) => path !== '' && !all[path].optional);
  const there = packages.filter((path) => existsSync(join(root, path, 'package.json'))).length;
  const isDone = there === packages.length;
  const now = isDone ? 'two of them are being compiled …' : `${there} of ${packages.length} packages are there`;
  if (now !== said) process.stderr.write(`installing: ${now}\n`);
  said = now;
}

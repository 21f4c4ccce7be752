// Installs what is missing, with nothing but Node: run by `npm start` and `npm test` on a fresh clone.
// With --compile-later packages are not compiled, so that a build can go on beside the next run, which compiles them.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, lstatSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';

const root = dirname(fileURLToPath(import.meta.url));
const modules = join(root, 'node_modules');
/** npm's own list of what lies in `node_modules`, which it writes after each installation. */
const installed = join(modules, '.package-lock.json');
const isLater = process.argv.includes('--compile-later');
const wanted = packagesOf(join(root, 'package-lock.json'));
/** Packages that are compiled, each with the file that Node loads. */
const COMPILED = {
  'node_modules/better-sqlite3': 'build/Release/better_sqlite3.node',
  'node_modules/hnswlib-node': 'build/Release/addon.node',
};
/** The last report. */
let said = '';

if (!isInstalled()) await npm('ci', ...(isLater ? ['--ignore-scripts'] : []));
else if (!isLater && !isCompiled()) await npm('rebuild');
// the next build checks the sources against the types of these packages, which compiling does not change
const known = join(root, 'dist', '.tsbuildinfo');
if (existsSync(installed) && existsSync(known) && statSync(known).mtimeMs < statSync(installed).mtimeMs) rmSync(known);

/** The packages of a lock file by their folders, without the one that it belongs to; none if it cannot be read. */
function packagesOf(file) {
  try {
    const { '': _, ...packages } = JSON.parse(readFileSync(file, 'utf8')).packages ?? {};
    return packages;
  } catch {
    return {};
  }
}

/** Whether each package that this machine needs is there in the version of the lock file. */
function isInstalled() {
  const there = packagesOf(installed);
  const isThere = ([path, entry]) => (path in there ? isDeepStrictEqual(there[path], entry) : entry.optional === true);
  return existsSync(installed) && Object.entries(wanted).every(isThere);
}

/** Whether this Node loads each package that is compiled; npm itself takes away those that cannot be. */
function isCompiled() {
  return Object.entries(COMPILED).every(([path, file]) => {
    if (!(path in packagesOf(installed))) return true;
    try {
      process.dlopen({ exports: {} }, join(root, path, file));
      return true;
    } catch {
      return false;
    }
  });
}

/** Runs npm to its end; ends this process with its exit code if it fails. */
async function npm(...args) {
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
  const path = process.env.npm_execpath;
  const [command, ...first] = path ? [process.execPath, path] : ['npm'];
  const running = spawn(command, [...first, ...args, '--no-audit', '--no-fund'], {
    cwd: root,
    stdio: ['ignore', process.stderr, process.stderr],
    env: { ...process.env, ...headers },
  });
  // on a terminal npm itself shows that it works; on a pipe it says nothing for minutes
  const reports = process.stderr.isTTY || isLater ? undefined : setInterval(report, 1000);
  const [status] = await once(running, 'close');
  clearInterval(reports);
  if (status !== 0) process.exit(status ?? 1);
}

/** Says how many packages are there, without those that other machines need, whenever that has changed. */
function report() {
  const packages = Object.keys(wanted).filter((path) => !wanted[path].optional);
  const there = packages.filter((path) => existsSync(join(root, path, 'package.json'))).length;
  const isDone = there === packages.length;
  const now = isDone ? 'two of them are being compiled …' : `${there} of ${packages.length} packages are there`;
  if (now !== said) process.stderr.write(`installing: ${now}\n`);
  said = now;
}

import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { tempFolder } from './folder.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** The steps of `npm start`, and where a clone has each. */
export const STEPS = {
  npm: 'npm.cjs',
  tsc: 'node_modules/typescript/bin/tsc',
  page: 'compiler/present/page/build.mjs',
  manifest: 'compiler/cli/build.mjs',
  gate: 'compiler/capabilities/gate/build.mjs',
  vade: 'dist/compiler/cli/main.js',
};

/** The files that Node loads of the packages that are compiled. */
const COMPILED = ['better-sqlite3/build/Release/better_sqlite3.node', 'hnswlib-node/build/Release/addon.node'];

/** Brings the packages of the lock file that this machine needs, as `npm ci` does; and compiles, as every call. */
const INSTALL = `
const { copyFileSync, mkdirSync, readFileSync, writeFileSync } = process.getBuiltinModule('node:fs');
const { dirname } = process.getBuiltinModule('node:path');
const isCompiled = (path) => ${JSON.stringify(COMPILED)}.some((it) => path === 'node_modules/' + it.split('/')[0]);
if (words[0] === 'ci') {
  const { packages = {} } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  const brought = Object.entries(packages).filter(([path, it]) => path !== '' && (!it.optional || isCompiled(path)));
  writeFileSync('node_modules/.package-lock.json', JSON.stringify({ packages: Object.fromEntries(brought) }));
}
for (const file of words.includes('--ignore-scripts') ? [] : ${JSON.stringify(COMPILED)}) {
  mkdirSync(dirname('node_modules/' + file), { recursive: true });
  copyFileSync(${JSON.stringify(join(ROOT, 'node_modules'))} + '/' + file, 'node_modules/' + file);
}
`;

/** Step that notes its first word and whether packages compile; `FAILING` ends it: `<step> [<word>] <exit code>`. */
const stepOf = (name: string, root: string) => `
const { appendFileSync } = process.getBuiltinModule('node:fs');
const words = process.argv.slice(2);
const noted = words.filter((word, at) => at === 0 || word === '--ignore-scripts');
appendFileSync(${JSON.stringify(join(root, 'ran'))}, ['${name}', noted.join(' ')].join(' ') + '\\n');
const [failing, word, code] = (process.env.FAILING ?? '').split(' ');
if (failing === '${name}' && words.includes(word)) {
  process.stdout.write('on stdout');
  process.exit(Number(code));
}
${name === 'npm' ? INSTALL : ''}
if (failing === '${name}' && words.includes('serve') && word === 'stay') {
  process.on('SIGTERM', () => {
    appendFileSync(${JSON.stringify(join(root, 'ended'))}, 'SIGTERM');
    process.exit(143);
  });
  process.stderr.write('"msg":"ready"');
  setInterval(() => undefined, 1000);
} else process.stdout.write(JSON.stringify({ data: { key: 'vk_test', gardens: 1, serial: 1, deployment: 'acme' } }));
`;

/** A clone whose every step is a stub, with nothing installed. */
export function clone(): string {
  const root = tempFolder();
  for (const name of ['start.mjs', 'setup.mjs', 'build.mjs', 'package.json', 'package-lock.json'])
    cpSync(join(ROOT, name), join(root, name));
  for (const [name, path] of Object.entries(STEPS)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), stepOf(name, root));
  }
  return root;
}

/** A clone in which somebody has run `npm ci`, and the files that this left. */
export function installed() {
  const root = clone();
  setup(root);
  rmSync(join(root, 'ran'));
  const lock = join(root, 'node_modules/.package-lock.json');
  const [database = '', vectors = ''] = COMPILED.map((it) => join(root, 'node_modules', it));
  return { root, lock, database, vectors };
}

/** `node setup.mjs` there; answers the steps that ran so far. */
export function setup(root: string, ...args: string[]): string[] {
  spawnSync(process.execPath, ['setup.mjs', ...args], { cwd: root, env: { npm_execpath: join(root, STEPS.npm) } });
  return ranIn(root);
}

/** The steps that ran in a clone. */
export function ranIn(root: string): string[] {
  const noted = join(root, 'ran');
  return existsSync(noted) ? readFileSync(noted, 'utf8').trim().split('\n') : [];
}

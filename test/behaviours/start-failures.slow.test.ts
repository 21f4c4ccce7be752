import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { tempFolder } from '../support/folder.ts';
import { clone, installed, ranIn, setup, STEPS } from '../support/stub-clone.ts';

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** `node start.mjs` there, to its end. */
async function start(root: string, failing = '') {
  const env = { PORT: String(await freePort()), npm_execpath: join(root, STEPS.npm), FAILING: failing };
  const { status, stderr } = spawnSync(process.execPath, ['start.mjs'], { cwd: root, env, encoding: 'utf8' });
  return { status, stderr, ran: ranIn(root) };
}

const BUILT = ['npm ci', 'tsc --build', 'page ', 'manifest ', 'gate '];
const LOCK = 'node_modules/.package-lock.json';

test('npm start installs, builds, compiles, makes two keys and serves, in this order', async () => {
  const { status, ran } = await start(clone());
  expect(ran).toEqual([...BUILT, 'vade compile', 'vade key', 'vade key', 'vade serve']);
  expect(status).toBe(0);
});

test('npm start installs once, and again if the lock file has changed', async () => {
  const root = clone();
  await start(root);
  const installs = async () => (await start(root)).ran.filter((it) => it === 'npm ci').length;
  expect(await installs()).toBe(1);
  writeFileSync(join(root, 'package-lock.json'), '{"packages":{"node_modules/a":{}}}');
  expect(await installs()).toBe(2);
});

test('npm start installs and compiles nothing after an npm ci of one’s own', async () => {
  const { status, ran } = await start(installed().root);
  expect([status, ran]).toEqual([0, [...BUILT.slice(1), 'vade compile', 'vade key', 'vade key', 'vade serve']]);
});

test('npm start ends with npm’s exit code if the installation fails, and installs at the next start', async () => {
  const root = clone();
  const { status, ran } = await start(root, 'npm ci 7');
  expect([status, ran, existsSync(join(root, LOCK))]).toEqual([7, ['npm ci'], false]);
  expect((await start(root)).status).toBe(0);
});

test('after an installation the build begins anew, and knows nothing of the types that were there before', async () => {
  const root = clone();
  const known = join(root, 'dist/.tsbuildinfo');
  await start(root);
  writeFileSync(known, 'of the packages that are there');
  setup(root);
  expect(existsSync(known)).toBe(true);
  writeFileSync(join(root, 'package-lock.json'), '{"packages":{"node_modules/a":{}}}');
  setup(root);
  expect(existsSync(known)).toBe(false);
});

test('npm start installs nothing if node_modules is a link, because npm would empty the link’s target', async () => {
  const [root, other] = [clone(), tempFolder()];
  rmSync(join(root, 'node_modules'), { recursive: true });
  symlinkSync(other, join(root, 'node_modules'));
  writeFileSync(join(other, 'kept'), '');
  const { status, stderr, ran } = await start(root);
  expect([status, ran, existsSync(join(other, 'kept'))]).toEqual([1, [], true]);
  expect(stderr).toContain(other);
});

test.each([
  ['a type is wrong', 'tsc --build 1', BUILT.slice(0, 2), 1],
  ['the instructions do not compile', 'vade compile 4', [...BUILT, 'vade compile'], 4],
  ['a key cannot be created', 'vade key 3', [...BUILT, 'vade compile', 'vade key'], 3],
])('npm start ends with the exit code and the output of a failed step if %s', async (_, failing, steps, code) => {
  const { status, stderr, ran } = await start(clone(), failing);
  expect([status, ran]).toEqual([code, steps]);
  expect(stderr).toContain('on stdout');
});

test('npm start ends with the exit code of its server', async () => {
  const { status, ran } = await start(clone(), 'vade serve 7');
  expect([status, ran.at(-1)]).toEqual([7, 'vade serve']);
});

test('npm start ends its server if the reader of its output closes the pipe', async () => {
  const root = clone();
  const env = { PORT: String(await freePort()), npm_execpath: join(root, STEPS.npm), FAILING: 'vade stay 0' };
  const child = spawn(process.execPath, ['start.mjs'], { cwd: root, env, stdio: ['ignore', 'pipe', 'ignore'] });
  child.stdout.destroy();
  await once(child, 'close');
  await vi.waitFor(() => {
    expect(existsSync(join(root, 'ended'))).toBe(true);
  });
});

test.each(['SIGTERM', 'SIGHUP', 'SIGKILL'] as const)('npm start ends its server if npm ends by %s', async (signal) => {
  const { root } = installed();
  const env = { PATH: process.env['PATH'], PORT: String(await freePort()), FAILING: 'vade stay 0' };
  const npm = spawn('npm', ['start'], { cwd: root, env, stdio: ['ignore', 'pipe', 'ignore'] });
  for await (const printed of npm.stdout) if (String(printed).includes('Ctrl-C')) break;
  npm.kill(signal);
  await vi.waitUntil(() => existsSync(join(root, 'ended')), { timeout: 60_000 });
});

/** An npm that brings one package of two, and ends once somebody writes `go`. */
const HALF_WAY = (root: string) => `
const { existsSync, mkdirSync, writeFileSync } = process.getBuiltinModule('node:fs');
const at = (path) => ${JSON.stringify(root)} + '/' + path;
mkdirSync(at('node_modules/a'), { recursive: true });
writeFileSync(at('node_modules/a/package.json'), '{}');
const wait = setInterval(() => existsSync(at('go')) && clearInterval(wait), 10);
`;

test('npm start says on a pipe how many packages are installed, without those of other machines', async () => {
  const root = clone();
  const packages = { '': {}, 'node_modules/a': {}, 'node_modules/b': {}, 'node_modules/c': { optional: true } };
  writeFileSync(join(root, 'package-lock.json'), JSON.stringify({ packages }));
  writeFileSync(join(root, STEPS.npm), HALF_WAY(root));
  const env = { PORT: String(await freePort()), npm_execpath: join(root, STEPS.npm) };
  const child = spawn(process.execPath, ['start.mjs'], { cwd: root, env, stdio: ['ignore', 'ignore', 'pipe'] });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString('utf8');
    if (/^installing: \d/m.test(stderr)) writeFileSync(join(root, 'go'), '');
  });
  const [code] = (await once(child, 'close')) as [number | null];
  expect([code, stderr]).toEqual([0, expect.stringMatching(/^installing: 1 of 2 packages/m)]);
});

test('npm start exits with 6 and names a free port if its port is taken while it installs', async () => {
  const root = clone();
  writeFileSync(join(root, STEPS.npm), HALF_WAY(root));
  const port = await freePort();
  const env = { PORT: String(port), npm_execpath: join(root, STEPS.npm) };
  const child = spawn(process.execPath, ['start.mjs'], { cwd: root, env, stdio: ['ignore', 'ignore', 'pipe'] });
  const other = createServer();
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString('utf8');
    if (/^installing/m.test(stderr) && !other.listening)
      other.listen(port, '127.0.0.1', () => {
        writeFileSync(join(root, 'go'), '');
      });
  });
  const [code] = (await once(child, 'close')) as [number | null];
  other.close();
  expect([code, ranIn(root).at(-1)]).toEqual([6, 'vade key']);
  expect(stderr).toMatch(/PORT=\d+ npm start/);
});

import { spawn, spawnSync, type ChildProcessByStdio } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join, relative } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { beforeAll, expect, test } from 'vitest';
import { pagesIn, textIn } from '../server/mcp/asking.ts';
import { repository, type Repository } from '../support/repository.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const COPIED = ['compiler', 'dist', 'instructions', 'server', 'package.json', 'package-lock.json', 'setup.mjs'];
const CONFIGS = ['start.mjs', 'build.mjs', 'tsconfig.json', 'tsconfig.build.json', '.gitignore'];

let clone: Repository;

/** The clone of somebody who built it once. Its packages are links: nothing here may install into those of this one. */
beforeAll(() => {
  clone = repository();
  for (const name of [...COPIED, ...CONFIGS]) clone.copy(join(ROOT, name), name);
  const packages = join(clone.path, 'node_modules');
  mkdirSync(packages);
  for (const name of readdirSync(join(ROOT, 'node_modules')))
    if (!name.startsWith('.')) symlinkSync(join(ROOT, 'node_modules', name), join(packages, name));
  copyFileSync(join(ROOT, 'node_modules/.package-lock.json'), join(packages, '.package-lock.json'));
  keepTypes();
  clone.commit();
});

/** Keeps the build's record of the packages' types valid behind the links; else the first build would read all anew. */
function keepTypes(): void {
  const info = join(clone.path, 'dist/.tsbuildinfo');
  const packages = relative(join(clone.path, 'dist'), join(ROOT, 'node_modules'));
  writeFileSync(info, readFileSync(info, 'utf8').replaceAll('"../node_modules/', `"${packages}/`));
}

async function freePort(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return String(port);
}

/** The text that `npm start` prints once it serves. @throws where it ends before that */
function greeting(
  child: ChildProcessByStdio<null, Readable, Readable>,
  ended: Promise<number | null>,
): Promise<string> {
  let log = '';
  let stdout = '';
  child.stderr.on('data', (chunk: Buffer) => (log += chunk.toString('utf8')));
  return new Promise((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString('utf8');
      if (stdout.includes('Ctrl-C')) resolve(stdout);
    });
    void ended.then((code) => {
      reject(new Error(`npm start ended with ${String(code)}: ${log}`));
    });
  });
}

/** Whether Claude Code would connect: the printed command as its words, asked as its client asks. */
async function unitsOverMcp(command: string): Promise<number> {
  const words = [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
  const [url = ''] = words.filter((word) => word.startsWith('http://'));
  const [name = '', value = ''] = (words.at(-1) ?? '').split(': ');
  const client = new Client({ name: 'test', version: '1' });
  const requestInit = { headers: { [name]: value } };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  const given = { intent: 'I am about to merge a risky change' };
  const answer = await client.callTool({ name: 'recall_instruction', arguments: given });
  await client.close();
  return pagesIn(textIn(answer)).length;
}

test('npm start prints commands and an address that work, and SIGTERM ends it with 0 and frees its port', async () => {
  const port = await freePort();
  const env = { PATH: process.env['PATH'], PORT: port };
  const child = spawn(process.execPath, ['start.mjs'], { cwd: clone.path, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  try {
    const printed = await greeting(child, ended);
    const command = /^ {2}curl [^]*?'\n/m.exec(printed)?.[0] ?? 'false';
    const { stdout } = spawnSync('bash', ['-c', command], { encoding: 'utf8' });
    const { chunks } = JSON.parse(stdout) as { chunks: { name: string }[] };
    expect(chunks.map((it) => it.name)).toContain('code-review');
    expect(printed).toContain(`http://127.0.0.1:${port}/ui\n`);
    expect((await fetch(`http://127.0.0.1:${port}/ui`)).status).toBe(200);
    expect(await unitsOverMcp(/^ {2}claude mcp add .*$/m.exec(printed)?.[0] ?? '')).toBeGreaterThan(0);
  } finally {
    child.kill('SIGTERM');
  }
  expect(await ended).toBe(0);
  await expect(fetch(`http://127.0.0.1:${port}/healthz`)).rejects.toThrow();
});

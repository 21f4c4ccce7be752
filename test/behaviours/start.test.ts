import { spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { tempFolder } from '../support/folder.ts';
import { AS_NOBODY, PRIVILEGED_PORT, isPortPrivileged } from '../support/unprivileged.ts';

const START = fileURLToPath(new URL('../../start.mjs', import.meta.url));

/** A clone with `start.mjs` in it; the step that would install leaves a mark, and ends the run with 99. */
function clone(): string {
  const folder = tempFolder();
  copyFileSync(START, join(folder, 'start.mjs'));
  const setup = `import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
writeFileSync(join(import.meta.dirname, 'installed'), process.env.PORT ?? '');
process.exit(99);
`;
  writeFileSync(join(folder, 'setup.mjs'), setup);
  return folder;
}

interface Begun {
  readonly code: number | null;
  readonly stderr: string;
  /** Whether it went on to install. */
  readonly installed: boolean;
}

/** `node start.mjs` there, to its end. */
function begin(folder: string, port: string | undefined, flags: readonly string[] = []): Promise<Begun> {
  const env = { PATH: process.env['PATH'], ...(port !== undefined && { PORT: port }) };
  const child = spawn(process.execPath, [...flags, 'start.mjs'], {
    cwd: folder,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString('utf8')));
  return new Promise((resolve) => {
    child.on('close', (code) => {
      resolve({ code, stderr, installed: existsSync(join(folder, 'installed')) });
    });
  });
}

/** Holds a port of the loopback while something runs. */
async function whileTaken<T>(work: (port: number) => Promise<T>): Promise<T> {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  try {
    return await work((taken.address() as AddressInfo).port);
  } finally {
    await new Promise((resolve) => taken.close(resolve));
  }
}

const freed = () => whileTaken((port) => Promise.resolve(port));

describe('npm start before anything is installed or compiled', () => {
  test('npm start exits with 6 if its port is taken, and names a free one', async () => {
    const { code, stderr, installed, port } = await whileTaken(async (port) => ({
      ...(await begin(clone(), String(port))),
      port,
    }));
    expect({ code, installed }).toEqual({ code: 6, installed: false });
    expect(stderr).toContain(`127.0.0.1:${port}`);
    const other = /PORT=(\d+) npm start/.exec(stderr)?.[1];
    expect(other).toBeDefined();
    expect((await begin(clone(), other)).installed).toBe(true);
  });

  test.runIf(isPortPrivileged())(
    'npm start exits with 6 if it may not listen on its port, and names another one',
    async () => {
      const { code, stderr, installed } = await begin(clone(), String(PRIVILEGED_PORT), AS_NOBODY);
      expect({ code, installed }).toEqual({ code: 6, installed: false });
      const other = /PORT=(\d+) npm start/.exec(stderr)?.[1];
      expect((await begin(clone(), other, AS_NOBODY)).installed).toBe(true);
    },
  );

  test.each(['0', '65536', '-1', '80.5', '8e3', 'http', ' 8765', '8765;', '٨٧٦٥'])(
    'npm start exits with 3 if PORT is “%s”, which is no port',
    async (port) => {
      const { code, stderr, installed } = await begin(clone(), port);
      expect({ code, installed }).toEqual({ code: 3, installed: false });
      expect(stderr).toContain('PORT');
    },
  );

  test('npm start exits with 1 if its folder cannot be written, and names the folder', async () => {
    const folder = clone();
    writeFileSync(join(folder, '.vade'), 'a file in the place of a folder');
    const { code, stderr, installed } = await begin(folder, String(await freed()));
    expect({ code, installed }).toEqual({ code: 1, installed: false });
    expect(stderr).toContain(join(folder, '.vade'));
  });

  test('npm start exits with 1 if a folder has the name of a file that it writes', async () => {
    const folder = clone();
    mkdirSync(join(folder, '.vade/demo/keys.json/x'), { recursive: true });
    const { code, installed } = await begin(folder, String(await freed()));
    expect({ code, installed }).toEqual({ code: 1, installed: false });
  });

  test('npm start accepts a free port, and releases it', async () => {
    const folder = clone();
    const port = await freed();
    const { code, stderr } = await begin(folder, String(port));
    expect([code, stderr]).toEqual([99, '']);
    expect(readFileSync(join(folder, 'installed'), 'utf8')).toBe(String(port));
    const again = createServer();
    await new Promise<void>((resolve, reject) => again.once('error', reject).listen(port, '127.0.0.1', resolve));
    await new Promise((resolve) => again.close(resolve));
  });
});

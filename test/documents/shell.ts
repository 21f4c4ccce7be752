import { execFileSync, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { tempFolder } from '../support/folder.ts';
import { vadeOnPath } from '../support/vade-on-path.ts';

/** A shell for the examples of documents: the built `vade` on its PATH, and a git identity of its own. */
export interface Shell {
  /** Runs a script in a folder, and stops at the first command that fails. */
  readonly run: (script: string, cwd: string) => Promise<{ readonly code: number | null; readonly log: string }>;
}

/** The programs that examples need and this machine lacks. */
export function missingPrograms(): string[] {
  return ['bash', 'curl'].filter((name) => {
    try {
      return execFileSync('sh', ['-c', `command -v ${name}`]).length === 0;
    } catch {
      return true;
    }
  });
}

/** Makes a shell whose files lie in a temporary folder. */
export function openShell(): Shell {
  const home = tempFolder();
  const identity = '[user]\n\tname = Ada Lovelace\n\temail = ada@example.com\n[init]\n\tdefaultBranch = main\n';
  writeFileSync(join(home, '.gitconfig'), identity);
  const env = { PATH: vadeOnPath(), HOME: home, GIT_CONFIG_NOSYSTEM: '1' };
  return { run: (script, cwd) => runBash(script, cwd, env) };
}

/** The port that documents name becomes a free one; what a script leaves running ends with it. */
async function runBash(script: string, cwd: string, env: Record<string, string>) {
  const text = script.replaceAll('8765', String(await freePort()));
  const child = spawn('bash', ['-euo', 'pipefail', '-c', text], {
    cwd,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (log += chunk.toString()));
  const code = await new Promise<number | null>((done, fail) => {
    child.on('error', fail);
    child.on('exit', done);
  });
  endGroup(child.pid);
  return { code, log };
}

function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // nothing of it runs any more
  }
}

function freePort(): Promise<number> {
  return new Promise((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => {
        done(port);
      });
    });
  });
}

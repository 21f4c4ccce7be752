import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { z } from 'zod';

const MAIN = resolve('dist', 'compiler', 'cli', 'main.js');
const AUTHOR = ['-c', 'user.name=Ada Lovelace', '-c', 'user.email=ada@example.com', '-c', 'commit.gpgsign=false'];
/** The first agent of what `vade init` makes. */
const AGENT = 'assistant';

const Key = z.object({ data: z.object({ key: z.string() }) });

export interface Deployment {
  readonly url: string;
  /** A key of the agent. */
  readonly key: string;
  /** Ends the server, and removes its folder. */
  readonly end: () => Promise<void>;
}

/** Serves the handbook that `vade init` makes, compiled as its user would. */
export async function serveExample(): Promise<Deployment> {
  if (!existsSync(MAIN)) throw new Error('the command line is not built: run npm run build');
  const folder = mkdtempSync(join(tmpdir(), 'vade-conformance-'));
  vade(folder, 'init', '--dir', '.');
  git(folder, 'init', '--quiet');
  git(folder, 'add', '.');
  git(folder, 'commit', '--quiet', '--message', 'Start the handbook');
  vade(folder, 'compile', '--dev', '--quiet');
  const { key } = Key.parse(JSON.parse(vade(folder, 'key', 'create', '--dev', '--agent', AGENT))).data;
  const { url, stop } = await serve(folder);
  const end = async () => {
    await stop();
    rmSync(folder, { recursive: true, force: true });
  };
  return { url, key, end };
}

/** Without a limit of requests: the suite sends more than any agent. */
async function serve(cwd: string): Promise<{ url: string; stop: () => Promise<unknown> }> {
  const args = ['serve', '--dev', '--port', '0', '--rate-limit', '0'];
  const child = spawn(process.execPath, [MAIN, ...args], { cwd, stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(child, 'close');
  const stop = () => {
    child.kill();
    return ended;
  };
  let log = '';
  const url = new Promise<string>((found) => {
    child.stderr.on('data', (chunk: Buffer) => {
      log += chunk.toString('utf8');
      const address = /"url":"([^"]+)"/.exec(log)?.[1];
      if (address !== undefined) found(address);
    });
  });
  const early = ended.then(() => Promise.reject(new Error(`vade serve ended before it was ready: ${log}`)));
  return { url: await Promise.race([url, early]), stop };
}

const vade = (cwd: string, ...args: string[]) => run(cwd, process.execPath, [MAIN, ...args]);
const git = (cwd: string, ...args: string[]) => run(cwd, 'git', [...AUTHOR, ...args]);

function run(cwd: string, program: string, args: readonly string[]): string {
  const { status, stdout } = spawnSync(program, args, { cwd, stdio: ['ignore', 'pipe', 'inherit'], encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${String(status)}: ${stdout}`);
  return stdout;
}

import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Ran } from '../support/cli.ts';

const MAIN = fileURLToPath(new URL('../../dist/compiler/cli/main.js', import.meta.url));

/** A running process of the built `vade`. */
export interface Started {
  readonly kill: (signal: NodeJS.Signals) => void;
  /** Resolves with stderr so far when that contains the text; rejects if the run ends before. */
  readonly says: (text: string) => Promise<string>;
  /** The address of a server, once it is ready. */
  readonly url: () => Promise<string>;
  readonly ended: Promise<Ran>;
}

/** Starts `vade` and collects its output; it ends by itself or by `kill`. */
export function start(args: readonly string[], cwd: string, more: Record<string, string> = {}): Started {
  const env = { PATH: process.env['PATH'], ...more };
  const child = spawn(process.execPath, [MAIN, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  const waiting: (() => void)[] = [];
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString('utf8')));
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString('utf8');
    for (const look of waiting) look();
  });
  const ended = new Promise<Ran>((resolve) => {
    child.on('close', (code) => {
      resolve({ code, stdout, stderr, envelope: () => JSON.parse(stdout) as ReturnType<Ran['envelope']> });
    });
  });
  const says: Started['says'] = (text) =>
    new Promise((resolve, reject) => {
      const look = () => {
        if (stderr.includes(text)) resolve(stderr);
      };
      waiting.push(look);
      look();
      void ended.then((ran) => {
        reject(new Error(`it ended with ${String(ran.code)}: ${ran.stderr}`));
      });
    });
  const url = async () => {
    await says('"msg":"ready"');
    return /"url":"([^"]+)"/.exec(stderr)?.[1] ?? '';
  };
  return { kill: (signal) => void child.kill(signal), says, url, ended };
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformSync } from 'esbuild';
import { tempFolder } from '../support/folder.ts';

export interface ExampleRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program of `examples/` with this environment alone, to its end. */
export async function runExample(
  file: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<ExampleRun> {
  const [program, path] = file.endsWith('.py')
    ? ['python3', join('examples', file)]
    : [process.execPath, plainJavaScript(join('examples', file))];
  const child = spawn(program, [path, ...args], { env: { PATH: process.env['PATH'], ...env } });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString('utf8')));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString('utf8')));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout, stderr };
}

/** Without its types, in a folder without packages: later versions of Node run the file as it is. */
function plainJavaScript(path: string): string {
  const { code } = transformSync(readFileSync(path, 'utf8'), { loader: 'ts', format: 'esm', target: 'es2023' });
  const file = join(tempFolder(), 'example.mjs');
  writeFileSync(file, code);
  return file;
}

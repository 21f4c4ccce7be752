#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';

interface Module {
  exports: { readonly runHookProgram?: (argv: readonly string[]) => Promise<void> };
}
type Program = (
  exports: object,
  require: NodeJS.Require,
  module: Module,
  path: string,
  importFrom: (name: string) => Promise<unknown>,
) => void;

/** Answers an event of a host from one file, without anything else of the program: a host starts it at each. */
async function startHook(): Promise<void> {
  const filename = fileURLToPath(new URL('hook-program.cjs', import.meta.url));
  // the build writes both: one function, and the code that V8 made of it; another version of Node compiles it again
  const cachedData = readFileSync(filename.replace(/cjs$/, 'code'));
  const script = new Script(readFileSync(filename, 'utf8'), { filename, cachedData });
  const own: Module = { exports: {} };
  // compiled code cannot import by itself; it lies beside this file
  const importFrom = (name: string) => import(name);
  (script.runInThisContext() as Program)(own.exports, createRequire(filename), own, filename, importFrom);
  await own.exports.runHookProgram?.(process.argv.slice(2));
}

if (process.argv[2] === 'hook' && !process.argv.includes('--help')) await startHook();
else await import('./command-line.ts');

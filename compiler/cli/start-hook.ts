import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Script } from 'node:vm';

/** The build writes both: one function, and the code that V8 made of it. */
const [filename = '', code = ''] = ['hook-program.cjs', 'hook-program.code'].map((name) =>
  fileURLToPath(new URL(name, import.meta.url)),
);

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

const script = new Script(readFileSync(filename, 'utf8'), {
  filename,
  // another version of Node than that of the build compiles the file again
  ...(existsSync(code) && { cachedData: readFileSync(code) }),
});
const own: Module = { exports: {} };
const importFrom = (name: string) => import(name.startsWith('.') ? new URL(name, pathToFileURL(filename)).href : name);
(script.runInThisContext() as Program)(own.exports, createRequire(filename), own, filename, importFrom);
await own.exports.runHookProgram?.(process.argv.slice(2));

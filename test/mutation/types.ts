import { join } from 'node:path';
import ts from 'typescript';
import type { Mutant } from './mutants.ts';

/**
 * The mutants without those that take a `?.` or the right side of a `??` away although the type checker asks for it, as
 * in `list[i] ?? 0`: they do not compile, so that nobody could commit them, and mostly mean the same. All others stay,
 * whether or not they compile.
 */
export function withoutRefused(root: string, mutants: readonly Mutant[]): Mutant[] {
  const isAsked = createTypeCheck(root, [...new Set(mutants.map(({ path }) => path))]);
  return mutants.filter((it) => !isOfNothing(it) || isAsked(it));
}

/** Whether it leaves out what is done where there is no value. */
function isOfNothing({ mutator, from, to }: Mutant): boolean {
  return (
    mutator === 'optional' || (mutator === 'logical' && from.startsWith(to) && from.slice(to.length).includes('??'))
  );
}

/** Tells whether a mutant compiles; what is only left unused does not count. */
function createTypeCheck(root: string, paths: readonly string[]): (mutant: Mutant) => boolean {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), (path) => ts.sys.readFile(path)) as {
    config: object;
  };
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: paths }, ts.sys, root);
  const changed = new Map<string, { text: string; version: number }>();
  const host: ts.LanguageServiceHost = {
    getCompilationSettings: () => ({ ...options, noUnusedLocals: false, noUnusedParameters: false }),
    getScriptFileNames: () => paths.map((path) => join(root, path)),
    getScriptVersion: (path) => String(changed.get(path)?.version ?? 0),
    getScriptSnapshot: (path) => {
      const text = changed.get(path)?.text ?? ts.sys.readFile(path);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => root,
    getDefaultLibFileName: (it) => ts.getDefaultLibFilePath(it),
    fileExists: (path) => ts.sys.fileExists(path),
    readFile: (path) => ts.sys.readFile(path),
    directoryExists: (path) => ts.sys.directoryExists(path),
    getDirectories: (path) => ts.sys.getDirectories(path),
  };
  const service = ts.createLanguageService(host);
  let version = 0;
  return ({ path, change }) => {
    const file = join(root, path);
    const original = ts.sys.readFile(file) ?? '';
    const text = original.slice(0, change.start) + change.text + original.slice(change.end);
    changed.set(file, { text, version: ++version });
    const errors = [...service.getSyntacticDiagnostics(file), ...service.getSemanticDiagnostics(file)];
    changed.set(file, { text: original, version: ++version });
    return errors.length === 0;
  };
}

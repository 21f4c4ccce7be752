import type { Field } from '../words/field.ts';

/** The files that a command writes, by their paths and by their names. */
interface WrittenFiles {
  readonly writtenTo: (path: Field) => readonly Field[];
  readonly writtenAs: (name: Field) => readonly Field[];
}

/** Endings of a module's file, and files that a language loads before any other. */
const LANGUAGES: readonly (readonly [program: RegExp, endings: readonly string[], first: readonly string[]])[] = [
  [/^(python|pypy|ipython|bpython)/, ['.py', '/__main__.py', '/__init__.py'], ['sitecustomize.py', 'usercustomize.py']],
  [/^(node|nodejs|tsx|ts-node|bun|deno)/, ['.js', '.cjs', '.mjs', '.ts', '/index.js'], []],
  [/^ruby/, ['.rb'], []],
  [/^perl/, ['.pm', '.pl'], []],
  [/^lua/, ['.lua', '/init.lua'], []],
];

/** Options behind which a module stands, and those that have it in the same word. */
const OPTION = /^(?:-r|-l|-m|-M|-I|--require|--import|--preload|--loader|--experimental-loader)$/;
const ATTACHED =
  /^(?:--(?:require|import|preload|loader|experimental-loader)=|(?:-d\s*)?auto_(?:ap|pre)pend_file=|-\w*[rmM]-?)([^]+)$/;

/** The modules that options of an interpreter name, and the files behind a module of Python that runs them. */
export function loadedBy(name: string, words: readonly Field[]): Field[] {
  const first = LANGUAGES.find(([program]) => program.test(name))?.[2] ?? [];
  const named = words.flatMap((it, at) => {
    if (at === 0) return [];
    if (OPTION.test(it))
      return words.slice(at + 1, it === '-m' ? undefined : at + 2).filter((word) => !word.startsWith('-'));
    return (ATTACHED.exec(it)?.[1] ?? '')
      .split(/[=,\s]/)
      .slice(0, 1)
      .filter(Boolean);
  });
  return [...first, ...named];
}

/** The texts that the command itself has written to a module, which may be named without its ending or folder. */
export function moduleTexts(name: string, module: Field, files: WrittenFiles): readonly Field[] {
  const endings = LANGUAGES.find(([program]) => program.test(name))?.[1] ?? [];
  const last = module.includes('/') ? module.split('/').at(-1) : module.split(/[.:]+/).at(-1);
  const looked = endings.filter((it) => !it.includes('/')).map((it) => `${last ?? ''}${it}`);
  return [
    ...new Set([
      ...['', ...endings].flatMap((it) => files.writtenTo(module + it)),
      ...[module, ...looked].flatMap((it) => (it.includes('/') ? [] : files.writtenAs(it))),
    ]),
  ];
}

import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';

const FOLDER = 'compiler/library';
/** Declarations outside of the folder that a program gets too. */
const SHIPPED = ['../schema/errors.ts'];

interface Package {
  readonly exports: { readonly '.': Readonly<Record<'types' | 'default', string>> };
  readonly files: readonly string[];
}

const { exports: entries, files } = JSON.parse(readFileSync('package.json', 'utf8')) as Package;

/** The declarations that TypeScript writes for a file of the library. */
function declarationsOf(file: string): string {
  const options = { module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2023, strict: true };
  const { outputText, diagnostics = [] } = ts.transpileDeclaration(readFileSync(`${FOLDER}/${file}`, 'utf8'), {
    fileName: file,
    compilerOptions: options,
    reportDiagnostics: true,
  });
  expect(diagnostics.map(({ messageText }) => messageText)).toEqual([]);
  return outputText;
}

const importsOf = (text: string) => [...text.matchAll(/from '([^']+)'/g)].map(([, from = '']) => from);

/** Files whose declarations a program sees, from the entry on. */
function seenFrom(entry: string, seen = new Set<string>()): Set<string> {
  if (seen.has(entry)) return seen;
  seen.add(entry);
  const own = importsOf(declarationsOf(entry)).filter((from) => from.startsWith('./'));
  for (const from of own) seenFrom(from.slice('./'.length), seen);
  return seen;
}

const seen = [...seenFrom('index.ts')].sort();

describe('the declarations of the library', () => {
  test('names and types of the library change only with this file', async () => {
    const text = seen.map((file) => `// ${file}\n${declarationsOf(file)}`).join('\n');
    await expect(text).toMatchFileSnapshot('../golden/library.txt');
  });

  test('they need no declaration of anything else', () => {
    const foreign = seen.flatMap((file) => importsOf(declarationsOf(file))).filter((from) => !from.startsWith('./'));
    expect([...new Set(foreign)]).toEqual(SHIPPED);
    expect(importsOf(readFileSync('compiler/schema/errors.ts', 'utf8'))).toEqual([]);
  });

  test('what no program sees of the library is not shipped', () => {
    const hidden = readdirSync(FOLDER).filter((file) => file.endsWith('.ts') && !seen.includes(file));
    const left = files.filter((it) => it.startsWith('!dist/compiler/library/'));
    expect(left).toEqual(hidden.map((file) => `!dist/${FOLDER}/${file.replace('.ts', '.d.ts')}`));
  });

  test('the package has this entry and no other', () => {
    const entry = './dist/compiler/library/index';
    expect(entries).toEqual({
      '.': { types: `${entry}.d.ts`, default: `${entry}.js` },
      './package.json': './package.json',
    });
  });

  test('every function says what it does and what it throws', () => {
    for (const file of seen)
      for (const [, comment = ''] of declarationsOf(file).matchAll(
        /(\/\*\*(?:(?!\*\/)[^])*\*\/\n)?export declare function/g,
      ))
        expect(comment, file).toContain('@throws');
  });
});

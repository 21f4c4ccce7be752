import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const design = readFileSync('compiler/README.md', 'utf8');

function sources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return sources(path);
    return /\.(tsx?|mjs|yml|md)$/.test(path) ? [path] : [];
  });
}

/** Every `DESIGN §n` of the repository, once each: comments break lines anywhere. */
function citations(): string[] {
  const cited = ['compiler', 'server', 'test', '.github']
    .flatMap(sources)
    .flatMap((path) => [...readFileSync(path, 'utf8').matchAll(/DESIGN[\s*/#]+§(\d+(?:\.\d+)?)/g)])
    .map(([, section = '']) => section);
  return [...new Set(cited)].sort();
}

describe('the design', () => {
  const headings = [...design.matchAll(/^#{2,3} (\d+(?:\.\d+)?)\.? /gm)].map(([, number = '']) => number);

  test('has a section for every DESIGN § that is cited', () => {
    expect(citations().length).toBeGreaterThan(10);
    expect(citations().filter((section) => !headings.includes(section))).toEqual([]);
  });

  test('numbers its sections without a gap', () => {
    const decisions = headings.filter((number) => number.startsWith('6.'));
    expect(headings.filter((number) => !number.includes('.'))).toEqual(decadeTo(9));
    expect(decisions).toEqual(decadeTo(decisions.length).map((number) => `6.${number}`));
  });

  test('walks through functions and classes that their files export', () => {
    const walks = [...design.matchAll(/^\| step .*\n(?:\|.*\n)+/gm)].map(([table]) => stepsOf(table));
    expect(walks).toHaveLength(3);
    for (const steps of walks) expect(steps.length).toBeGreaterThan(8);
    expect(walks.flat().filter(({ file, name }) => !isExported(file, name))).toEqual([]);
  });

  test('gives every folder of the sources a row', () => {
    const rooms = [...design.matchAll(/^\| `((?:compiler|server)\/[\w.-]+\/?)` /gm)].map(([, room = '']) => room);
    const folders = ['compiler', 'server'].flatMap(foldersIn);
    expect(rooms.filter((it) => it.endsWith('/')).sort()).toEqual(folders.sort());
    expect(rooms.filter((it) => !existsSync(it))).toEqual([]);
  });

  test('names types in the glossary that one file alone exports', () => {
    const glossary = design.slice(design.indexOf('## 4. Glossary'), design.indexOf('## 5. '));
    const types = [...glossary.matchAll(/^\|[^|]+\|[^|]+\| `(\w+)` +\|$/gm)].map(([, name = '']) => name);
    const files = ['compiler', 'server'].flatMap(sources).filter((it) => it.endsWith('.ts'));
    const texts = files.map((it) => readFileSync(it, 'utf8'));
    const exporting = (name: string) =>
      texts.filter((text) => new RegExp(`^export (interface|type|class) ${name}\\b`, 'm').test(text)).length;
    expect(types.length).toBeGreaterThan(15);
    expect(types.filter((name) => exporting(name) !== 1)).toEqual([]);
  });
});

/** The steps of a walk; a row of another form would be no step, and must not pass unseen. */
function stepsOf(table: string) {
  const rows = table.trimEnd().split('\n').slice(2);
  return rows.map((row) => {
    const [, file = '', name = ''] = /^\|[^|]+\| `([^`]+\.ts)` +\| `(\w+)` +\|$/.exec(row) ?? [];
    return { file, name };
  });
}

function isExported(file: string, name: string): boolean {
  const declared = new RegExp(`^export (async )?(function|class) ${name}\\b`, 'm');
  return existsSync(file) && declared.test(readFileSync(file, 'utf8'));
}

function foldersIn(top: string): string[] {
  const entries = readdirSync(top, { withFileTypes: true });
  return entries.filter((it) => it.isDirectory()).map(({ name }) => `${top}/${name}/`);
}

function decadeTo(last: number): string[] {
  return Array.from({ length: last }, (_, at) => String(at + 1));
}

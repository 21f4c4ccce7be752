import { basename, dirname } from 'node:path';
import { largest, quantile, tallied } from './distribution.ts';
import { countLines, parseSource, type SourceFile } from './source-file.ts';
import { filesOf, WALKS } from './walks.ts';

/** A figure by its name, in the order in which they are shown. */
export type Figures = ReadonlyMap<string, string>;

const CODE = /\.(tsx?|mjs)$/;
const SOURCES = /^(compiler|server)\//;

/** The figures of a tree. @param texts text by path */
export function figuresOf(texts: ReadonlyMap<string, string>): Figures {
  const code = [...texts].filter(([path]) => CODE.test(path)).map(([path, text]) => parseSource(path, text));
  const sources = code.filter(({ path }) => SOURCES.test(path));
  return new Map([
    ...sizesOf(sources),
    ...couplingOf(sources),
    ...walksOf(sources),
    ...namesOf(sources),
    ...linesOf(code, texts.get('README.md') ?? ''),
  ]);
}

function sizesOf(sources: readonly SourceFile[]): [string, string][] {
  const folders = tallied(sources.map(({ path }) => dirname(path)));
  const files = new Map(sources.map(({ path, lines }) => [path, lines]));
  const functions = sources.flatMap((it) => it.functions);
  return [
    ['source files', `${sources.length}`],
    ['folders', `${folders.size}`],
    ['files a folder: median, largest', `${quantile([...folders.values()], 0.5)}, ${shown(largest(folders, 1))}`],
    ['lines a file: median, p90, largest', spread([...files.values()])],
    ['functions', `${functions.length}`],
    ['lines a function: median, p90, largest', spread(functions)],
  ];
}

function spread(values: readonly number[]): string {
  return [0.5, 0.9, 1].map((share) => quantile(values, share)).join(', ');
}

function shown(counts: readonly (readonly [string, number])[]): string {
  return counts.map(([name, count]) => `${count} (${name})`).join(', ');
}

function couplingOf(sources: readonly SourceFile[]): [string, string][] {
  const paths = new Set(sources.map(({ path }) => path));
  const inside = sources.map(({ path, imports }) => [path, imports.filter((it) => paths.has(it))] as const);
  const fanIn = tallied(inside.flatMap(([, imports]) => imports));
  const fanOut = new Map(inside.map(([path, imports]) => [path, imports.length]));
  return [
    ['fan-in: p90, largest', outliers(fanIn)],
    ['fan-out: p90, largest', outliers(fanOut)],
    ['files with one importer', `${[...fanIn.values()].filter((count) => count === 1).length}`],
  ];
}

function outliers(counts: ReadonlyMap<string, number>): string {
  const named = largest(counts, 3).map(([path, count]) => [basename(path), count] as const);
  return `${quantile([...counts.values()], 0.9)}; ${shown(named)}`;
}

function walksOf(sources: readonly SourceFile[]): [string, string][] {
  return WALKS.map((walk) => [`files opened: ${walk.name}`, `${filesOf(walk, sources)?.length ?? 'not found'}`]);
}

function namesOf(sources: readonly SourceFile[]): [string, string][] {
  const declared = sources.flatMap((it) => it.declared.map((one) => ({ ...one, path: it.path })));
  const ofKind = (kind: 'type' | 'function') => severalOf(declared.filter((it) => it.kind === kind));
  return [
    ['exported names with several meanings', severalOf(declared.filter((it) => it.isExported))],
    ['types of one name in several files', ofKind('type')],
    ['functions of one name in several files', ofKind('function')],
  ];
}

/** A name that one file declares as type and function is one name. */
function severalOf(declared: readonly { readonly name: string; readonly path: string }[]): string {
  const places = new Set(declared.map(({ name, path }) => `${name} ${path}`));
  const counts = tallied([...places].map((it) => it.split(' ')[0] ?? ''));
  const several = new Map([...counts].filter(([, count]) => count > 1));
  return several.size === 0 ? '0' : `${several.size}; ${shown(largest(several, 3))}`;
}

function linesOf(code: readonly SourceFile[], readme: string): [string, string][] {
  const below = (folder: string) => linesBelow(code, folder);
  return [
    ['lines of README.md', `${countLines(readme)}`],
    ...['compiler/', 'server/', 'test/'].map((it): [string, string] => [`lines in ${it}`, `${below(it)}`]),
    ...roomsOf(code).map((room): [string, string] => [`lines in ${room}: source, tests`, linesOfRoom(code, room)]),
  ];
}

/** Rooms by name, and then the folders that tests alone have. */
function roomsOf(code: readonly SourceFile[]): string[] {
  const rooms = new Set(code.flatMap(({ path }) => /^(compiler|server)\/[^/]+\//.exec(path)?.[0] ?? []));
  const mirrors = [...rooms].map(testsOf);
  const folders = new Set(code.flatMap(({ path }) => /^test\/[^/]+\//.exec(path)?.[0] ?? []));
  const alone = [...folders].filter((folder) => !mirrors.some((it) => it.startsWith(folder)));
  return [...[...rooms].sort(), ...alone.sort()];
}

/** Tests mirror the rooms: `compiler/trust/` in `test/trust/`, `server/http/` in `test/server/http/`. */
function testsOf(room: string): string {
  return `test/${room.replace(/^compiler\//, '')}`;
}

function linesOfRoom(code: readonly SourceFile[], room: string): string {
  const isTests = room.startsWith('test/');
  return isTests ? `0, ${linesBelow(code, room)}` : `${linesBelow(code, room)}, ${linesBelow(code, testsOf(room))}`;
}

function linesBelow(code: readonly SourceFile[], folder: string): number {
  return code.filter(({ path }) => path.startsWith(folder)).reduce((all, { lines }) => all + lines, 0);
}

/** A Markdown table with a column for each tree. */
export function toTable(columns: ReadonlyMap<string, Figures>): string {
  const names = [...new Set([...columns.values()].flatMap((figures) => [...figures.keys()]))];
  const rows = names.map((name) => [name, ...[...columns.values()].map((figures) => figures.get(name) ?? '')]);
  const lines = [['figure', ...columns.keys()], ['---', ...[...columns].map(() => '---')], ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

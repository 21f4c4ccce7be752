import { countLines, parseSource, type SourceFile } from './source-file.ts';

/** A figure by its name, in the order in which they are shown. */
export type Figures = ReadonlyMap<string, string>;

const CODE = /\.(tsx?|mjs)$/;
const SOURCES = /^(compiler|server)\//;

/** The figures of a tree. @param texts text by path */
export function figuresOf(texts: ReadonlyMap<string, string>): Figures {
  const code = [...texts].filter(([path]) => CODE.test(path)).map(([path, text]) => parseSource(path, text));
  const sources = code.filter(({ path }) => SOURCES.test(path));
  return new Map([...sizesOf(sources), ...namesOf(sources), ...linesOf(code, texts.get('README.md') ?? '')]);
}

function sizesOf(sources: readonly SourceFile[]): [string, string][] {
  const functions = sources.flatMap((it) => it.functions);
  return [
    ['source files', `${sources.length}`],
    ['lines a file: median, p90, largest', spread(sources.map(({ lines }) => lines))],
    ['functions', `${functions.length}`],
    ['lines a function: median, p90, largest', spread(functions)],
  ];
}

function spread(values: readonly number[]): string {
  return [0.5, 0.9, 1].map((share) => quantile(values, share)).join(', ');
}

/** The value that a share of all does not exceed; 0 without values. */
function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
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

/** The names that several files declare, and the three most frequent; a file counts once. */
function severalOf(declared: readonly { readonly name: string; readonly path: string }[]): string {
  const counts = new Map<string, number>();
  for (const place of new Set(declared.map(({ name, path }) => `${name} ${path}`))) {
    const [name = ''] = place.split(' ');
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const several = [...counts].filter(([, count]) => count > 1).sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  const most = several.slice(0, 3).map(([name, count]) => `${count} (${name})`);
  return several.length === 0 ? '0' : `${several.length}; ${most.join(', ')}`;
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

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';

/** Files by path, each with what it imports: project files by path, packages by name. */
export type Graph = ReadonlyMap<string, readonly string[]>;

/** Every source file below a folder, as a path from the root. */
export function sourcesIn(folder: string): string[] {
  return filesIn(folder, /\.tsx?$/);
}

/** Every file below a folder whose path matches, as a path from the root. */
export function filesIn(folder: string, pattern: RegExp): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return filesIn(path, pattern);
    return pattern.test(path) ? [path] : [];
  });
}

/** Imports of a file, types and `import()` included. */
export function importsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  const specifiers = [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map((match) => match[1] ?? '');
  return specifiers.map((it) => (it.startsWith('.') ? relative('.', join(dirname(file), it)) : it));
}

/** The entry of a table that counts for a file: the longest prefix. */
export function placeOf(file: string, places: readonly string[]): string {
  const found = places.filter((place) => file.startsWith(place));
  return found.sort((a, b) => b.length - a.length)[0] ?? '';
}

/** Imports that a table does not allow; within one place everything may import everything. */
export function strayImports(graph: Graph, rules: Readonly<Record<string, readonly string[]>>): string[] {
  const places = Object.keys(rules);
  return [...graph].flatMap(([file, targets]) => {
    const place = placeOf(file, places);
    const allowed = [place, ...(rules[place] ?? [])];
    return targets
      .filter((it) => it.startsWith('compiler/') || it.startsWith('server/'))
      .filter((it) => !allowed.some((prefix) => it.startsWith(prefix)))
      .map((it) => `${file} imports ${it}`);
  });
}

/** The first way round that imports lead; empty where there is none. */
export function findCycle(graph: Graph): string[] {
  const done = new Set<string>();
  const visit = (file: string, path: readonly string[]): string[] => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
    if (done.has(file)) return [];
    for (const next of graph.get(file) ?? []) {
      const found = visit(next, [...path, file]);
      if (found.length > 0) return found;
    }
    done.add(file);
    return [];
  };
  for (const file of graph.keys()) {
    const found = visit(file, []);
    if (found.length > 0) return found;
  }
  return [];
}

/** The same graph with folders for files; the named files stand for themselves. */
export function foldersOf(graph: Graph, alone: readonly string[]): Graph {
  const folder = (file: string): string => (alone.includes(file) ? file : dirname(file));
  const folders = new Map<string, Set<string>>();
  for (const [file, targets] of graph) {
    const here = folders.get(folder(file)) ?? new Set();
    folders.set(folder(file), here);
    const inside = targets.filter((it) => graph.has(it)).map(folder);
    for (const it of inside) if (it !== folder(file)) here.add(it);
  }
  return new Map([...folders].map(([name, targets]) => [name, [...targets]]));
}

/** Every package that code below `entry` can reach. */
export function packagesFrom(entry: string, graph: Graph): Set<string> {
  const seen = new Set<string>();
  const packages = new Set<string>();
  const visit = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    for (const it of graph.get(file) ?? []) {
      if (graph.has(it)) visit(it);
      else packages.add(it);
    }
  };
  visit(entry);
  return packages;
}

/** Effects of code: the parts of the world that it can touch besides its arguments. */
export type Effect = 'clock' | 'disk' | 'environment' | 'network' | 'program' | 'random';

const MODULES: ReadonlyMap<string, Effect> = new Map([
  ...['node:fs', 'node:fs/promises', 'better-sqlite3'].map((it) => [it, 'disk'] as const),
  ...['node:net', 'node:http', 'node:https', 'node:tls', 'node:dns', 'pg'].map((it) => [it, 'network'] as const),
  ...['node:child_process', 'node:worker_threads'].map((it) => [it, 'program'] as const),
  ...['node:timers', 'node:timers/promises', 'node:perf_hooks'].map((it) => [it, 'clock'] as const),
  ...['node:os', 'node:process'].map((it) => [it, 'environment'] as const),
]);

const GLOBALS: ReadonlyMap<string, Effect> = new Map([
  ...['performance', 'setTimeout', 'setInterval', 'setImmediate'].map((it) => [it, 'clock'] as const),
  ...['fetch', 'WebSocket', 'XMLHttpRequest'].map((it) => [it, 'network'] as const),
  ...['randomBytes', 'randomUUID', 'randomInt', 'randomFillSync', 'getRandomValues', 'generateKeyPairSync'].map(
    (it) => [it, 'random'] as const,
  ),
  ['process', 'environment'],
]);

/** Effects of a source, by its imports and the identifiers it uses. */
export function effectsIn(file: string, text: string): Set<Effect> {
  const effects = new Set<Effect>();
  const visit = (node: ts.Node): void => {
    const effect = effectOf(node);
    if (effect !== undefined) effects.add(effect);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true));
  return effects;
}

function effectOf(node: ts.Node): Effect | undefined {
  if (ts.isImportDeclaration(node)) return bringsValues(node) ? MODULES.get(moduleOf(node.moduleSpecifier)) : undefined;
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
    return MODULES.get(moduleOf(node.arguments[0]));
  }
  if (ts.isPropertyAccessExpression(node) && node.getText() === 'Date.now') return 'clock';
  if (ts.isPropertyAccessExpression(node) && node.getText() === 'Math.random') return 'random';
  if (ts.isNewExpression(node) && node.expression.getText() === 'Date' && (node.arguments ?? []).length === 0)
    return 'clock';
  return ts.isIdentifier(node) && isUse(node) ? GLOBALS.get(node.text) : undefined;
}

function moduleOf(node: ts.Node | undefined): string {
  return node !== undefined && ts.isStringLiteral(node) ? node.text : '';
}

function bringsValues({ importClause }: ts.ImportDeclaration): boolean {
  if (importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword) return false;
  const named = importClause?.namedBindings;
  if (!named || !ts.isNamedImports(named) || importClause.name) return true;
  return named.elements.some((it) => !it.isTypeOnly);
}

/** An identifier that means a value in scope, not the name of a member or of something declared here. */
function isUse(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node;
  if (ts.isTypeQueryNode(parent)) return false;
  const isName = (parent as { readonly name?: ts.Node }).name === node;
  return !isName || ts.isShorthandPropertyAssignment(parent);
}

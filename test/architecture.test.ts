import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';

/** DESIGN §3: what each folder may import, besides itself; the longest matching place counts. */
const RULES: Readonly<Record<string, readonly string[]>> = {
  'compiler/schema/': [],
  'compiler/trust/': ['compiler/schema/'],
  'compiler/recall/': ['compiler/schema/'],
  'compiler/quality/': ['compiler/schema/', 'compiler/recall/'],
  'compiler/encoder/': ['compiler/quality/paraphrase/held-out.ts', 'compiler/schema/source/lexicon.ts'],
  'compiler/build/': ['compiler/schema/', 'compiler/trust/', 'compiler/recall/', 'compiler/quality/'],
  'compiler/present/': ['compiler/schema/', 'compiler/recall/', 'compiler/quality/'],
  'compiler/io/': ['compiler/schema/', 'compiler/trust/', 'compiler/recall/'],
  'compiler/compile.ts': ['compiler/schema/', 'compiler/trust/', 'compiler/recall/', 'compiler/build/'],
  'compiler/cli/': ['compiler/', 'server/main.ts', 'server/local.ts'],
  // what lies in a spool's folder is read as warily as anything else that is found on a disk
  'server/audit/': ['compiler/schema/', 'compiler/io/files/file.ts'],
  'server/': [
    'compiler/schema/',
    'compiler/trust/',
    'compiler/recall/',
    'compiler/quality/',
    'compiler/io/bundle/open-bundle.ts',
    'compiler/io/models/encoder.ts',
    'compiler/io/bundle/load-garden.ts',
    'compiler/io/bundle/sidecar-files.ts',
    'compiler/io/files/durable.ts',
    'compiler/io/files/file.ts',
    'compiler/io/files/page-files.ts',
    'compiler/io/bundle/read-garden.ts',
    'compiler/io/bundle/superseded-manifests.ts',
    'compiler/present/report/',
  ],
};

/** A server starts without any of these (DESIGN §3): no git, no Markdown parser, no tokenizer. */
const NEVER_SERVED = ['node:child_process', 'gray-matter', 'remark', 'yaml', 'js-tiktoken', 'github-slugger'];

const files = ['compiler', 'server'].flatMap((folder) => sources(folder));
const imports = new Map(files.map((file) => [file, importsOf(file)]));

function sources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return sources(path);
    return /\.tsx?$/.test(path) ? [path] : [];
  });
}

/** What a file imports, types included: project files by path, packages by name. */
function importsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  const specifiers = [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map((match) => match[1] ?? '');
  return specifiers.map((it) => (it.startsWith('.') ? relative('.', join(dirname(file), it)) : it));
}

function placeOf(file: string): string {
  const places = Object.keys(RULES).filter((place) => file.startsWith(place));
  return places.sort((a, b) => b.length - a.length)[0] ?? '';
}

function violations(graph: ReadonlyMap<string, readonly string[]>): string[] {
  return [...graph].flatMap(([file, targets]) => {
    const place = placeOf(file);
    const allowed = [place, ...(RULES[place] ?? [])];
    if (place === 'server/') allowed.push('server/audit/');
    return targets
      .filter((it) => it.startsWith('compiler/') || it.startsWith('server/'))
      .filter((it) => !allowed.some((prefix) => it.startsWith(prefix)))
      .map((it) => `${file} imports ${it}`);
  });
}

function cycle(graph: ReadonlyMap<string, readonly string[]>): string[] {
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

/** Every package that code below `entry` can reach. */
function packagesFrom(entry: string): Set<string> {
  const seen = new Set<string>();
  const packages = new Set<string>();
  const visit = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    for (const it of imports.get(file) ?? []) {
      if (imports.has(it)) visit(it);
      else packages.add(it);
    }
  };
  visit(entry);
  return packages;
}

describe('DESIGN §3: the direction of imports', () => {
  test('every folder imports only what the table allows', () => {
    expect(violations(imports)).toEqual([]);
  });

  test('every source file has a place in the table', () => {
    expect(files.filter((file) => placeOf(file) === '')).toEqual([]);
  });

  test('there is no cycle, type imports included', () => {
    expect(cycle(imports)).toEqual([]);
  });

  test('the server reaches no git, no Markdown parser and no tokenizer', () => {
    const reached = [...packagesFrom('server/main.ts')];
    expect(reached.filter((it) => NEVER_SERVED.some((name) => it === name || it.startsWith(`${name}/`)))).toEqual([]);
  });

  test('an import that breaks the table is seen', () => {
    const broken = new Map(imports).set('compiler/recall/rank/rank.ts', ['compiler/budget/fit.ts']);
    expect(violations(broken)).toEqual(['compiler/recall/rank/rank.ts imports compiler/budget/fit.ts']);
  });

  test('a cycle through a type is seen', () => {
    const broken = new Map(imports).set('compiler/schema/uri.ts', ['compiler/schema/bundle/fact.ts']);
    expect(cycle(broken)).not.toEqual([]);
  });
});

describe('the size of files', () => {
  test('no source file is longer than 250 lines', () => {
    const long = files.filter((file) => readFileSync(file, 'utf8').split('\n').length > 251);
    expect(long).toEqual([]);
  });
});

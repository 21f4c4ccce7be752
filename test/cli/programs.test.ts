import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';

const { files } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly files: readonly string[] };
const CHUNKS = 'dist/chunks';
/** Files that the build bundles together; the page is a bundle of its own. */
const PROGRAMS = files.filter((it) => it.endsWith('.js') && !it.includes('/page/'));

/** The files of the build that one imports, at its start or later. */
function importsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(/\b(?:from|import) ?\(?"(\.[^"]+)"/g)].map(([, to = '']) => join(dirname(file), to));
}

/** All files that a program can come to load, besides other programs. */
function reachedFrom(file: string, seen = new Set<string>()): Set<string> {
  const isNew = (to: string) => !seen.has(to) && !PROGRAMS.includes(to);
  for (const it of importsOf(file).filter(isNew)) reachedFrom(it, seen.add(it));
  return seen;
}

describe('the programs of the package', () => {
  test('they load chunks, and no module of its own file', () => {
    expect(PROGRAMS).toContain('dist/compiler/cli/main.js');
    for (const program of PROGRAMS) expect([...new Set([...reachedFrom(program)].map(dirname))]).toEqual([CHUNKS]);
  });

  test('every chunk is one that a program loads', () => {
    const reached = new Set(PROGRAMS.flatMap((it) => [...reachedFrom(it)]));
    expect(
      readdirSync(CHUNKS)
        .map((it) => join(CHUNKS, it))
        .sort(),
    ).toEqual([...reached].sort());
  });
});

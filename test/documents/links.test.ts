import { existsSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { describe, expect, test } from 'vitest';
import { anchorsOf, documents, guides, linksOf } from './markdown.ts';

/** The links of a document that lead to no file, or to no heading of it. */
function broken(path: string): string[] {
  return linksOf(path).filter((url) => {
    const [file = '', anchor] = decodeURI(url).split('#');
    const target = file === '' ? path : posix.join(posix.dirname(path), file);
    if (!existsSync(target)) return true;
    return anchor !== undefined && !anchorsOf(target).has(anchor);
  });
}

describe('links', () => {
  // a boot stub quotes the links of units; a golden bundle has no folder around it; a corpus is as its authors wrote it
  const own = documents().filter((path) => !/^test\/(golden|corpus\/(ceo|nested|strangers))\//.test(path));

  test('every relative link and anchor of every Markdown file resolves', () => {
    expect(own.flatMap((path) => broken(path).map((url) => `${path}: ${url}`))).toEqual([]);
  });

  test('a link to a missing file or heading is found', () => {
    expect(anchorsOf('README.md').has('no-such-heading')).toBe(false);
    expect(own.length).toBeGreaterThan(50);
  });

  test('every file and folder that a guide names by its path from the root exists', () => {
    const missing = guides().flatMap((path) =>
      [...readFileSync(path, 'utf8').matchAll(/`((?:compiler|server|test|\.github)\/[^`\s*<>…]*)`/g)]
        .map(([, named = '']) => named)
        .filter((named) => !existsSync(named))
        .map((named) => `${path}: ${named}`),
    );
    expect(missing).toEqual([]);
  });
});

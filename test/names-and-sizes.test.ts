import { existsSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import { filesIn, sourcesIn } from './support/architecture.ts';
import { headlessComments, longComments } from './support/comment-lines.ts';

const files = ['compiler', 'server'].flatMap((folder) => sourcesIn(folder));

/** Files whose comments a reader meets, each with its text. */
const commented = ['compiler', 'server', 'test', 'examples']
  .flatMap((folder) => filesIn(folder, /\.(tsx?|mjs)$/))
  .map(withText);
/** First word of a headless comment, which this file must not have itself. */
const WHAT = 'what';

function withText(file: string): readonly [file: string, text: string] {
  return [file, readFileSync(file, 'utf8')];
}

/** Folders of tests that belong to no folder of the sources. */
const OWN_TESTS = [
  'action',
  'attack',
  'behaviours',
  'bench',
  'conformance',
  'corpus',
  'documents',
  'golden',
  'support',
];

/** Folders with tests that no folder of the sources answers to. */
function unmirrored(tests: readonly string[], isFolder: (path: string) => boolean): string[] {
  const folders = new Set(
    tests.filter((it) => it.endsWith('.test.ts')).map((it) => dirname(it).replace(/^test\/?/, '')),
  );
  const mirrors = [...folders].filter((it) => it !== '' && !OWN_TESTS.includes(it.split('/')[0] ?? ''));
  return mirrors.filter((it) => !isFolder(`compiler/${it}`) && !isFolder(it)).sort();
}

/** Names that say nothing. */
function emptyNames(paths: readonly string[]): string[] {
  return paths.filter((path) => /(^|\/)(utils?|helpers?|common|misc)(\/|\.)/.test(path));
}

describe('names and sizes', () => {
  test('tests lie in the folders of what they test', () => {
    expect(unmirrored(sourcesIn('test'), existsSync)).toEqual([]);
    expect(unmirrored(['test/stages/plot.test.ts'], existsSync)).toEqual(['stages']);
  });

  test('no folder or file is called utils, helpers, common or misc', () => {
    expect(emptyNames(files)).toEqual([]);
    expect(emptyNames(['compiler/utils/x.ts', 'server/helpers.ts', 'server/http/app.ts'])).toHaveLength(2);
  });

  test('no comment is longer than a line of 120 characters', () => {
    expect(commented.flatMap(([file, text]) => longComments(file, text))).toEqual([]);
    const long = 'x'.repeat(120);
    const lines = [
      `/** ${long} */`,
      `   * ${long}`,
      `  // ${long}`,
      `a(); // ${long}`,
      `'${long}';`,
      `// https://${long}`,
    ];
    expect(longComments('a.ts', lines.join('\n'))).toEqual(['a.ts:1', 'a.ts:2', 'a.ts:3', 'a.ts:4']);
  });

  test('a comment begins with the noun that it describes, and not with `what`', () => {
    const own = commented.filter(([file]) => !file.startsWith('examples/'));
    expect(own.flatMap(([file, text]) => headlessComments(file, text))).toEqual([]);
    const heads = [`/** ${WHAT} a call does. */`, `/**\n * ${WHAT} it does. */`, `a(); // ${WHAT} it does`];
    const others = [`// a call is counted, and\n// ${WHAT} it does`, `/**\n * A call, and\n * ${WHAT} it does.\n */`];
    expect(headlessComments('a.ts', [...heads, ...others].join('\n'))).toEqual(['a.ts:1', 'a.ts:2', 'a.ts:4']);
  });
});

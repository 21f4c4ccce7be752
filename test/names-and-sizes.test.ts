import { existsSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sourcesIn } from './support/architecture.ts';
import { NOUNS, roomsOf } from './support/noun-rooms.ts';

const files = ['compiler', 'server'].flatMap((folder) => sourcesIn(folder));

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
  'mutation',
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

  test('no folder of sources holds more than 22 files', () => {
    const folders = files.map((file) => dirname(file));
    const full = (it: string) => folders.filter((folder) => folder === it).length > 22;
    expect([...new Set(folders)].filter(full)).toEqual([]);
  });

  test.each(NOUNS)('a reader who has to change a %s opens three rooms at most', (noun) => {
    const sources = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]));
    expect([...roomsOf(noun, sources).keys()].length).toBeLessThanOrEqual(3);
  });

  test('a room counts by the name of a file and by a type that it exports, and a slice counts once', () => {
    const sources = new Map([
      ['compiler/tasks/schema/task-file.ts', ''],
      ['compiler/tasks/verdict.ts', 'export interface TaskVerdict {}'],
      ['compiler/app/open-task.ts', ''],
      ['compiler/trust/proof.ts', 'export type ProvenTasks = 1;'],
      ['compiler/trust/multitasking.ts', 'export type Tasked = 1;'],
      ['compiler/cli/commands/task.ts', ''],
    ]);
    expect([...roomsOf('task', sources).keys()]).toEqual(['compiler/tasks', 'compiler/app', 'compiler/trust']);
  });
});

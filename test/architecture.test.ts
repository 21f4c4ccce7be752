import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  findCycle,
  foldersOf,
  importsOf,
  packagesFrom,
  placeOf,
  sourcesIn,
  strayImports,
} from './support/architecture.ts';
import { ALONE, RULES } from './support/import-rules.ts';

/** A server starts without any of these (DESIGN §3): no git, no Markdown parser, no tokenizer. */
const NEVER_SERVED = ['node:child_process', 'gray-matter', 'remark', 'yaml', 'js-tiktoken', 'github-slugger'];

const files = ['compiler', 'server'].flatMap((folder) => sourcesIn(folder));
const imports = new Map(files.map((file) => [file, importsOf(file)]));

/** The one way from a server to git, with its thread behind it. */
const CAPSULE_STORE = 'server/continuity/open.ts';
const without = (file: string) => new Map([...imports].map(([it, to]) => [it, to.filter((one) => one !== file)]));

describe('the direction of imports', () => {
  test('every folder imports only what the table allows', () => {
    expect(strayImports(imports, RULES)).toEqual([]);
  });

  test('every source file has a place in the table', () => {
    expect(files.filter((file) => placeOf(file, Object.keys(RULES)) === '')).toEqual([]);
  });

  test('every place of the table is there', () => {
    expect([...Object.keys(RULES), ...ALONE].filter((place) => !existsSync(place))).toEqual([]);
  });

  test('there is no cycle of files, type imports included', () => {
    expect(findCycle(imports)).toEqual([]);
  });

  test('there is no cycle of folders', () => {
    expect(findCycle(foldersOf(imports, ALONE))).toEqual([]);
  });

  test('the server reaches no git, no Markdown parser and no tokenizer, apart from the store of capsules', () => {
    const reached = [...packagesFrom('server/main.ts', without(CAPSULE_STORE))];
    expect(reached.filter((it) => NEVER_SERVED.some((name) => it === name || it.startsWith(`${name}/`)))).toEqual([]);
  });

  test('the store of capsules is loaded in one place alone, where a flag names its folder', () => {
    const importing = [...imports].flatMap(([file, targets]) => (targets.includes(CAPSULE_STORE) ? [file] : []));
    expect(importing).toEqual(['server/capsules.ts']);
    const way = readFileSync('server/capsules.ts', 'utf8');
    expect(way.match(/continuity\/open\.ts/g)).toHaveLength(1);
    expect(way).toContain("await import('./continuity/open.ts')");
  });

  test.each(['recall', 'gardens', 'publish', 'quality', 'export'])(
    'compiler/%s and continuity know nothing of each other',
    (room) => {
      const crossing = [...imports].flatMap(([file, targets]) => targets.map((it) => [file, it] as const));
      const between = (from: string, to: string) =>
        crossing.filter(([file, it]) => file.startsWith(from) && it.startsWith(to));
      for (const own of ['compiler/continuity/', 'server/continuity/']) {
        expect(between(`compiler/${room}/`, own)).toEqual([]);
        expect(between(own, `compiler/${room}/`)).toEqual([]);
      }
    },
  );

  test.each([
    ['compiler/recall/recall.ts', 'compiler/gardens/garden.ts'],
    ['compiler/quality/probes.ts', 'compiler/io/files/file.ts'],
    ['compiler/app/publish.ts', 'compiler/cli/registry.ts'],
    ['server/audit/open.ts', 'server/rollout/rollout.ts'],
    ['server/operations/recall.ts', 'server/http/request.ts'],
  ])('%s that imports %s is seen', (file, target) => {
    expect(strayImports(new Map(imports).set(file, [target]), RULES)).toEqual([`${file} imports ${target}`]);
  });

  test('a cycle through a type is seen', () => {
    const broken = new Map(imports).set('compiler/schema/uri.ts', ['compiler/schema/bundle/fact.ts']);
    expect(findCycle(broken)).not.toEqual([]);
  });

  test('a cycle of folders whose files make none is seen', () => {
    const broken = new Map([
      ['a/one.ts', ['b/one.ts']],
      ['b/one.ts', []],
      ['b/two.ts', ['a/two.ts']],
      ['a/two.ts', []],
    ]);
    expect(findCycle(broken)).toEqual([]);
    expect(findCycle(foldersOf(broken, []))).toEqual(['a', 'b', 'a']);
  });

  test('a package that only git needs is seen where a server would reach it', () => {
    const broken = new Map(imports).set('server/ids.ts', ['node:child_process']);
    expect(packagesFrom('server/main.ts', broken)).toContain('node:child_process');
  });
});

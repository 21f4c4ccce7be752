import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SCRATCH_PATTERNS } from '../../../../compiler/capabilities/atoms/scratch-files.ts';
import { matchesAnyCase, matchesPath } from '../../../../compiler/capabilities/paths/patterns.ts';
import { fileLists, whitelistBinds, type TreeEntry } from '../../../../compiler/tasks/use-cases/run/whitelist-binds.ts';
import { libraryRole } from '../../../support/tasks.ts';

/** The entries of a tree by its files; a link ends with `@`, an empty folder with a slash. */
function treeOf(paths: readonly string[]) {
  return (folder: string): TreeEntry[] => {
    const below = paths.flatMap((it) =>
      folder === '' ? [it] : it.startsWith(`${folder}/`) ? [it.slice(folder.length + 1)] : [],
    );
    const folders = new Set(below.flatMap((it) => (it.includes('/') ? [it.split('/')[0]!] : [])));
    const files = new Set(below.filter((it) => it !== '' && !it.includes('/')));
    return [
      ...[...folders].map((name) => ({ name, kind: 'folder' }) as const),
      ...[...files].map((it) => ({ name: it.replace(/@$/, ''), kind: it.endsWith('@') ? 'link' : 'file' }) as const),
    ];
  };
}

const held = (listed: string[] | null, paths: readonly string[], denied: string[] = []) => {
  const { binds, missing } = whitelistBinds({ listed, denied }, treeOf(paths));
  return [binds.map((it) => `${it.path} ${it.isWritable ? 'written' : 'read'}`), missing];
};

const SHOP = ['.git', '.github/ci.yml', 'README.md', 'package.json', 'dist/x', 'src/a.ts', 'src/b/c.ts', 'src/b/d.js'];

test('beside a listed folder and a listed file what exists is read-only, but for build output', () => {
  expect(held(['src/**', 'README.md'], SHOP)).toEqual([['.git read', '.github read', 'package.json read'], []]);
});

test('a folder on the way to a listed file is a mount, so that it is not moved away with what is read-only in it', () => {
  expect(held(['src/b/*.ts', 'new/folder/x.ts'], SHOP)[0]).toEqual([
    ...['.git read', '.github read', 'README.md read', 'package.json read'],
    ...['src written', 'src/a.ts read', 'src/b written', 'src/b/d.js read'],
  ]);
});

test('denied files in a listed folder are read-only, in any case of letters, and a denied folder as a whole', () => {
  expect(held(['src/**'], SHOP, ['src/B/**'])[0]).toContain('src/b read');
  expect(held(['.'], SHOP, ['**/C.ts'])[0]).toEqual(['src written', 'src/b written', 'src/b/c.ts read']);
});

test.each([
  [null, 'the role has no scope::files-whitelist'],
  [[], 'the task lists no files'],
  [['src/**', '{docs,**}/*.md'], '{docs,**}/*.md may mean files of every folder'],
])('nothing is bound for %j', (listed, why) => {
  expect(held(listed, SHOP)).toEqual([[], [`existing files of the worktree stay writable: ${why}`]]);
});

test('a folder of all depths below a root is walked, and what is not listed in it is read-only', () => {
  expect(held(['src/**/*.ts'], SHOP)[0]).toEqual(expect.arrayContaining(['src written', 'src/b/d.js read']));
  expect(held(['src/**/*'], SHOP)).toEqual(held(['src/**'], SHOP));
});

test('a link and a name that is not UTF-8 cannot be bound, which is reported', () => {
  const [binds, missing] = held(['src/**'], ['CLAUDE.md@', 'src/link@', 'a\uFFFDb', 'two\nlines', 'src/x']);
  expect(binds).toEqual(['two\nlines read']);
  expect(missing).toEqual([expect.stringMatching(/^"CLAUDE\.md", "a\uFFFDb": can be replaced/)]);
});

const many = <T>(count: number, name: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => name(at));

test('a folder with over 200 entries that are not listed is read-only, and its listed files are bound one by one', () => {
  const paths = [...many(200, (it) => `data/${it}.json`), 'data/a.ts', 'data/b/c.ts', 'data/b/d'];
  expect(held(['data/*.ts'], paths.slice(1))[0]).toHaveLength(201);
  expect(held(['data/*.ts', 'data/b/c.ts'], [...paths, 'data/more'])).toEqual([
    ['data read', 'data/a.ts written', 'data/b written', 'data/b/d read'],
    [expect.stringMatching(/^"data": no file can be made or replaced/)],
  ]);
});

test('at most 500 mounts are made, and folders that are left open for that are reported', () => {
  const paths = many(30, (it) => many(100, (at) => `src/${it}/${at}.js`)).flat();
  const [binds, missing] = held(['src/**/*.ts'], paths);
  expect(binds!.length).toBeLessThan(550);
  expect(missing).toEqual([
    expect.stringMatching(/^"src\/4", .* and 21 more: what is not listed there stays writable/),
  ]);
  const endless = (): TreeEntry[] => many(300, (it) => ({ name: `${it}`, kind: 'folder' }));
  const open = whitelistBinds({ listed: ['src/**/*.ts', '0/**/*.ts'], denied: [] }, endless);
  expect(open.missing.at(-1)).toMatch(/stays writable/);
});

const name = fc.constantFrom('a', 'A', 'b', 'c.ts', 'd.js', 'dist', 'x.log');
const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((it) => it.join('/'));
const pattern = fc
  .array(fc.constantFrom('a', 'b', 'c.ts', '*', '*.ts', 'dist', '**', '{a,b}', '?'), { minLength: 1, maxLength: 4 })
  .map((it) => it.join('/'));

test('every existing file can be written exactly if the check accepts its change, and no mount is moved away', () => {
  const lists = fc.array(pattern, { minLength: 1, maxLength: 3 });
  const trees = fc
    .array(path, { maxLength: 12 })
    .map((all) => all.filter((it) => !all.some((of) => of.startsWith(`${it}/`))));
  fc.assert(
    fc.property(trees, lists, fc.array(pattern, { maxLength: 2 }), (paths, listed, denied) => {
      const { binds, missing } = whitelistBinds({ listed, denied }, treeOf(paths));
      fc.pre(missing.length === 0);
      const at = new Map(binds.map((it) => [it.path, it.isWritable]));
      const around = (it: string) => it.split('/').map((_, n, all) => all.slice(0, n + 1).join('/'));
      for (const it of paths) {
        const nearest = around(it).findLast((folder) => at.has(folder));
        const isListed = matchesPath(it, listed);
        const isScratch = around(it).some((own) => matchesPath(own, SCRATCH_PATTERNS));
        // in a folder that is read-only build output is too
        if (isScratch && !isListed) continue;
        const isAccepted = isListed && !matchesAnyCase(it, denied);
        expect([it, nearest === undefined || at.get(nearest)]).toEqual([it, isAccepted]);
      }
      for (const it of at.keys()) expect(around(it).every((folder) => at.has(folder))).toBe(true);
    }),
    { numRuns: 1000 },
  );
});

test('the lists are those that the role’s own atoms accept', () => {
  const given = { 'files-whitelist': ['src/**'], 'ssot-patterns': ['x'], 'files-denylist': ['src/y'] };
  expect(fileLists(libraryRole('edit-local'), given)).toEqual({ listed: ['src/**'], denied: ['src/y'] });
  expect(fileLists(libraryRole('edit-shared'), given).listed).toEqual(['src/**', 'x']);
  expect(fileLists({ gates: [] }, given)).toEqual({ listed: null, denied: [] });
  expect(fileLists(libraryRole('edit-shared'), { 'ssot-patterns': ['x'] }).listed).toEqual([]);
});

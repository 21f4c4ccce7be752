import { describe, expect, test } from 'vitest';
import { gardenFiles, unitsAbout } from '../../../compiler/recall/files/garden-files.ts';
import { recall } from '../../../compiler/recall/recall.ts';
import { RecallRequest } from '../../../compiler/schema/api/recall.ts';
import { NOW, plant } from '../garden.ts';

const garden = (...units: readonly (readonly string[] | undefined)[]) =>
  gardenFiles(units.map((files) => ({ delivery: files ? { files: [...files] } : {} })));

describe('the units that are about files', () => {
  test('the reason is the most exact pattern of the unit that means a file, and the first such file', () => {
    const files = garden(['docs/**', '**/*.ts'], undefined, ['**/*.ts', 'src/**'], ['*.md']);
    const { matches } = unitsAbout(files, ['README', 'src/a.ts', 'lib/b.ts']);
    expect([...matches]).toEqual([
      [0, { pattern: '**/*.ts', file: 'src/a.ts' }],
      [2, { pattern: 'src/**', file: 'src/a.ts' }],
    ]);
  });

  test('a unit without patterns is about no file, and is not kept among those that have some', () => {
    const files = garden(undefined, ['src/**'], []);
    expect([...files.units]).toEqual([[1, [0]]]);
    expect(unitsAbout(files, [])).toEqual({ matches: new Map(), isWhole: true });
  });

  test('a pattern in braces means what one of its words does, and one that cannot be read means no file', () => {
    const found = (...patterns: readonly string[]) => [...unitsAbout(garden(patterns), ['a/c.ts']).matches.keys()];
    expect(found('a/{b,c}.ts')).toEqual([0]);
    expect(found('[a]', '*', '{a,b')).toEqual([]);
  });

  test('a pattern is prepared and compared once, however many units have it', () => {
    const files = garden(...Array.from({ length: 500 }, () => ['src/**', '**/*.ts']));
    expect(files.patterns.map(({ text }) => text)).toEqual(['src/**', '**/*.ts']);
    expect(unitsAbout(files, ['src/a']).matches.size).toBe(500);
  });
});

/** Patterns that differ at their end alone, and paths that come near to all of them. */
const HOSTILE = (unit: number, i: number) => `**/a/a/a/${unit}x${i}/**/${'a/a/b/c/**/'.repeat(12)}*`;
const paths = (length: number) => Array.from({ length: 50 }, (_, i) => `${'a/'.repeat(length / 2 - 2)}${i}`);
const units = (count: number) =>
  Array.from({ length: count }, (_, unit) => Array.from({ length: 16 }, (_, i) => HOSTILE(unit, i)));

describe('a hostile garden and hostile paths', () => {
  test('comparing ends after so many steps, says so, and is the same each time', () => {
    const files = garden(['near/**'], ...units(5), ['last/**']);
    const [one, other] = [0, 1].map(() => unitsAbout(files, [...paths(500), 'near/a', 'last/a']));
    expect(one).toEqual(other);
    expect([[...one!.matches.keys()], one!.isWhole]).toEqual([[0], false]);
    expect(unitsAbout(files, ['last/a'])).toMatchObject({ isWhole: true });
  });

  test('a comparison that takes exactly the last step is counted, and the next pattern is not compared', () => {
    // sixteen steps of a name, and one for each of its characters
    const file = (steps: number) => 'x'.repeat(steps - 16);
    const about = (steps: number, ...patterns: readonly string[]) => {
      const { matches, isWhole } = unitsAbout(garden(...patterns.map((it) => [it])), [file(steps)]);
      return [[...matches.keys()], isWhole];
    };
    expect(about(31_999_999, 'x*', '**/x*')).toEqual([[0, 1], false]);
    expect(about(32_000_000, 'x*', '**/x*')).toEqual([[0], false]);
    expect(about(31_999_999, 'x*')).toEqual([[0], true]);
  });

  test('an honest garden of 2,000 units with three patterns of their own is compared with 50 files whole', () => {
    const honest = garden(
      ...Array.from({ length: 2000 }, (_, i) => [`packages/p${i}/**/*.{ts,tsx}`, `**/c${i}/**`, `docs/${i}-*.md`]),
    );
    const deep = Array.from({ length: 50 }, (_, i) => `packages/app${i}/src/views/list/row.css`);
    expect(unitsAbout(honest, deep)).toMatchObject({ isWhole: true });
  });

  test('a recall whose files were not all compared has a warning', async () => {
    const planted = units(5).map((files, i) => ({ name: `u${i}`, files }));
    const request = RecallRequest.parse({ intent: 'u1', files: paths(500) });
    const asked = { now: NOW, query: null, explain: false };
    expect(recall(await plant(planted), request, asked).warnings).toContain('files_not_compared');
    expect(recall(await plant(planted), { ...request, files: ['a'] }, asked).warnings).toEqual([]);
  });
});

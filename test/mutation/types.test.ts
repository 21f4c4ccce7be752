import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../support/folder.ts';
import { mutantsOf } from './mutants.ts';
import { withoutRefused } from './types.ts';

const SOURCE = `export function sum(list: readonly number[], names: ReadonlyMap<string, string>, key?: string): string {
  const first = (list[0] ?? 0) + 1;
  const word = names.get('a') ?? 'none';
  const text = \`\${names.get('b') ?? ''}\`;
  const length = key?.length;
  return first + word + text + String(length);
}
`;

/** The changes of a source that are left, of those that are about nothing. */
function left(options: object): string[] {
  const root = tempFolder();
  mkdirSync(join(root, 'compiler'));
  writeFileSync(
    join(root, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: { strict: true, lib: ['ES2023'], types: [], noEmit: true, ...options } }),
  );
  writeFileSync(join(root, 'compiler/a.ts'), SOURCE);
  const mutants = mutantsOf('compiler/a.ts', SOURCE);
  const kept = withoutRefused(root, mutants);
  expect(mutants.filter((it) => !['logical', 'optional'].includes(it.mutator)).every((it) => kept.includes(it))).toBe(
    true,
  );
  return kept.filter((it) => ['logical', 'optional'].includes(it.mutator)).map(({ from, to }) => `${from} → ${to}`);
}

test('A mutant that takes a ?? or ?. away is left out where the type checker refuses it, and only there', () => {
  const always = [
    'list[0] ?? 0 → 0',
    "names.get('a') ?? 'none' → 'none'",
    "names.get('b') ?? '' → names.get('b')",
    "names.get('b') ?? '' → ''",
  ];
  expect(left({ noUncheckedIndexedAccess: true }).sort()).toEqual([...always].sort());
  expect(left({}).sort()).toEqual([...always, 'list[0] ?? 0 → list[0]'].sort());
});

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { COMMANDS } from '../compiler/cli/commands/index.ts';
import { EXIT } from '../compiler/cli/exit.ts';
import { ERRORS } from '../compiler/schema/errors.ts';

const read = (path: string) => readFileSync(path, 'utf8');

test('the first page has at most 150 lines', () => {
  expect(read('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(150);
});

test('the README of the command line says what every exit code means', () => {
  for (const code of Object.values(EXIT))
    expect(read('compiler/cli/README.md')).toMatch(new RegExp(`^\\| (\\d+, )?${code}(, \\d+)? +\\|`, 'm'));
});

test('CONTRIBUTING says why each dependency is there, and names no other', () => {
  const { dependencies, optionalDependencies, devDependencies } = JSON.parse(read('package.json')) as Record<
    string,
    Record<string, string>
  >;
  const text = read('.github/CONTRIBUTING.md');
  const table = text.slice(text.indexOf('## Dependencies'));
  const rows = [...table.matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, cell = '']) => [...cell.matchAll(/`([^`]+)`/g)]);
  const named = rows.map(([, name = '']) => name);
  const shipped = Object.keys({ ...dependencies, ...optionalDependencies });
  expect(shipped.filter((name) => !named.includes(name))).toEqual([]);
  expect(named.filter((name) => !(name in { ...dependencies, ...optionalDependencies, ...devDependencies }))).toEqual(
    [],
  );
});

test('every error code has an exit code of the frozen table', () => {
  const known = new Set<number>(Object.values(EXIT));
  expect(Object.values(ERRORS).filter(({ exit }) => !known.has(exit))).toEqual([]);
});

test('every command has an example that is a call of it', () => {
  for (const { path, examples } of COMMANDS.values()) {
    expect(examples.length).toBeGreaterThan(0);
    for (const { command } of examples) expect(command).toContain(`vade ${path.replace('.', ' ')}`);
  }
});

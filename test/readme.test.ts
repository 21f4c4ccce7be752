import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { COMMANDS } from '../compiler/cli/commands/index.ts';
import { EXIT } from '../compiler/cli/exit.ts';
import { ERRORS, WARNINGS } from '../compiler/model/errors.ts';

const readme = readFileSync('README.md', 'utf8');

interface Row {
  readonly status?: number;
  readonly exit: number;
  readonly retryable: boolean;
}

test('the table of errors in README is the table in the code, both ways', () => {
  const table = readme.slice(readme.indexOf('<!-- errors'), readme.indexOf('<!-- /errors -->'));
  const rows = [...table.matchAll(/^\| `(\w+)` *\| *(\d*) *\| *(\d+) *\| *(yes|no) *\|$/gm)];
  const documented = rows.map(([, code, status, exit, retryable]) => ({
    code,
    status: status === '' ? undefined : Number(status),
    exit: Number(exit),
    retryable: retryable === 'yes',
  }));
  const coded = Object.entries<Row>(ERRORS).map(([code, { status, exit, retryable }]) => ({
    code,
    status,
    exit,
    retryable,
  }));
  expect(documented).toEqual(coded);
});

test('README names every warning', () => {
  for (const warning of WARNINGS) expect(readme).toContain(`\`${warning}\``);
});

test('README says what every exit code means', () => {
  for (const code of Object.values(EXIT))
    expect(readme).toMatch(new RegExp(`^\\| (\\d+, )?${code}(, \\d+)? +\\|`, 'm'));
});

test('README says why each dependency is there', () => {
  const { dependencies, optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as Record<
    string,
    Record<string, string>
  >;
  const table = readme.slice(readme.indexOf('### Why each dependency is there'));
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) expect(table).toContain(`\`${name}\``);
});

test('every error code has an exit code of the frozen table', () => {
  const known = new Set<number>(Object.values(EXIT));
  expect(Object.values<Row>(ERRORS).filter(({ exit }) => !known.has(exit))).toEqual([]);
});

test('every command has an example that is a call of it', () => {
  for (const { path, examples } of COMMANDS.values()) {
    expect(examples.length).toBeGreaterThan(0);
    for (const { command } of examples) expect(command).toContain(`vade ${path.replace('.', ' ')}`);
  }
});

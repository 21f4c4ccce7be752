import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { projectsOf, undeclaredSlow } from './support/projects.ts';

const ROOT = process.cwd();

test('every test file belongs to exactly one project', () => {
  const { pure, integration, slow } = projectsOf(ROOT);
  const found = readdirSync('test', { recursive: true, encoding: 'utf8' }).filter((it) => it.endsWith('.test.ts'));
  expect([...pure, ...integration, ...slow].sort()).toEqual(found.map((it) => `test/${it}`).sort());
});

test('a test that needs PostgreSQL or Chromium is slow by its name', () => {
  expect(undeclaredSlow(ROOT)).toEqual([]);
});

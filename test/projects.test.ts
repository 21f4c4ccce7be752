import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { projectsOf, undeclaredSlow } from './support/projects.ts';

const ROOT = process.cwd();

test('every test file belongs to exactly one project', () => {
  const { pure, integration, isolated, slow } = projectsOf(ROOT);
  const found = readdirSync('test', { recursive: true, encoding: 'utf8' }).filter((it) => it.endsWith('.test.ts'));
  expect([...pure, ...integration.flat(), ...isolated, ...slow].sort()).toEqual(found.map((it) => `test/${it}`).sort());
});

test('a test that replaces a module for its whole process has one of its own', () => {
  const { isolated } = projectsOf(ROOT);
  expect(isolated).toContain('test/io/files/disk-full.test.ts');
});

test('a test that needs PostgreSQL or Chromium is slow by its name', () => {
  expect(undeclaredSlow(ROOT)).toEqual([]);
});

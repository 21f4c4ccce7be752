import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { projectsOf, undeclaredSlow } from './support/projects.ts';

const ROOT = process.cwd();

test('every test file belongs to exactly one project', () => {
  const { pure, integration, isolated, slow, slowIsolated } = projectsOf(ROOT);
  const all = [...pure, ...integration.flat(), ...isolated, ...slow.flat(), ...slowIsolated];
  const found = readdirSync('test', { recursive: true, encoding: 'utf8' }).filter((it) => it.endsWith('.test.ts'));
  expect(all.sort()).toEqual(found.map((it) => `test/${it}`).sort());
});

test('a test that replaces a module for its whole process has one of its own', () => {
  const { isolated, slowIsolated } = projectsOf(ROOT);
  expect(isolated).toContain('test/attack/9-full-disk.test.ts');
  expect(slowIsolated).toContain('test/io/bundle/write-faults.slow.test.ts');
});

test('a test that needs PostgreSQL or Chromium is slow by its name', () => {
  expect(undeclaredSlow(ROOT)).toEqual([]);
});

import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { unbind } from '../../../compiler/tasks/use-cases/withdraw-agent.ts';
import { sha256 } from '../../../compiler/trust/canonical.ts';
import { tempFolder } from '../../support/folder.ts';

test('the binding of a worktree is taken away, that of another stays, and a second time there is nothing to do', () => {
  const tasks = tempFolder();
  const binding = (worktree: string) => join(tasks, 'bindings', `${sha256(worktree)}.json`);
  mkdirSync(join(tasks, 'bindings'));
  for (const it of ['/trees/one', '/trees/two']) writeFileSync(binding(it), '{}');
  for (let times = 0; times < 2; times++) {
    unbind({ tasks }, '/trees/one');
    expect(['/trees/one', '/trees/two'].map((it) => existsSync(binding(it)))).toEqual([false, true]);
  }
});

test('a binding that cannot be removed is told: its agent could still act', () => {
  const tasks = tempFolder();
  mkdirSync(join(tasks, 'bindings', `${sha256('/trees/one')}.json`), { recursive: true });
  expect(() => {
    unbind({ tasks }, '/trees/one');
  }).toThrow(expect.objectContaining({ code: 'output_failed' }));
});

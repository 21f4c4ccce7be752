import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { HookLine } from '../../../../compiler/capabilities/hooks/hook-command.ts';
import { gateProgram } from '../../../../compiler/io/programs/gate-file.ts';
import { judgePlace } from '../../../../compiler/tasks/use-cases/doctor/judge-place.ts';
import { createTrial } from '../../../../compiler/tasks/use-cases/doctor/trial.ts';
import { sha256 } from '../../../../compiler/trust/canonical.ts';
import { tempFolder } from '../../../support/folder.ts';

/** The place of a hook that is sound, and the faults of one that differs. */
function place() {
  const folder = tempFolder();
  const trial = createTrial(folder);
  const { tasks, worktrees, key, root } = trial;
  const line: HookLine = { ...gateProgram(), tasks, worktrees, key, root, settings: join(folder, 'settings.json') };
  const faults = (more: Partial<HookLine> = {}) => judgePlace({ ...line, ...more }, Date.now());
  return { ...trial, folder, faults, codes: (more?: Partial<HookLine>) => faults(more).map((it) => it.code) };
}

test('a hook whose gate, pins and worktrees are as they were installed has no fault', () => {
  expect(place().faults()).toEqual([]);
});

test('a gate that is another file, or none, is told', () => {
  const { folder, codes } = place();
  const gate = join(folder, 'vade-gate.cjs');
  expect(codes({ gate })).toEqual(['gate_differs']);
  writeFileSync(gate, 'another');
  expect(codes({ gate })).toEqual(['gate_differs']);
  expect(codes({ gate: folder })).toEqual(['gate_differs']);
});

test('each pinned file that is gone or another one is told', () => {
  const { tasks, worktrees, faults, codes } = place();
  rmSync(join(worktrees, 'one'), { recursive: true });
  expect(codes({ key: sha256('another') })).toEqual(['pins_broken']);
  expect(codes({ root: sha256('another') })).toEqual(['pins_broken']);
  for (const it of ['orchestrator.pem', 'trust-root.json']) rmSync(join(tasks, it));
  expect(faults().map((it) => [it.code, it.fix])).toEqual(Array(2).fill(['pins_broken', 'vade capability install']));
});

test('folders of agents that nobody is bound to are told in their order, and what is no folder is left out', () => {
  const { worktrees, faults } = place();
  for (const it of ['z', 'b', 'm']) mkdirSync(join(worktrees, it));
  writeFileSync(join(worktrees, 'file'), '');
  symlinkSync('one', join(worktrees, 'link'));
  const told = faults();
  expect(told.map((it) => it.code)).toEqual(Array(3).fill('worktree_unbound'));
  expect(told.map((it) => it.message.split(' ')[0])).toEqual(['b', 'm', 'z'].map((it) => join(worktrees, it)));
});

test('a binding that the gate refuses is told, and where there are no worktrees there is no fault', () => {
  const { binding, worktrees, codes } = place();
  writeFileSync(binding, '{}');
  expect(codes()).toEqual(['binding_broken']);
  rmSync(worktrees, { recursive: true });
  expect(codes()).toEqual([]);
});

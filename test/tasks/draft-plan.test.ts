import { expect, test } from 'vitest';
import type { ResolvedGate, ResolvedRole } from '../../compiler/schema/capability/resolved-role.ts';
import { plannedChecks } from '../../compiler/tasks/draft-plan.ts';
import { sha256 } from '../../compiler/trust/canonical.ts';
import { composed, libraryRole, taskToml } from '../support/tasks.ts';

const EDIT = libraryRole('edit-local');
const draftOf = (role: ResolvedRole, more = '') => composed(taskToml(role.role, 'Mend it.', more), role);

test('a plan names what it comes from, and what the task asks for', () => {
  const more = 'parent-agent = "boss-1"\nspawns = ["read-only"]\n[scope]\nfiles-whitelist = ["src/**"]\n';
  const { draft, prompt, task } = draftOf(EDIT, more);
  expect(draft).toMatchObject({
    ...{ format: 1, task: { id: 'fix-login', digest: task.digest }, prompt: sha256(prompt) },
    ...{ role: { name: 'edit-local' }, bundle: { revision: '1-abc' }, parent: 'boss-1', spawns: ['read-only'] },
    ...{ parameters: { 'files-whitelist': ['src/**'] }, escalation: EDIT.escalation },
  });
  expect(draft.fragments).toEqual(EDIT.fragments.map(({ atom, digest }) => ({ atom, digest })));
  expect(draftOf(EDIT).draft).toMatchObject({ parent: null, spawns: [], parameters: {} });
});

test('an escalation of the task counts before that of the role', () => {
  expect(draftOf(EDIT, '[escalation]\npolicy = "fail-fast"\n').draft.escalation).toBe('fail-fast');
});

test('files that others obey may change only as the role says', () => {
  const { obeyed_allowed: _, ...none } = EDIT;
  expect(draftOf(none).draft.obeyed_allowed).toEqual([]);
  expect(draftOf({ ...EDIT, obeyed_allowed: ['docs/**'] }).draft.obeyed_allowed).toEqual(['docs/**']);
});

test('a check weighs as much as the gate of its atom, and blocks without one', () => {
  const [gate] = EDIT.gates as [ResolvedGate];
  const [check] = EDIT.checks;
  if (check === undefined) throw new Error('the role has checks');
  const weight = (gates: readonly ResolvedGate[]) =>
    plannedChecks({ ...EDIT, checks: [check], gates: [...gates] }).map((it) => it.severity);
  expect(weight([])).toEqual(['block']);
  expect(weight([{ ...gate, atom: check.atom, severity: 'warn' }])).toEqual(['warn']);
  expect(weight([{ ...gate, atom: 'scope::other', severity: 'warn' }])).toEqual(['block']);
});

test('only atoms whose bypass the role keeps can be bypassed', () => {
  const [one, two, ...more] = EDIT.gates;
  if (one === undefined || two === undefined) throw new Error('the role has gates');
  const gates = [{ ...one, bypass_env: 'SKIP_ONE' }, { ...two, bypass_env: null }, ...more];
  const kept = gates.filter((it) => it.bypass_env !== null).map((it) => it.atom);
  expect(draftOf({ ...EDIT, gates }).draft.bypasses).toEqual(kept);
  expect([kept.includes(one.atom), kept.includes(two.atom)]).toEqual([true, false]);
});

import { describe, expect, test } from 'vitest';
import { gateModule } from '../../../compiler/capabilities/atoms/registry.ts';
import { resolveRole } from '../../../compiler/capabilities/resolve/resolve-role.ts';
import { moduleOf } from '../../../compiler/capabilities/schema/atom.ts';
import { CHECK_MODULES, GATE_MODULES } from '../../../compiler/capabilities/schema/modules.ts';
import { lintText } from '../../../compiler/lint/lint-text.ts';
import { libraryFiles, readFiles } from '../../support/capabilities.ts';

const { capabilities, faults } = readFiles(libraryFiles());
const atoms = [...capabilities.atoms.values()];

/** The table of the specification: text is always there; gate and check as given. */
const INVENTORY: readonly (readonly [name: string, gate: boolean, check: boolean])[] = [
  ['policy::no-git-ops', true, true],
  ['scope::files-whitelist', true, true],
  ['scope::files-denylist', true, true],
  ['quality::constructor-pattern', false, true],
  ['quality::cargo-check-green', false, true],
  ['quality::tests-green', false, true],
  ['safety::no-dep-bump', true, true],
  ['output::report-format', false, true],
  ['tools::read-only', true, false],
  ['tools::cargo-only-bash', true, false],
  ['output::severity-grade', false, true],
  ['safety::no-mass-delete', true, true],
  ['output::ledger-row-required', false, true],
  ['quality::no-warnings', false, true],
  ['scope::no-rule-edits', true, true],
];

describe('the library of atoms and roles', () => {
  test('nothing is wrong with it, and its gates decide every example as it says', () => {
    expect(faults).toEqual([]);
  });

  test('no text of it breaks a rule of security', async () => {
    const found = [...libraryFiles()].map(([path, text]) => lintText(path, text));
    expect((await Promise.all(found)).flat()).toEqual([]);
  });

  test('it has the atoms of the specification and the deferred ones, and no other', () => {
    expect(atoms.map((it) => it.name).sort()).toEqual(INVENTORY.map(([name]) => name).sort());
  });

  test.each(INVENTORY)('%s has a gate: %s, a check: %s', (name, gate, check) => {
    const { declared } = capabilities.atoms.get(name) ?? {};
    expect(moduleOf(declared?.gate) !== '').toBe(gate);
    expect(moduleOf(declared?.verify) !== '').toBe(check);
  });

  test('checks of quality run in both passes', () => {
    const quality = atoms.filter((it) => it.name.startsWith('quality::'));
    expect(new Set(quality.map((it) => it.declared.verify?.['run-mode']))).toEqual(new Set(['both']));
  });

  test('the five roles of the specification resolve, and git-ops alone cannot be started', () => {
    const roles = [...capabilities.roles.keys()];
    expect(roles).toEqual(['edit-local', 'edit-shared', 'explorer', 'git-ops', 'read-only']);
    const spawnable = roles.filter((it) => resolveRole(it, capabilities).resolved?.spawnable);
    expect(spawnable).toEqual(['edit-local', 'edit-shared', 'explorer', 'read-only']);
  });

  test('every gate that an atom may name is registered', () => {
    expect(GATE_MODULES.filter((it) => gateModule(it) === undefined)).toEqual([]);
  });

  test('every check that an atom may name is the check of an atom', () => {
    const used = atoms.map((it) => moduleOf(it.declared.verify)).filter((it) => it !== '');
    expect(used.sort()).toEqual([...CHECK_MODULES].sort());
  });

  test('only edit-shared lets a task name files with one owner', () => {
    const accepting = [...capabilities.roles.keys()].filter((it) =>
      resolveRole(it, capabilities).resolved?.accepts.includes('ssot-patterns'),
    );
    expect(accepting).toEqual(['edit-shared']);
  });
});

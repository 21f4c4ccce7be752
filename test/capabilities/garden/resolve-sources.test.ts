import { expect, test } from 'vitest';
import { resolveSources } from '../../../compiler/capabilities/garden/resolve-sources.ts';
import { sourcesFrom } from '../../../compiler/capabilities/use-cases/library.ts';
import type { Diagnostic } from '../../../compiler/schema/diagnostics.ts';
import { VadeError } from '../../../compiler/schema/errors.ts';
import { changed } from '../../support/capabilities.ts';

function resolve(name: string, changes: Parameters<typeof changed>[0] = {}) {
  const files = new Map([...changed(changes)].map(([path, text]) => [path, Buffer.from(text)]));
  const { site, read } = sourcesFrom(files);
  return resolveSources(name, site, 'instructions', read);
}

function refusal(run: () => unknown): VadeError {
  try {
    run();
  } catch (error) {
    if (error instanceof VadeError) return error;
    throw error;
  }
  throw new Error('it was not refused');
}

test('a role of sources without a fault is resolved', () => {
  expect(resolve('read-only').resolved.role).toBe('read-only');
});

test('a role that is not there is refused', () => {
  expect(refusal(() => resolve('read-onyl')).code).toBe('fact_not_found');
});

test.each<[rule: string, why: string, changes: Parameters<typeof changed>[0]]>([
  [
    'role_atom_unknown',
    'it has an atom that is not there',
    { 'roles/read-only.toml': (it) => it.replace('tools::read-only', 'tools::read-onyl') },
  ],
  ['toml_invalid', 'another role cannot be read', { 'roles/explorer.toml': 'a = null\n' }],
  [
    'atom_module_unknown',
    'an atom has a gate that nobody knows',
    { 'capabilities/policy/no-git-ops/capability.toml': (it) => it.replace(/module = .*/, 'module = "a"') },
  ],
  ['atom_artefact_missing', 'an atom has no text', { 'capabilities/policy/no-git-ops/text.md': null }],
])('no role is used while there is an error: %s, as %s', (rule, _why, changes) => {
  const { code, details } = refusal(() => resolve('read-only', changes));
  expect(code).toBe('sources_invalid');
  const faults = details['faults'] as Diagnostic[];
  expect(faults.map((it) => it.rule)).toContain(rule);
  expect(faults.filter((it) => it.severity !== 'error')).toEqual([]);
});

test('a warning keeps no role from being used', () => {
  const changes = { 'roles/edit-local.toml': (it: string) => it.replace('  "scope::files-whitelist",\n', '') };
  expect(resolve('read-only', changes).resolved.role).toBe('read-only');
});

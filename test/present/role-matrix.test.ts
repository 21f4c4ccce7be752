import { expect, test } from 'vitest';
import { resolveRole } from '../../compiler/capabilities/resolve/resolve-role.ts';
import { changed, libraryFiles, readFiles, type CapabilityFiles } from '../support/capabilities.ts';
import { formatted } from '../support/formatted.ts';
import { roleMatrix } from './role-matrix.ts';

function matrixOf(files: CapabilityFiles): Promise<string> {
  const { capabilities } = readFiles(files);
  const roles = [...capabilities.roles.values()].flatMap(({ name, declared }) => {
    const { resolved } = resolveRole(name, capabilities);
    return resolved ? [{ resolved, description: declared.role.description }] : [];
  });
  return formatted('ROLES.md', roleMatrix(roles, [...capabilities.atoms.values()]));
}

test('the matrix of roles and atoms is the one in the repository; vitest --update writes it', async () => {
  await expect(await matrixOf(libraryFiles())).toMatchFileSnapshot('../../compiler/capabilities/library/ROLES.md');
});

test('a role with one atom less has another matrix', async () => {
  const less = changed({ 'roles/edit-local.toml': (it) => it.replace('  "policy::no-git-ops",\n', '') });
  expect(await matrixOf(less)).not.toBe(await matrixOf(libraryFiles()));
});

import { expect, test } from 'vitest';
import * as flags from '../../../compiler/capabilities/use-cases/flags.ts';

const TEXT = { type: 'string' };
const SOURCES = { repo: { ...TEXT, default: '.' }, source: { ...TEXT, default: 'instructions' } };
const HOOKS = { repo: { ...TEXT, default: '.' }, settings: TEXT };

test('the sources of atoms and roles are in the folder instructions of the current one', () => {
  expect(flags.SOURCES).toMatchObject(SOURCES);
});

test('what is added is any number of atoms and roles, which are names', () => {
  const named = { atom: { type: 'array' }, role: { type: 'array', id: true } };
  expect(flags.CAPABILITY_ADD).toMatchObject({ ...SOURCES, ...named, 'dry-run': { type: 'boolean' } });
});

test('a call is checked for one role, which has to be named', () => {
  const role = { ...TEXT, id: true, required: true };
  expect(flags.CAPABILITY_CHECK).toMatchObject({ ...SOURCES, role, bundle: TEXT, parameters: TEXT });
});

test('hooks are installed for a repository and the key of its orchestrator, the host’s own means if they are asked for', () => {
  const asked = { 'worktree-hook': { type: 'boolean' }, 'host-sandbox': { type: 'boolean' }, worktrees: TEXT };
  const orchestrator = { ...TEXT, required: true };
  expect(flags.CAPABILITY_INSTALL).toMatchObject({ ...HOOKS, orchestrator, ...asked, 'dry-run': { type: 'boolean' } });
  expect(flags.CAPABILITY_UNINSTALL).toMatchObject({ ...HOOKS, 'dry-run': { type: 'boolean' } });
});

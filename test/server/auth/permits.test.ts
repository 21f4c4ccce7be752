import { expect, test } from 'vitest';
import type { VadeError } from '../../../compiler/schema/errors.ts';
import type { Permits } from '../../../compiler/schema/source/key-file.ts';
import { hasNamespace, requirePermit, type Need } from '../../../server/auth/permits.ts';

/** The code of a refusal; null where the key may. */
function refused(permits: Permits | undefined, need: Need): string | null {
  try {
    requirePermit({ permits }, need);
    return null;
  } catch (error) {
    return (error as VadeError).code;
  }
}

const DENIED = 'instruction_scope_denied';
const READ = { scope: 'continuity:read' } as const;

test.each<[string, Permits | undefined, Need, string | null]>([
  ['without limits, any scope', undefined, READ, null],
  ['limited in something else, any scope', { peers: [] }, READ, null],
  ['for a scope, it', { scopes: ['continuity:read'] }, READ, null],
  ['for a scope, no other', { scopes: ['instructions'] }, READ, DENIED],
  ['without limits, any namespace', undefined, { ...READ, namespace: 'tasks' }, null],
  ['for a namespace, it', { namespaces: ['tasks'] }, { ...READ, namespace: 'tasks' }, null],
  ['for a namespace, no other', { namespaces: ['tasks'] }, { ...READ, namespace: 'schedule' }, DENIED],
  ['for a namespace, what needs none', { namespaces: ['tasks'] }, READ, null],
])('a key has, %s', (_, permits, need, expected) => {
  expect(refused(permits, need)).toBe(expected);
});

test('an answer leaves out the namespaces that a key does not have', () => {
  const has = (permits?: Permits) => hasNamespace({ permits }, 'tasks');
  expect([has(), has({}), has({ namespaces: ['tasks'] }), has({ namespaces: ['schedule'] })]).toEqual([
    true,
    true,
    true,
    false,
  ]);
});

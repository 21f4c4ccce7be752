import { describe, expect, test } from 'vitest';
import { extendedRoles } from '../../../compiler/capabilities/resolve/extended-roles.ts';
import { MAX_EXTENDS, RoleFile, type Role } from '../../../compiler/capabilities/schema/role.ts';

function rolesOf(parents: Readonly<Record<string, string | undefined>>): Map<string, Role> {
  const roles = Object.entries(parents).map(([name, parent]) => {
    const role = { name, 'display-name': name, description: name, extends: parent };
    return [name, { name, file: `roles/${name}.toml`, declared: RoleFile.parse({ role }) }] as const;
  });
  return new Map(roles);
}

const row = (count: number) =>
  Object.fromEntries(Array.from({ length: count + 1 }, (_, at) => [`r${at}`, at === 0 ? undefined : `r${at - 1}`]));
const namesOf = (name: string, parents: Record<string, string | undefined>) =>
  extendedRoles(name, rolesOf(parents)).chain.map((it) => it.name);

describe('what a role extends', () => {
  test('the farthest comes first, the role itself last', () => {
    expect(namesOf('c', { a: undefined, b: 'a', c: 'b' })).toEqual(['a', 'b', 'c']);
    expect(namesOf('a', { a: undefined, b: 'a' })).toEqual(['a']);
  });

  test.each<[string, Record<string, string | undefined>, object]>([
    ['a role that is not there', {}, { kind: 'role_unknown', role: 'a', name: 'a' }],
    ['an extended role that is not there', { a: 'b' }, { kind: 'role_unknown', role: 'a', name: 'b' }],
    ['a role that extends itself', { a: 'a' }, { kind: 'extends_cycle', role: 'a', name: 'a' }],
    ['a longer cycle', { a: 'b', b: 'c', c: 'b' }, { kind: 'extends_cycle', role: 'c', name: 'b' }],
  ])('%s is a problem of the role that names it', (_, parents, problem) => {
    expect(extendedRoles('a', rolesOf(parents))).toEqual({ chain: [], problems: [problem] });
  });

  test(`${MAX_EXTENDS} roles may be extended in a row, and one more may not`, () => {
    expect(namesOf(`r${MAX_EXTENDS}`, row(MAX_EXTENDS))).toHaveLength(MAX_EXTENDS + 1);
    const { chain, problems } = extendedRoles(`r${MAX_EXTENDS + 1}`, rolesOf(row(MAX_EXTENDS + 1)));
    expect({ chain, problems }).toEqual({
      chain: [],
      problems: [{ kind: 'extends_too_deep', role: 'r1', name: 'r0' }],
    });
  });
});

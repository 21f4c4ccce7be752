import { MAX_EXTENDS, type Role } from '../schema/role.ts';

/** Why a role cannot be resolved; `role` causes it, `name` is the role or atom that it is about. */
export interface RoleProblem {
  readonly kind:
    | 'role_unknown'
    | 'extends_cycle'
    | 'extends_too_deep'
    | 'atom_unknown'
    | 'not_relaxable'
    | 'relaxes_nothing'
    | 'bypasses_nothing';
  readonly role: string;
  readonly name: string;
}

/** A role and all that it extends, the farthest first. Untrusted input: a cycle and a long row are problems. */
export function extendedRoles(
  name: string,
  roles: ReadonlyMap<string, Role>,
): { chain: readonly Role[]; problems: readonly RoleProblem[] } {
  const chain: Role[] = [];
  const problem = (kind: RoleProblem['kind'], about: string) => {
    return { chain: [], problems: [{ kind, role: chain.at(-1)?.name ?? name, name: about }] };
  };
  let next: string | undefined = name;
  while (next !== undefined) {
    const found = roles.get(next);
    if (found === undefined) return problem('role_unknown', next);
    if (chain.includes(found)) return problem('extends_cycle', next);
    if (chain.length > MAX_EXTENDS) return problem('extends_too_deep', next);
    chain.push(found);
    next = found.declared.role.extends;
  }
  return { chain: chain.reverse(), problems: [] };
}

import type { ResolvedCheck, ResolvedGate, ResolvedRole } from '../../schema/capability/resolved-role.ts';
import { sha256 } from '../../trust/canonical.ts';
import { moduleOf, type Atom } from '../schema/atom.ts';
import type { Role } from '../schema/role.ts';
import { extendedRoles, type RoleProblem } from './extended-roles.ts';

/** The atoms and roles that a role is resolved from, by name. */
export interface CapabilityTables {
  readonly atoms: ReadonlyMap<string, Atom>;
  readonly roles: ReadonlyMap<string, Role>;
}

/** A resolved role, or why it cannot be resolved. */
export type Resolved =
  | { readonly resolved: ResolvedRole; readonly problems: readonly [] }
  | { readonly resolved: null; readonly problems: readonly RoleProblem[] };

/** Resolves a role once, for prompt, gate and check: everything it extends, without what it relaxes. */
export function resolveRole(name: string, tables: CapabilityTables): Resolved {
  const { chain, problems } = extendedRoles(name, tables.roles);
  if (problems.length > 0) return { resolved: null, problems };
  const held = heldAtoms(chain, tables.atoms);
  if (held.problems.length > 0) return { resolved: null, problems: held.problems };
  const own = chain.at(-1);
  if (own === undefined) return { resolved: null, problems: [{ kind: 'role_unknown', role: name, name }] };
  const keepsBypass = new Set(own.declared.capabilities.bypasses);
  const given = gathered(chain.map((it) => it.declared.parameterized.accepts));
  const gates = held.atoms.flatMap((atom) => gateOf(atom, keepsBypass.has(atom.name), given));
  const reading = gathered(chain.map((it) => it.declared.tools.reading ?? []));
  const obeyed = gathered(chain.map((it) => it.declared.files['obeyed-allowed']));
  const resolved: ResolvedRole = {
    format: 1,
    role: name,
    extends: chain
      .slice(0, -1)
      .map((it) => it.name)
      .reverse(),
    spawnable: chain.every((it) => it.declared.role.spawnable),
    fragments: held.atoms.map(({ name: atom, text }) => ({ atom, digest: sha256(text), text })),
    gates,
    tools: {
      allowed: gathered(chain.map((it) => it.declared.tools.allowed)),
      denied: gathered([
        ...chain.map((it) => it.declared.tools.denied),
        ...held.atoms.map((it) => it.declared.restricts['tools-denied']),
      ]),
      ...(reading.length > 0 && { reading }),
    },
    shell: { allowed: last(chain.map((it) => it.declared.tools['bash-patterns-allowed'])) ?? [] },
    checks: held.atoms.flatMap((atom) => checkOf(atom, given)),
    ...(obeyed.length === 0 ? {} : { obeyed_allowed: obeyed }),
    accepts: gathered([...held.atoms, ...chain].map((it) => it.declared.parameterized.accepts)).sort(),
    escalation: last(chain.map((it) => it.declared.escalation?.policy)) ?? 'ask-via-return',
  };
  return { resolved, problems: [] };
}

/** The roles and atoms that a role is resolved from, by name; also atoms that a role on the way drops. */
export function sourcesOf(
  name: string,
  { roles }: Pick<CapabilityTables, 'roles'>,
): { roles: string[]; atoms: string[] } {
  const { chain } = extendedRoles(name, roles);
  const atoms = chain.flatMap(({ declared }) => declared.capabilities.required);
  return { roles: chain.map((it) => it.name), atoms: [...new Set(atoms)] };
}

/** The atoms of a role in the order of their fragments; problems name the role that causes them. */
function heldAtoms(chain: readonly Role[], atoms: ReadonlyMap<string, Atom>) {
  const held = new Map<string, Atom>();
  const problems: RoleProblem[] = [];
  for (const { name: role, declared } of chain) {
    const { relaxes, required, bypasses } = declared.capabilities;
    for (const name of relaxes) {
      const atom = held.get(name);
      if (atom === undefined) problems.push({ kind: 'relaxes_nothing', role, name });
      else if (!atom.declared.capability.relaxable) problems.push({ kind: 'not_relaxable', role, name });
      else held.delete(name);
    }
    for (const name of required) {
      const atom = atoms.get(name);
      if (atom === undefined) problems.push({ kind: 'atom_unknown', role, name });
      else held.set(name, atom);
    }
    for (const name of bypasses) {
      if (!mayBypass(held.get(name))) problems.push({ kind: 'bypasses_nothing', role, name });
    }
  }
  return { atoms: [...held.values()], problems };
}

/** Only a relaxable atom can be bypassed: a strict one holds for every agent that is bound. */
function mayBypass(atom: Atom | undefined): boolean {
  return atom?.declared.capability.relaxable === true && (atom.declared.gate?.['bypass-env'] ?? '') !== '';
}

function gateOf({ name, declared }: Atom, keepsBypass: boolean, given: readonly string[]): ResolvedGate[] {
  const { gate, restricts, parameterized, capability } = declared;
  const module = moduleOf(gate);
  if (gate?.event === undefined || module === '') return [];
  const bypass = gate['bypass-env'];
  return [
    {
      atom: name,
      module,
      event: gate.event,
      severity: gate.severity,
      bypass_env: keepsBypass && bypass !== '' ? bypass : null,
      relaxable: capability.relaxable,
      parameters: gathered([parameterized.accepts, given]),
      patterns: [...restricts['tool-patterns']],
      paths: [...restricts['path-patterns']],
      tools_denied: [...restricts['tools-denied']],
    },
  ];
}

function checkOf({ name, declared }: Atom, given: readonly string[]): ResolvedCheck[] {
  const { verify, capability, parameterized, restricts } = declared;
  const module = moduleOf(verify);
  if (!verify || module === '') return [];
  const usual = capability.category === 'quality' ? 'both' : 'worktree';
  const run_mode = verify['run-mode'] ?? usual;
  return [
    {
      atom: name,
      module,
      run_mode,
      when: verify.when,
      parameters: gathered([parameterized.accepts, given]),
      paths: [...restricts['path-patterns']],
    },
  ];
}

function gathered(lists: readonly (readonly string[])[]): string[] {
  return [...new Set(lists.flat())];
}

function last<T>(values: readonly (T | undefined)[]): T | undefined {
  return values.filter((it) => it !== undefined).at(-1);
}

/** The gate of an atom as a role would have it; for running its examples. */
export function gateAlone(atom: Atom): ResolvedGate | null {
  return gateOf(atom, false, [])[0] ?? null;
}

import { describe, expect, test } from 'vitest';
import { gateAlone, resolveRole, sourcesOf } from '../../../compiler/capabilities/resolve/resolve-role.ts';
import { CapabilityFile, type Atom } from '../../../compiler/capabilities/schema/atom.ts';
import { RoleFile, type Role } from '../../../compiler/capabilities/schema/role.ts';
import type { ResolvedRole } from '../../../compiler/schema/capability/resolved-role.ts';
import { sha256 } from '../../../compiler/trust/canonical.ts';

function atom(name: string, more: object = {}, relaxable = false): Atom {
  const [category = ''] = name.split('::');
  const declared = CapabilityFile.parse({
    capability: { name, category, version: '1', description: name, relaxable },
    text: { path: 'text.md' },
    ...more,
  });
  return { name, file: 'capability.toml', textFile: 'text.md', declared, text: `Keep ${name}.` };
}

function role(
  name: string,
  required: string[],
  { parent, ...more }: { parent?: string; [key: string]: unknown } = {},
): Role {
  const { capabilities, spawnable, ...rest } = more;
  const declared = RoleFile.parse({
    role: {
      name,
      'display-name': name,
      description: name,
      extends: parent,
      ...(spawnable === undefined ? {} : { spawnable }),
    },
    capabilities: { required, ...(capabilities as object | undefined) },
    ...rest,
  });
  return { name, file: `roles/${name}.toml`, declared };
}

const gate = (more: object = {}) => ({ gate: { module: 'gates::x', event: 'PreToolUse:Bash', ...more } });
const STRICT = atom('policy::strict', {
  ...gate({ 'bypass-env': 'STRICT_OFF' }),
  parameterized: { accepts: ['files-whitelist'] },
});
const LAX = atom(
  'safety::lax',
  {
    ...gate({ 'bypass-env': 'LAX_OFF', severity: 'warn' }),
    restricts: { 'tool-patterns': ['^x'], 'path-patterns': ['y'], 'tools-denied': ['Edit'] },
  },
  true,
);
const PLAIN = atom('safety::plain', gate(), true);
const TOLD = atom('output::told', { gate: { module: '', event: 'PreToolUse:Bash' }, verify: { module: '' } });
const CHECKED = atom('quality::checked', {
  verify: { module: 'verifies::x' },
  parameterized: { accepts: ['test-count-min'] },
});
const CHECKED_ONCE = atom('quality::once', { verify: { module: 'verifies::y', 'run-mode': 'worktree' } });
const HERE = { verify: { 'rust-module': 'verifies::z' }, restricts: { 'path-patterns': ['a/**'] } };
const CHECKED_HERE = atom('scope::here', HERE);
const ATOMS = [STRICT, LAX, PLAIN, TOLD, CHECKED, CHECKED_ONCE, CHECKED_HERE];

const resolve = (...roles: Role[]) =>
  resolveRole(roles.at(-1)?.name ?? '', {
    atoms: new Map(ATOMS.map((it) => [it.name, it])),
    roles: new Map(roles.map((it) => [it.name, it])),
  });
const resolved = (...roles: Role[]): ResolvedRole => {
  const { resolved: it } = resolve(...roles);
  if (it === null) throw new Error('it has problems');
  return it;
};
const problems = (...roles: Role[]) => resolve(...roles).problems.map((it) => `${it.kind} ${it.role} ${it.name}`);

describe('the atoms of a resolved role', () => {
  const base = role('base', ['policy::strict', 'safety::lax', 'quality::checked']);

  test('they come in the order of their texts, those of the extended role first, and each once', () => {
    const { fragments } = resolved(base, role('own', ['safety::plain', 'safety::lax'], { parent: 'base' }));
    expect(fragments.map((it) => it.atom)).toEqual([
      'policy::strict',
      'safety::lax',
      'quality::checked',
      'safety::plain',
    ]);
    expect(fragments[0]).toEqual({
      atom: 'policy::strict',
      digest: sha256('Keep policy::strict.'),
      text: 'Keep policy::strict.',
    });
  });

  test('files that the person’s programs obey are named by the role and by those that it extends, or by none', () => {
    const files = (...paths: string[]) => ({ files: { 'obeyed-allowed': paths } });
    const parent = role('base', ['policy::strict'], files('AGENTS.md'));
    expect(resolved(base)).not.toHaveProperty('obeyed_allowed');
    expect(resolved(parent, role('own', [], { parent: 'base' })).obeyed_allowed).toEqual(['AGENTS.md']);
    const both = resolved(parent, role('own', [], { parent: 'base', ...files('.vscode/**', 'AGENTS.md') }));
    expect(both.obeyed_allowed).toEqual(['AGENTS.md', '.vscode/**']);
  });

  test('a relaxed atom is gone: its text, gate and denied tools', () => {
    const it = resolved(base, role('own', [], { parent: 'base', capabilities: { relaxes: ['safety::lax'] } }));
    expect([...it.fragments, ...it.gates].map(({ atom: name }) => name)).not.toContain('safety::lax');
    expect(it.tools.denied).toEqual([]);
    expect(resolved(base).tools.denied).toEqual(['Edit']);
  });

  test.each<[string, Role[], string[]]>([
    [
      'an atom that is not relaxable',
      [base, role('own', [], { parent: 'base', capabilities: { relaxes: ['policy::strict'] } })],
      ['not_relaxable own policy::strict'],
    ],
    [
      'an atom that no extended role has',
      [base, role('own', [], { parent: 'base', capabilities: { relaxes: ['safety::plain'] } })],
      ['relaxes_nothing own safety::plain'],
    ],
    ['an atom that is not there', [role('own', ['policy::none'])], ['atom_unknown own policy::none']],
    [
      'a bypass of a strict atom',
      [role('own', ['policy::strict'], { capabilities: { bypasses: ['policy::strict'] } })],
      ['bypasses_nothing own policy::strict'],
    ],
    [
      'a bypass of an atom that has none',
      [role('own', ['safety::plain'], { capabilities: { bypasses: ['safety::plain'] } })],
      ['bypasses_nothing own safety::plain'],
    ],
    [
      'a bypass of an atom that the role has not',
      [role('own', [], { capabilities: { bypasses: ['safety::lax'] } })],
      ['bypasses_nothing own safety::lax'],
    ],
    ['a role that is not there', [role('own', [], { parent: 'none' })], ['role_unknown own none']],
  ])('%s is a problem', (_, roles, wanted) => {
    expect(problems(...roles)).toEqual(wanted);
    expect(resolve(...roles).resolved).toBeNull();
  });

  test('a bypass is kept by the role that names it, and by none that extends it', () => {
    const keeps = role('keeps', ['safety::lax'], { capabilities: { bypasses: ['safety::lax'] } });
    const of = (...roles: Role[]) => resolved(...roles).gates.map((it) => it.bypass_env);
    expect([of(keeps), of(keeps, role('own', [], { parent: 'keeps' })), of(base)]).toEqual([
      ['LAX_OFF'],
      [null],
      [null, null],
    ]);
  });
});

describe('what becomes of an atom', () => {
  test('a gate has all that its declaration says, and the parameters of its roles', () => {
    const given = role('own', ['safety::lax'], { parameterized: { accepts: ['ssot-patterns'] } });
    expect(resolved(given).gates).toEqual([
      {
        atom: 'safety::lax',
        module: 'gates::x',
        event: 'PreToolUse:Bash',
        severity: 'warn',
        bypass_env: null,
        relaxable: true,
        parameters: ['ssot-patterns'],
        patterns: ['^x'],
        paths: ['y'],
        tools_denied: ['Edit'],
      },
    ]);
  });

  test('what is declared empty is no gate and no check', () => {
    const { gates, checks } = resolved(role('own', ['output::told']));
    expect([gates, checks, gateAlone(TOLD), gateAlone(CHECKED)]).toEqual([[], [], null, null]);
    expect(gateAlone(LAX)).toMatchObject({ atom: 'safety::lax', bypass_env: null, parameters: [] });
  });

  test('quality is checked in the worktree and in the merge, unless the atom says where; all else in the worktree', () => {
    const { checks } = resolved(role('own', ['quality::checked', 'quality::once', 'scope::here', 'policy::strict']));
    expect(
      checks.map((it) => `${it.atom} ${it.module} ${it.run_mode} ${it.when} ${[...it.parameters, ...it.paths].join()}`),
    ).toEqual([
      'quality::checked verifies::x both on-return test-count-min',
      'quality::once verifies::y worktree on-return ',
      'scope::here verifies::z worktree on-return a/**',
    ]);
  });
});

describe('the lists of a resolved role', () => {
  const base = role('base', ['policy::strict'], {
    tools: { allowed: ['Read'], denied: ['Write'], 'bash-patterns-allowed': ['^a'] },
    parameterized: { accepts: ['test-count-min'] },
    escalation: { policy: 'fail-fast' },
  });

  test('tools and parameters are gathered, each once; parameters are sorted', () => {
    const own = role('own', ['quality::checked'], {
      parent: 'base',
      tools: { allowed: ['Grep', 'Read'], denied: ['Bash'] },
    });
    const it = resolved(base, own);
    expect([it.tools, it.accepts]).toEqual([
      { allowed: ['Read', 'Grep'], denied: ['Write', 'Bash'] },
      ['files-whitelist', 'test-count-min'],
    ]);
  });

  test('commands and escalation are those of the nearest role that says something', () => {
    const of = (...roles: Role[]) => [resolved(...roles).shell.allowed, resolved(...roles).escalation];
    expect(of(base)).toEqual([['^a'], 'fail-fast']);
    expect(of(base, role('own', [], { parent: 'base' }))).toEqual([['^a'], 'fail-fast']);
    const other = {
      parent: 'base',
      tools: { 'bash-patterns-allowed': ['^b'] },
      escalation: { policy: 'orchestrator-notify' },
    };
    expect(of(base, role('own', [], other))).toEqual([['^b'], 'orchestrator-notify']);
    expect(of(base, role('own', [], { parent: 'base', tools: { 'bash-patterns-allowed': [] } }))).toEqual([
      [],
      'fail-fast',
    ]);
    expect(of(role('own', []))).toEqual([[], 'ask-via-return']);
  });

  test('it names what it extends, nearest first, and what it comes from', () => {
    const roles = [
      base,
      role('mid', ['safety::lax'], { parent: 'base' }),
      role('own', [], { parent: 'mid', capabilities: { relaxes: ['safety::lax'] } }),
    ];
    expect([resolved(...roles).role, resolved(...roles).extends, resolved(...roles).format]).toEqual([
      'own',
      ['mid', 'base'],
      1,
    ]);
    expect(sourcesOf('own', { roles: new Map(roles.map((it) => [it.name, it])) })).toEqual({
      roles: ['base', 'mid', 'own'],
      atoms: ['policy::strict', 'safety::lax'],
    });
  });

  test('a role that extends one which nobody may start cannot be started either', () => {
    const closed = role('closed', [], { spawnable: false });
    expect([
      resolved(base).spawnable,
      resolved(closed).spawnable,
      resolved(closed, role('own', [], { parent: 'closed' })).spawnable,
    ]).toEqual([true, false, false]);
  });
});

import { moduleOf, type Atom } from '../../compiler/capabilities/schema/atom.ts';
import type { ResolvedRole } from '../../compiler/schema/capability/resolved-role.ts';

/** A role as the matrix shows it. */
export interface MatrixRole {
  readonly resolved: ResolvedRole;
  readonly description: string;
}

/** The page that says which role holds which atom, and what of each atom tells, stops and judges; as Markdown. */
export function roleMatrix(roles: readonly MatrixRole[], atoms: readonly Atom[]): string {
  const names = roles.map(({ resolved }) => resolved.role);
  const rows = atoms.map(({ name, declared }) => {
    const parts = [true, moduleOf(declared.gate) !== '', moduleOf(declared.verify) !== ''].map(mark).join('/');
    const held = roles.map(({ resolved }) => mark(resolved.fragments.some((it) => it.atom === name)));
    return [`\`${name}\``, declared.capability.description, parts, ...held];
  });
  return [
    '# Roles and atoms',
    'Generated from the library; a test compares. An atom tells (text), stops (gate) and judges (check).',
    table(['atom', 'restriction', 'text/gate/check', ...names], rows),
    '## Roles',
    table(['role', 'for', 'extends', 'tools', 'shell', 'started by a command'], roles.map(roleRow)),
  ].join('\n\n');
}

const mark = (has: boolean) => (has ? '✓' : '—');

function roleRow({ resolved, description }: MatrixRole): string[] {
  const { role, extends: farther, tools, shell, spawnable } = resolved;
  const list = (values: readonly string[], none: string) => (values.length === 0 ? none : values.join(', '));
  const patterns = shell.allowed.map((it) => `\`${it.replaceAll('|', '\\|')}\``);
  return [
    `\`${role}\``,
    description,
    list(farther, '—'),
    list(tools.allowed, 'no limit'),
    list(patterns, 'no list'),
    spawnable ? 'yes' : 'never',
  ];
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

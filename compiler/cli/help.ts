import type { Flags } from '../world/flags/flag.ts';
import { commandsBelow, describedFlags, GLOBAL_FLAGS, type Command, type Registry } from './registry.ts';

/** Commands by use, in the order in which one needs them; a group such as `trust` stands for all of its commands. */
export const USES: readonly (readonly [use: string, commands: readonly string[]])[] = [
  ['Start', ['init', 'connect', 'migrate', 'archive', 'completion', 'manifest', 'workflows']],
  ['Write', ['dev', 'lint', 'recall', 'brief', 'log', 'blame']],
  ['Publish', ['compile', 'verify', 'publish', 'export', 'freshen', 'rollback', 'model']],
  ['Measure', ['probe', 'comment', 'report', 'replay', 'shadow', 'metrics']],
  ['Serve', ['serve', 'mcp', 'hook', 'key', 'continuity']],
  ['Trust', ['trust', 'approve', 'withdraw']],
  ['Audit', ['audit']],
  ['Capabilities', ['capability', 'gate', 'task']],
];

const TITLE = 'vade: instructions for AI agents, compiled from git';

/** The first steps. */
const FIRST = [
  'New here:',
  '  vade init --dir handbook    creates a handbook',
  '  vade dev                    serves it while you write',
  '  vade lint                   checks it before you commit',
  '  vade compile --dev          compiles the bundle for agents',
];

/** The output of `vade` alone: the first steps, and where the rest is. */
export function shortHelp(): string {
  return [TITLE, '', ...FIRST, '', 'vade help lists every command, vade help <command> explains one.'].join('\n');
}

/** All commands by use, one a line, after a place to start. */
export function helpForAll({ commands }: Registry): string {
  const all = [...commands.values()];
  const width = Math.max(...all.map(({ path }) => path.length));
  const within = (of: string) => all.filter(({ path }) => path === of || path.startsWith(`${of}.`));
  const uses = USES.flatMap(([use, names]) => [`${use}:`, ...table(names.flatMap(within).map(rowOf), width), '']);
  const known = new Set(USES.flatMap(([, names]) => names.flatMap(within)));
  const others = all.filter((it) => !known.has(it));
  const more = others.length === 0 ? [] : ['More:', ...table(others.map(rowOf), width), ''];
  return [TITLE, '', ...FIRST, '', ...uses, ...more, 'vade help <command> explains a command.'].join('\n');
}

/** The commands of a group, such as `trust`. */
export function helpForGroup(group: string, registry: Registry): string {
  const below = commandsBelow(group, registry);
  const name = words(group);
  return [`vade ${name}:`, '', ...table(below.map(rowOf)), '', `vade help ${name} <command> explains one.`].join('\n');
}

const rowOf = ({ path, description }: Command) => [words(path), description] as const;

/** One command with its flags and examples, and the commands below it. */
export function helpFor(command: Command, registry: Registry): string {
  const below = commandsBelow(command.path, registry).map(rowOf);
  const examples = command.examples.flatMap((it) => [`  # ${it.description}`, `  ${it.command}`]);
  return [
    `vade ${words(command.path)}: ${command.description}`,
    '',
    ...(below.length > 0 ? ['Commands:', ...table(below), ''] : []),
    'Flags:',
    ...table(rowsOf(describedFlags(command))),
    ...table(rowsOf(otherFlags(command))),
    '',
    'Examples:',
    ...examples,
  ].join('\n');
}

/** The global flags, without those that the command defines itself. */
function otherFlags({ flags }: Command): Flags {
  return Object.fromEntries(Object.entries(GLOBAL_FLAGS).filter(([name]) => !(name in flags)));
}

function rowsOf(flags: Flags): (readonly [string, string])[] {
  return Object.entries(flags).map(([name, spec]) => {
    const value = spec.type === 'boolean' ? '' : ` <${spec.type === 'enum' ? spec.values.join('|') : spec.type}>`;
    const fallback = 'default' in spec && spec.default !== '' ? ` [${String(spec.default)}]` : '';
    const note = 'required' in spec ? ' (required)' : fallback;
    const short = spec.short === undefined ? '    ' : `-${spec.short}, `;
    return [`${short}--${name}${value}`, `${spec.description}${note}`] as const;
  });
}

function table(rows: readonly (readonly [string, string])[], least = 0): string[] {
  const width = Math.max(least, ...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}

function words(path: string): string {
  return path.replaceAll('.', ' ');
}

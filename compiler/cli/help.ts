import { commandsBelow, GLOBAL_FLAGS, type Command, type Flags, type Registry } from './registry.ts';

/** All commands, one a line. */
export function helpForAll(commands: readonly Command[]): string {
  const rows = commands.map((it) => [words(it.path), it.description] as const);
  return [
    'vade: instructions for AI agents, compiled from git',
    '',
    'Commands:',
    ...table(rows),
    '',
    'vade <command> --help explains a command.',
  ].join('\n');
}

/** One command with its flags and examples, and the commands below it. */
export function helpFor(command: Command, registry: Registry): string {
  const below = commandsBelow(command.path, registry).map((it) => [words(it.path), it.description] as const);
  const examples = command.examples.flatMap((it) => [`  # ${it.description}`, `  ${it.command}`]);
  return [
    `vade ${words(command.path)}: ${command.description}`,
    '',
    ...(below.length > 0 ? ['Commands:', ...table(below), ''] : []),
    'Flags:',
    ...table(rowsOf(command.flags)),
    ...table(rowsOf(otherFlags(command))),
    '',
    'Examples:',
    ...examples,
  ].join('\n');
}

/** The flags of every command, but for those that a command has its own of. */
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

function table(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}

function words(path: string): string {
  return path.replaceAll('.', ' ');
}

import { bareGroups, commandsBelow, GLOBAL_FLAGS, type Registry } from './registry.ts';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

interface Line {
  readonly words: readonly string[];
  /** The flags, and the names of the commands directly below: after `probe`, its flags and `suggest`. */
  readonly next: readonly string[];
  readonly flags: readonly string[];
  readonly description: string;
}

/** Every command with the words that may follow it. */
function lines(registry: Registry): Line[] {
  return [...registry.commands.values()].map((it) => {
    const flags = [...Object.keys(it.flags), ...Object.keys(GLOBAL_FLAGS)];
    const below = commandsBelow(it.path, registry).map(({ path }) => lastOf(path));
    const next = [...below, ...flags.map((name) => `--${name}`)];
    return { words: it.path.split('.'), next, flags, description: it.description };
  });
}

/** The completion script for one shell. */
export function completionFor(shell: Shell, registry: Registry): string {
  return { bash, zsh, fish }[shell](registry);
}

function bash(registry: Registry): string {
  const all = lines(registry);
  const help = toCase(['help'], firstWords(all));
  // bash takes the first matching case, so `probe suggest` must come before `probe`
  const commands = all.toSorted((a, b) => b.words.length - a.words.length).map((it) => toCase(it.words, it.next));
  const groups = bareGroups(registry).map((group) =>
    toCase(
      group.split('.'),
      commandsBelow(group, registry).map(({ path }) => lastOf(path)),
    ),
  );
  return `_vade() {
  local current="\${COMP_WORDS[COMP_CWORD]}" typed="\${COMP_WORDS[*]:1:COMP_CWORD-1}" words="${firstWords(all).join(' ')}"
  case "$typed" in
${[...commands, ...groups, help].join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _vade vade
`;
}

function toCase(path: readonly string[], next: readonly string[]): string {
  const typed = path.join(' ');
  return `    "${typed}"|"${typed} "*) words="${next.join(' ')}" ;;`;
}

function zsh(registry: Registry): string {
  return `#compdef vade\nautoload -U +X bashcompinit && bashcompinit\n${bash(registry)}`;
}

function fish(registry: Registry): string {
  const all = lines(registry);
  const rows = all.flatMap((line) => {
    const { words, flags, description } = line;
    const [first = '', second] = words;
    const offer =
      second === undefined
        ? `complete -c vade -n __fish_use_subcommand -a ${first} -d '${quote(description)}'`
        : `complete -c vade -n '__fish_seen_subcommand_from ${first}' -a ${second} -d '${quote(description)}'`;
    return [offer, ...flags.map((flag) => `complete -c vade -n '${seen(line, all)}' -l ${flag}`)];
  });
  const groups = bareGroups(registry).map((group) => `complete -c vade -n __fish_use_subcommand -a ${group}`);
  const help = `complete -c vade -n __fish_use_subcommand -a help -d 'Explain a command'`;
  const named = `complete -c vade -n '__fish_seen_subcommand_from help' -a '${firstWords(all).join(' ')}'`;
  return `${['complete -c vade -f', help, named, ...groups, ...rows].join('\n')}\n`;
}

/** The condition that the command was typed, and no longer one with all its words: `suggest`, not `probe suggest`. */
function seen({ words }: Line, all: readonly Line[]): string {
  const longer = all.filter((it) => it.words.length > words.length && words.every((word) => it.words.includes(word)));
  const others = new Set(longer.flatMap((it) => it.words.filter((word) => !words.includes(word))));
  return [
    ...words.map((word) => `__fish_seen_subcommand_from ${word}`),
    ...[...others].map((word) => `not __fish_seen_subcommand_from ${word}`),
  ].join('; and ');
}

function firstWords(all: readonly Line[]): string[] {
  return [...new Set([...all.map(({ words: [first = ''] }) => first), 'help'])];
}

const lastOf = (path: string) => path.split('.').at(-1) ?? '';

const quote = (text: string) => text.replaceAll("'", "\\'");

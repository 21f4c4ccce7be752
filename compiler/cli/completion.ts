import { GLOBAL_FLAGS, type Registry } from './registry.ts';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** Every command in words, with its flags. */
function lines({ commands }: Registry): { words: string; flags: string[]; description: string }[] {
  return [...commands.values()].map((it) => ({
    words: it.path.replaceAll('.', ' '),
    flags: [...Object.keys(it.flags), ...Object.keys(GLOBAL_FLAGS)].map((name) => `--${name}`),
    description: it.description,
  }));
}

/** A completion script for one shell; its user sources it. */
export function completionFor(shell: Shell, registry: Registry): string {
  return { bash, zsh, fish }[shell](registry);
}

function bash(registry: Registry): string {
  const cases = lines(registry).map((it) => `    "${it.words}"*) words="${it.flags.join(' ')}" ;;`);
  const first = [...new Set(lines(registry).map((it) => it.words.split(' ')[0]))].join(' ');
  const groups = groupCases(registry).map(([group, names]) => `    "${group}"|"${group} "*) words="${names}" ;;`);
  return `_vade() {
  local current="\${COMP_WORDS[COMP_CWORD]}" typed="\${COMP_WORDS[*]:1:COMP_CWORD-1}" words="${first}"
  case "$typed" in
${[...cases, ...groups].join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _vade vade
`;
}

function zsh(registry: Registry): string {
  return `#compdef vade\nautoload -U +X bashcompinit && bashcompinit\n${bash(registry)}`;
}

function fish(registry: Registry): string {
  const rows = lines(registry).flatMap(({ words, flags, description }) => {
    const path = words.split(' ');
    const seen = path.map((word) => `__fish_seen_subcommand_from ${word}`).join('; and ');
    const [first = '', second] = path;
    const offer =
      second === undefined
        ? `complete -c vade -n __fish_use_subcommand -a ${first} -d '${quote(description)}'`
        : `complete -c vade -n '__fish_seen_subcommand_from ${first}' -a ${second} -d '${quote(description)}'`;
    return [offer, ...flags.map((flag) => `complete -c vade -n '${seen}' -l ${flag.slice(2)}`)];
  });
  const groups = groupCases(registry).map(([group]) => `complete -c vade -n __fish_use_subcommand -a ${group}`);
  return `${['complete -c vade -f', ...groups, ...rows].join('\n')}\n`;
}

function groupCases(registry: Registry): [group: string, names: string][] {
  const groups = new Map<string, string[]>();
  for (const { words } of lines(registry)) {
    const [group = '', name] = words.split(' ');
    if (name !== undefined) groups.set(group, [...(groups.get(group) ?? []), name]);
  }
  return [...groups].map(([group, names]) => [group, names.join(' ')]);
}

const quote = (text: string) => text.replaceAll("'", "\\'");

import { isKnown, type Field, type Stdin } from '../words/field.ts';

/** Shells of databases, whose statements stand among the arguments or on the standard input. */
const SQL = /^(sqlite3|duckdb|psql|mysql|mariadb)$/;

/** Options of a program whose value it runs: the whole option, with what is attached to it as a group. */
const COMMANDS: readonly (readonly [program: RegExp, option: RegExp])[] = [
  [/^(g|bsd)?tar$/, /^--checkpoint-action=exec=([^]*)$/],
  [
    /^(g|bsd)?tar$/,
    /^(?:-I|-F|--(?:to-command|use-compress-program|info-script|new-volume-script|rsh-command|rmt-command)(?:=([^]*))?)$/,
  ],
  [/^zip$/, /^(?:-TT|--unzip-command(?:=([^]*))?)$/],
  [/^split$/, /^--filter(?:=([^]*))?$/],
  [/^(ssh|scp|sftp|rsync|sshfs|mosh)$/, /^(?:-o)?\s*(?:Proxy|Local|KnownHosts|Remote)Command\s*[= ]\s*([^]*)$/i],
  [/^(scp|sftp)$/, /^-S([^]+)?$/],
  [/^rsync$/, /^(?:-[a-zA-Z]*e|--rsh(?:=([^]*))?)$/],
  [/^man$/, /^(?:-P([^]+)?|--pager(?:=([^]*))?)$/],
  [/^(npm|npx|pnpm)$/, /^--(?:editor|script-shell|shell|viewer)(?:=([^]*))?$/],
  [/^fish$/, /^(?:-C|--init-command(?:=([^]*))?)$/],
  [/^sort$/, /^--compress-program(?:=([^]*))?$/],
  [/^rg$/, /^--(?:pre|hostname-bin)(?:=([^]*))?$/],
  [/^(ag|ack|bat|delta)$/, /^--pager(?:=([^]*))?$/],
  [/^install$/, /^--strip-program(?:=([^]*))?$/],
  [/^(npm|pnpm|yarn|bun)$/, /^scripts\.[^=]+=([^]*)$/],
  [/^cargo$/, /^(?:-s|--shell(?:=([^]*))?)$/],
  [/^just$/, /^(?:-c|--command(?:=([^]*))?)$/],
  [/^(doppler|infisical)$/, /^--command(?:=([^]*))?$/],
  [/^deno$/, /^--eval(?:=([^]*))?$/],
  [/^go$/, /^--?(?:exec|toolexec)(?:=([^]*))?$/],
  [/^(nc|ncat|netcat)$/, /^(?:-[ce]|--(?:sh-exec|exec)(?:=([^]*))?)$/],
  [/^socat$/, /^(?:EXEC|SYSTEM|SHELL):([^]*)$/i],
  [/^expect$/, /\bspawn\s+(?![-$[])([^;\n}]+)/],
  [/^java$/, /^-XX:On\w*Error=([^]*)$/],
  [SQL, /^\s*\.(?:system|shell)\s([^]*)$/],
  [SQL, /^\s*\.(?:output|once|import|log)\s+\|([^]*)$/],
  [SQL, /\bprogram\s+'([^']*)'/i],
  [SQL, /^\s*system\s+([^]*)$/],
  [SQL, /\\!([^]*)$/],
];

/** A long command names few programs, and each often. */
const known = new Map<string, readonly RegExp[]>();

function optionsOf(name: string): readonly RegExp[] {
  const found = known.get(name) ?? COMMANDS.filter(([program]) => program.test(name)).map(([, option]) => option);
  known.set(name, found);
  return found;
}

/** The commands that a program is given as the value of an option, or a shell of a database on its standard input. */
export function commandsIn(name: string, given: readonly Field[], stdin: Stdin): Field[] {
  const words = SQL.test(name) && stdin.kind === 'text' ? [...given, ...stdin.text.split('\n')] : given;
  return optionsOf(name).flatMap((option) =>
    words.flatMap((word, at) => {
      const found = at === 0 ? null : option.exec(word);
      if (found === null) return [];
      const attached = found.slice(1).join('');
      return [attached === '' ? (words[at + 1] ?? '') : attached];
    }),
  );
}

const EDITOR_OPTION = /^(-c|--cmd|-S|\+.*)$/s;
/** Commands of an editor that start nothing. */
const EDITOR_PLAIN =
  /^\+?:?\s*(wq?a?|qa?|x|e|\d+|\$|\/[^!]*|set\b[^!|]*|%?s\/[^|]*|normal\b[^!|]*|%?g\/[^!|]*|sort\b[^!|]*|saveas\b.*|w .*)?!?\s*$/s;
const STARTS =
  /!|\b(system|systemlist|call|exe(cute)?|jobstart|termopen|terminal|py(thon|thon3|x|3)?|lua|luafile|perl|ruby|source|so)\b/;

const EMACS_STARTS =
  /shell-command|(call|start|make|start-file|open-network)-(shell-)?process|process-(file|lines)|\b(compile|recompile|eshell|funcall|apply|intern|vc-[\w-]+)\b/;

/** Why a script for an editor, a debugger or a dialogue on its command line is refused; null if it is not. */
export function scriptedStart(name: string, words: readonly Field[], stdin: Stdin): string | null {
  const given = (option: RegExp) =>
    words.flatMap((it, at) => (at > 0 && option.test(it) ? [it, words[at + 1] ?? ''] : []));
  if (/^(ssh|scp|sftp|mosh|sshfs)$/.test(name) && given(/^-F/).some((it) => !isKnown(it)))
    return `${name} reads a configuration that is only known at run time`;
  if (/^(vim?|nvim|ex|view|gvim|rvim)$/.test(name)) {
    const runs = given(EDITOR_OPTION).some((it) => !EDITOR_PLAIN.test(it) && STARTS.test(it));
    return runs ? `${name} receives a command that starts programs` : null;
  }
  if (/^(gdb|lldb)$/.test(name)) {
    const runs = given(/^(-ex|-iex|-eval-command|--eval-command.*|-o|-O|--one-line.*)$/).some((it) =>
      /^\s*(python|py|pi|script|shell|platform shell|!|source|pipe|\|)/.test(it),
    );
    return runs ? `${name} receives a command that starts programs` : null;
  }
  if (/^emacs(client)?$/.test(name)) {
    const runs = given(/^(--?eval|--execute|-e|-f|--funcall)(=|$)/).some((it) => EMACS_STARTS.test(it));
    return runs ? `${name} receives a command that starts programs` : null;
  }
  const spawns =
    /^(expect|tclsh|wish)$/.test(name) &&
    [...given(/^-c$/), ...(stdin.kind === 'text' ? [stdin.text] : [])].some((it) =>
      /\b(spawn|exec|system|open|eval|subst)\b[^]*[[$|]/.test(it),
    );
  return spawns ? `${name} starts programs whose names are not literal` : null;
}

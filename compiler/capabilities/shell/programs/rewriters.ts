import { isKnown, STAR, type Field } from '../words/field.ts';
import { PLAIN } from './plain-programs.ts';

/** Options that make a program write the files that it reads, in most programs that have them. */
const IN_PLACE = /^--(write|fix|in-?place|apply|auto-?correct(-all)?)(=(?!false).*)?$/;

/** Options and verbs of single programs, by which these write the files that they are given. */
const TOLD: readonly (readonly [program: RegExp, told: RegExp])[] = [
  [/^(prettier|gofmt|goimports|gofumpt|gci|shfmt|buf|codespell)$/, /^(-[a-z]*w|--write(-changes)?)$/],
  [/^yq$/, /^(-[a-zA-Z]*i[a-zA-Z]*|--in-?place)$/],
  [/^(rubocop|standardrb)$/, /^(-[aAx]|--(safe-)?auto-?correct(-all)?|--fix.*)$/],
  [/^(ktlint)$/, /^(-F|--format)$/],
  [/^(sg|ast-grep)$/, /^(-U|--update-all)$/],
  [/^(tidy)$/, /^(-m|-modify)$/],
  [/^(xmlstarlet|xml)$/, /^(-L|--inplace)$/],
  [/^msgmerge$/, /^(-U|--update)$/],
  [/^(ruff|cargo|dart|deno|mix|zig|terraform|tofu|taplo|dprint|composer|uv|hatch)$/, /^(fmt|format)$/],
  [/^(php-cs-fixer|sqlfluff|dart|cargo)$/, /^fix$/],
  [/^ruby[0-9.]*$/, /^-[a-z]*i/],
];
/** Programs that do nothing else, unless they are told to look only. */
const ALWAYS =
  /^(black|isort|rustfmt|stylua|nixfmt|alejandra|pyupgrade|mdformat|phpcbf|swiftformat|scalafmt|jscodeshift|mogrify|optipng|jpegoptim|svgo|ed|ex|sd|rename|prename)$/;
const LOOKS =
  /^(-{1,2}check(-only)?(=.*)?|--diff|--dry-?run|-dry(-run)?|-n|-?-write=false|--verify|--lint|--version|--help|-h|--emit(=stdout)?|--stdout|--preview-only|-)$/;
/** Of isort and its like, short for the same. */
const LOOKS_SHORT = /^-[cd]$/;

/** Options whose value is no file that is written: the next word is not taken for one. */
const VALUES =
  /^(-c|-e|-f|-g|-l|-o|-p|-r|-t|-x|-Z|--(config|config-file|config-path|conf|ignore-path|ignore|ignore-pattern|rule|rules|rulesdir|plugin|parser|ext|extensions?|settings|settings-path|style|profile|exclude|include|select|extend-select|target-version|line-length|format|formatter|output|output-file|cache-location|cache-file|edition|log-level|loglevel|stdin-filepath|stdin-filename|manifest-path|toolchain|package|reporter|rcfile|expression|lang|language|resolve-plugins-relative-to|skip|only|transform))$/;
/** `-i` means something else to these: an input, an interface, a key, to be asked, to ignore case. */
const OTHER_I =
  /^(ssh|scp|sftp|ssh-copy-id|ssh-keygen|sshfs|ffmpeg|ffprobe|docker|podman|nerdctl|kubectl|oc|lxc|psql|mysql|http|https|ansible.*|iptables.*|tcpdump|tshark|tmux|screen|gpg2?|uv|pipenv|pdm|poetry|conda|mamba|openssl|objdump|readelf|nm|bat|delta|fzf|watchexec|entr|hyperfine|mail|nc|ab|siege|siege|pandoc|iconv|protoc|node.*|python.*|pypy.*|ruby.*|perl.*|php.*|bash|sh|zsh|dash|ksh|fish|su|sudo|bc|gdb|lldb|cut|rsync|xargs|parallel|unzip|zip|rename|hexyl|wrk|mongosh?|redis-cli|sqlplus|duckdb|helm|npm|npx|pnpm|yarn|bun|deno|make|cmake|ninja|bazel|gradle|mvn|sbt|stack|cabal|tree|ls|last|who|lsof|whois|dig|nslookup|host|ping|nmap|ethtool|ip|ifconfig|route|ss|netstat|stress.*|ionice|nice|taskset|stdbuf|timeout|read|select|test|fc|history|set|declare|typeset|local|export|alias|emacs|vim?|nvim|nano|less|more|most|tail|head|man|info|logger|journalctl|dmesg|iostat|vmstat|sar|top|htop|btop|ps|pgrep|pkill|kill|killall|at|crontab|useradd|usermod|gawk|awk|mawk|nawk|sed|jq|terraform|tofu)$/;
const DASH_I = /^-i(\.\w+)?$/;

/**
 * The files that a formatter, or another program that is told to, would write where they are: a guess, as its options
 * and verbs are among them.
 */
export function rewritten(name: string, args: readonly Field[]): Field[] {
  if (args.length === 0 || !isTold(name, args)) return [];
  const files = args.flatMap((it, at) => {
    const before = args[at - 1] ?? '';
    if (before === '--manifest-path') return [`${it}/..`];
    return it.startsWith('-') || VALUES.test(before) ? [] : [it];
  });
  return files.filter((it) => isKnown(it.replaceAll(STAR, ''))).map(asGlob);
}

/** The knowledge of a program, by its name. */
interface Habits {
  readonly told: readonly RegExp[];
  readonly isUnknown: boolean;
  readonly isAlways: boolean;
}

/** A long command names few programs, and each often. */
const known = new Map<string, Habits>();

function habitsOf(name: string): Habits {
  const found = known.get(name) ?? {
    told: TOLD.filter(([program]) => program.test(name)).map(([, word]) => word),
    isUnknown: !PLAIN.has(name) && !OTHER_I.test(name),
    isAlways: ALWAYS.test(name),
  };
  known.set(name, found);
  return found;
}

function isTold(name: string, args: readonly Field[]): boolean {
  const { told, isUnknown, isAlways } = habitsOf(name);
  const isOption = (it: Field) =>
    IN_PLACE.test(it) || (isUnknown && DASH_I.test(it)) || (it.startsWith('-') && told.some((word) => word.test(it)));
  if (args.some(isOption)) return true;
  const isVerb = args.some((it) => !it.startsWith('-') && told.some((word) => word.test(it)));
  if (!isVerb && !isAlways) return false;
  return !args.some((it) => LOOKS.test(it) || (name === 'isort' && LOOKS_SHORT.test(it)));
}

/** Formatters expand stars themselves. A leading star means the whole folder, which is left to the check. */
function asGlob(file: Field): Field {
  if (!/[*?{]/.test(file)) return file;
  const way = file.replaceAll(/\*\*\/|\{[^}]*\}|[*?]+/g, (it) => (it === '**/' ? '' : STAR));
  return /^(\.\/)?\*\*/.test(file) ? '.' : way;
}

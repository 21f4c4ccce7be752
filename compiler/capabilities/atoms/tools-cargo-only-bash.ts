import type { Invocation } from '../shell/command.ts';
import { SHELLS } from '../shell/started-programs.ts';
import {
  ALLOW,
  deny,
  NOT_APPLICABLE,
  unreadable,
  type ToolCall,
  type DecideAtom,
  type AtomVerdict,
} from './gate-module.ts';
import { matchesPattern } from './pattern-match.ts';
import { isScratch } from './scratch-files.ts';

/** Words of the shell that run no program. */
const SILENT = new Set(
  ': true false cd pwd echo printf test [ [[ exit return set unset shift wait read local declare export readonly'.split(
    ' ',
  ),
);
/** Variables that change what a program prints, not which programs run. */
const SETTINGS =
  /^(RUST_(BACKTRACE|LOG|TEST_THREADS)|CARGO_TERM_\w+|CARGO_INCREMENTAL|NODE_ENV|CI|DEBUG|FORCE_COLOR|NO_COLOR|CLICOLOR(_FORCE)?|TERM|COLUMNS|LANG|LC_\w+|TZ)$/;

/** Variables that the environment has or may have: programs see a new value without an `export`. */
const INHERITED =
  /^(PATH|HOME|SHELL|ENV|BASH_ENV|(LD|DYLD|CARGO|RUSTC?|NODE|NPM|npm|JAVA|GIT)_\w+|(RUST|RUSTDOC|GO)FLAGS|PYTHON\w+)$/;

/** Arguments with which cargo starts another compiler, linker or cargo, or installs programs. */
const STARTS_OTHERS = /^(--config(=.*)?|-Z.*|\+.+|install)$/;
const REDIRECTION = /^[&<]?>/;

const CARGO = ['^cargo( |$)'];

/** `tools::cargo-only-bash`: every program of a command matches one of the atom's patterns. */
export const cargoOnlyBash: DecideAtom = (call, { patterns }) => {
  const { command } = call;
  if (command === null) return NOT_APPLICABLE;
  const other = command.invocations.find(
    (it) => it.name === 'cargo' && it.words.some((word) => STARTS_OTHERS.test(word)),
  );
  if (other !== undefined)
    return deny(
      `${other.words.join(' ')} could start other programs`,
      'run cargo without --config, -Z, +toolchain and install',
    );
  return onlyListed(call, patterns.length > 0 ? patterns : CARGO);
};

/** Denies a command with any program that no pattern allows, or that writes a file by a redirection. */
export function onlyListed(call: ToolCall, patterns: readonly string[]): AtomVerdict {
  const { command } = call;
  if (command === null) return NOT_APPLICABLE;
  if (command.faults.length > 0) return unreadable(command);
  const instead = `run only commands that match ${patterns.slice(0, 6).join(' or ')}`;
  const stray = command.invocations.find((it) => !isListed(it, patterns));
  if (stray !== undefined) return deny(`${stray.words[0] ?? ''} is not in the list of allowed commands`, instead);
  const given = command.invocations.flatMap((it) => [...it.settings.map(({ name }) => name), ...exportedBy(it)]);
  const name =
    given.find((it) => !SETTINGS.test(it)) ?? command.names.find((it) => INHERITED.test(it) && !SETTINGS.test(it));
  if (name !== undefined) return deny(`the variable ${name} could change which programs run`, instead);
  const written = call.targets.find((it) => REDIRECTION.test(it.by) && !isScratch(it, call.place.worktree));
  return written === undefined ? ALLOW : deny(`a redirection writes ${written.named}`, instead);
}

function isListed({ name, words, isWrapper }: Invocation, patterns: readonly string[]): boolean {
  // as written: a program by its path is another one than the pattern means
  const text = words.join(' ');
  return (
    (isWrapper && !SHELLS.has(name)) ||
    (SILENT.has(name) && words[0] === name) ||
    patterns.some((it) => matchesPattern(text, it))
  );
}

const DECLARING = ['export', 'declare', 'typeset', 'local', 'readonly'];

/** Names that a word of the shell hands to every later program; a whole option where it hands over all names. */
function exportedBy({ name, words: [, ...words] }: Invocation): string[] {
  if (name === 'set') return words.filter((it) => /^-\w*a|^allexport$/.test(it));
  if (!DECLARING.includes(name)) return [];
  const isExport = name === 'export' || words.some((it) => /^-\w*x/.test(it));
  return isExport ? words.filter((it) => !it.startsWith('-')).map((it) => it.replace(/\+?=[^]*$/, '')) : [];
}

import type { CommandReading } from '../shell/read-command.ts';
import type { Invocation, Setting } from '../shell/reading.ts';
import { SHELLS } from '../shell/shells.ts';
import { ALLOW, deny, NOT_APPLICABLE, unreadable, type DecideAtom, type Outcome } from './gate-module.ts';
import { matchesPattern } from './pattern-match.ts';

/** Words of the shell that run no program. */
const SILENT = new Set(
  ': true false cd pwd echo printf test [ [[ exit return set unset shift wait read local declare export readonly'.split(
    ' ',
  ),
);
/** Variables that change what a program prints, not which programs run. */
const SETTINGS =
  /^(RUST_(BACKTRACE|LOG|TEST_THREADS)|CARGO_TERM_\w+|CARGO_INCREMENTAL|NODE_ENV|CI|DEBUG|FORCE_COLOR|NO_COLOR|CLICOLOR(_FORCE)?|TERM|COLUMNS|LANG|LC_\w+|TZ)$/;

const CARGO = ['^cargo( |$)'];

/** `tools::cargo-only-bash`: every program of a command matches one of the atom's patterns. */
export const cargoOnlyBash: DecideAtom = ({ command }, { patterns }) => {
  if (command === null) return NOT_APPLICABLE;
  return onlyListed(command, patterns.length > 0 ? patterns : CARGO);
};

/** Denies a command with any program that no pattern allows. */
export function onlyListed(command: CommandReading, patterns: readonly string[]): Outcome {
  if (command.faults.length > 0) return unreadable(command);
  const instead = `run only what matches ${patterns.slice(0, 6).join(' or ')}`;
  const stray = command.invocations.find((it) => !isListed(it, patterns));
  if (stray !== undefined) return deny(`${stray.words[0] ?? ''} is not in the list of commands`, instead);
  const setting = command.invocations.flatMap((it) => it.settings).find((it) => !isHarmless(it));
  if (setting !== undefined) return deny(`${setting.name} could change which programs run`, instead);
  const [code] = command.inline;
  return code === undefined ? ALLOW : deny(`${code.program} is given code`, instead);
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

function isHarmless({ name }: Setting): boolean {
  return SETTINGS.test(name);
}

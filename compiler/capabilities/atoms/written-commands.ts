import { interpreterOf } from '../shell/interpreters.ts';
import { PLAIN } from '../shell/programs/plain-programs.ts';
import type { CommandReading } from '../shell/read-command.ts';
import type { Invocation } from '../shell/reading.ts';
import { namesGitCommand } from './git-programs.ts';

/** Whether a text with a command of git is printed into a file of the shell that a program of unknown purpose reads. */
export function feedsProgram(all: readonly Invocation[]): boolean {
  const prints = all.some(({ name, words }) => /^(echo|printf)$/.test(name) && words.some(namesGitCommand));
  const isGoRun = ({ name, words }: Invocation) => (name === 'go' && words[1] === 'run') || BUILDERS.test(name);
  return (
    prints &&
    all.some((it) => (!PLAIN.has(it.name) || isGoRun(it)) && it.words.some((word) => word.includes('/dev/fd/')))
  );
}

/** Programs whose rules start others. */
const BUILDERS = /^(gradlew?|mvnw?|ant|rake|g?make|ninja|just|task)$/;

/** Whether a program runs, or loads, a file with a command of git that this very command writes. */
export function startsWritten({ name, words, settings }: Invocation, written: readonly string[]): boolean {
  if (written.length === 0) return false;
  const loads = readsCommands(name) || BUILDERS.test(name) || /^(tmux|screen)$/.test(name);
  const isOption = (it: string, at: number) => it.startsWith('-') || (words[at] ?? '').startsWith('-');
  const given = [
    ...words.slice(1).filter((it, at) => loads || (interpreterOf(name) !== null && isOption(it, at))),
    ...settings.map((it) => it.value),
  ];
  const isGiven = (path: string) => (it: string) =>
    it.includes(path) || (it !== '' && !it.includes('/') && path.endsWith(`/${it}`));
  return written.some((path) => given.some(isGiven(path)));
}

/** The files with a command of git that a command writes, by path. */
export function gitFilesOf(written: CommandReading['written']): string[] {
  return [...written].flatMap(([path, texts]) => (texts.some(namesGitCommand) ? [path] : []));
}

/** Programs that run lines of their input. */
export function readsCommands(name: string): boolean {
  return /^(ed|ex|vi|vim|nvim|at|batch|crontab|tclsh|expect|gdb|bc|dc|ftp|telnet|jshell|terraform|sqlite3|psql|mysql|entr|m4|gnuplot|octave|ghci|guile|sbcl|irb|pry|psysh|lftp|lldb|ssh)$/.test(
    name,
  );
}

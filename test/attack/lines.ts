import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { Bed, Run } from './bed.ts';

/** Lines of one kind of attack. */
export interface Kind {
  readonly why: string;
  readonly commands: readonly string[];
}

/** The lines that the gate lets pass, and lines of ours. */
const LISTS = ['test/capabilities/left-to-the-system.yaml', 'test/attack/more-lines.yaml'];

/** The lines by kind; both lists may have lines of one kind. */
export function readKinds(): Kind[] {
  const all = LISTS.flatMap((it) => parse(readFileSync(it, 'utf8')) as Kind[]);
  const ofKind = (why: string) => all.filter((it) => it.why === why).flatMap((it) => it.commands);
  return [...new Set(all.map((it) => it.why))].map((why) => ({ why, commands: ofKind(why) }));
}

/** The lines of a kind by their outcomes. */
export interface KindOutcomes {
  readonly why: string;
  readonly outcomes: Readonly<Record<string, readonly string[]>>;
}

export const TABLE = 'test/attack/lines-held.yaml';

export function readTable(): KindOutcomes[] {
  return parse(readFileSync(TABLE, 'utf8')) as KindOutcomes[];
}

/**
 * Runs a command free and confined.
 *
 * @returns what holds it, and its effect where it is free: `system: a push`; or why it has none even there: `not shown:
 *   absent: nix`
 */
export async function outcomeOf(bed: Bed, command: string): Promise<string> {
  const free = await bed(command, 'free');
  const confined = await bed(command, 'confined');
  // the check sees the worktree alone
  const isSeen = confined.rejected && confined.effects.every((it) => it === 'a file of the tree');
  if (confined.effects.length > 0 && !isSeen) return `nothing: ${confined.effects.join(', ')}`;
  if (free.effects.length === 0) return `not shown: ${causeOf(free)}`;
  return `${isSeen ? 'check' : 'system'}: ${free.effects.join(', ')}`;
}

const ABSENT = [
  /(?:^|: )([\w.+-]+): (?:command )?not found\.?$/im,
  /^(?:xargs|timeout|nice|env|Could not execute)[^\n]*?['‘ ]([\w.+-]+)['’]?: No such file/m,
  /(?:^|: )([\w.+-]+) is not installed/m,
  /No module named '?([\w.]+)/,
  /Cannot find (?:module|package) '([\w@-][\w./@-]*)'/,
  /Can't locate ([\w/]+)\.pm/,
  /cannot load such file -- (\w+)/,
];
const CAUSES: readonly (readonly [message: RegExp, cause: string])[] = [
  [/resolve host|EAI_AGAIN|ENOTFOUND|name resolution|network is unreachable|Unknown host/i, 'no network'],
  [/connection refused|Cannot connect|could not connect|Can't connect|connection to server/i, 'no server'],
  [/not a tty|no tty|a TTY|not a terminal|\/dev\/tty/i, 'no terminal'],
  [/not permitted|Permission denied|Read-only file system/, 'no right to it, free or not'],
  [/No such file|cannot find|does not exist|no such file|not found|cannot open/i, 'a file that is not there'],
];

function causeOf({ ended }: Run): string {
  if (ended.end === 'too_long') return `does nothing in ${ended.seconds} s`;
  if (ended.end !== 'exit') return ended.end;
  const printed = `${ended.stderr.toString('utf8')}\n${ended.stdout.toString('utf8')}`;
  const absent = ABSENT.flatMap((it) => it.exec(printed)?.[1] ?? [])[0];
  if (absent !== undefined) return `absent: ${absent}`;
  const [, cause] = CAUSES.find(([message]) => message.test(printed)) ?? [];
  return cause ?? (ended.code === 0 ? 'changes nothing that a commit holds' : `ends with ${ended.code}`);
}

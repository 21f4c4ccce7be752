import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { readCommand } from '../../compiler/capabilities/shell/read-command.ts';
import type { Stdin } from '../../compiler/capabilities/shell/words/field.ts';

const WHERE = { cwd: '/w', home: '/h' };

/** A command, and what the reader finds in it. */
export interface ReadCommand {
  readonly command: string;
  readonly reads: readonly string[];
}

export function readReadings(file: string): readonly ReadCommand[] {
  return parse(readFileSync(file, 'utf8')) as ReadCommand[];
}

/**
 * All that the reader finds, a line each: programs in the order in which they end (`via` one that only runs another,
 * `<` its input), files, links, code, folders. An unknown text is `…`, in one word `“…”`, without a slash `‥`; a glob
 * is `✱`.
 */
export function linesOf(command: string): string[] {
  const { invocations, writes, links, inline, cwds, faults } = readCommand(command, WHERE);
  const inFolders = (all: readonly string[]) => (all.join() === WHERE.cwd ? '' : ` in ${all.join(', ')}`);
  const lines = [
    ...invocations.map(({ words, settings, stdin, isWrapper }) => {
      const set = settings.map((it) => `${it.name}=${it.value} `).join('');
      return `${isWrapper ? 'via ' : ''}${set}${words.map(shown).join(' ')}${inputOf(stdin)}`;
    }),
    ...writes
      .filter((it) => it.isGuess === undefined)
      .map((it) => {
        const what = `${it.removes ? 'removes' : 'writes'} ${it.target}${it.recursive ? ' and below' : ''}`;
        return `${what} by ${it.by}${inFolders(it.cwds)}`;
      }),
    ...links.map((it) => `links ${it.link} to ${it.leadsTo}${inFolders(it.cwds)}`),
    ...inline.map(
      (it) => `code of ${it.program}: ${[it.code, ...it.args].map((text) => JSON.stringify(text)).join(' ')}`,
    ),
    ...(inFolders(cwds) === '' ? [] : [`may be${inFolders(cwds)}`]),
    ...(faults.length > 0 ? ['cannot be analysed'] : []),
  ];
  return lines.map(named);
}

function shown(word: string): string {
  return /\s|^$/.test(word) ? JSON.stringify(word) : word;
}

function inputOf(stdin: Stdin): string {
  if (stdin.kind === 'text') return ` <<< ${JSON.stringify(stdin.text)}`;
  return stdin.kind === 'unknown' ? ' < ?' : stdin.kind === 'file' ? ' < file' : '';
}

function named(line: string): string {
  const names = { '\uE000': '…', '\uE001': '‥', '\uE002': '✱', '\uE003': '“…”' };
  return Object.entries(names).reduce((text, [char, name]) => text.replaceAll(char, name), line);
}

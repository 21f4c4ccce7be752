import { splitOptions } from './options.ts';
import { output } from './output.ts';
import type { Context, Reading } from './reading.ts';
import { HOLE, type Field } from './words/field.ts';

/** Notes the files that a program would write or remove, as far as its arguments name them. */
export function noteWrites(words: readonly Field[], name: string, context: Context, reading: Reading): void {
  const args = words.slice(1);
  const add = (targets: readonly Field[], removes = false, recursive = false) => {
    for (const target of targets) reading.write({ target, by: name, removes, recursive });
  };
  const addWithInput = (targets: readonly Field[]) => {
    add(targets);
    if (context.stdin.kind === 'text') keepInput(targets, context, reading);
  };
  // perl's own options end at its script, and all behind it are files
  const { options, rest } = splitOptions(args, { ...OPTIONS[name], isMixed: name !== 'perl' });
  const has = (...names: string[]) => options.some((it) => names.includes(it.name));
  const valueOf = (...names: string[]) =>
    options.flatMap((it) => (names.includes(it.name) && it.value ? [it.value] : []));
  switch (name) {
    case 'tee':
      add(rest);
      keepInput(rest, context, reading);
      return;
    case 'rm':
    case 'rmdir':
    case 'unlink':
    case 'shred':
      add(rest, true, has('r', 'R') || options.some((it) => /^rec/.test(it.name)));
      return;
    case 'mv':
      add(valueOf('t', 'target-directory').length > 0 ? rest : rest.slice(0, -1), true);
      break;
    default:
  }
  if (COPYING.has(name)) {
    const targets = copied(rest, valueOf('t', 'target-directory'));
    add(targets);
    if (name === 'ln') add(linked(rest, targets, has('s', 'symbolic'), reading));
    keepCopies(rest, targets, context, reading);
  } else if (name === 'touch' || name === 'truncate') add(rest);
  else if (name === 'dd') addWithInput(args.flatMap((it) => (it.startsWith('of=') ? [it.slice(3)] : [])));
  else if (name !== 'sed' && name !== 'perl') addWithInput(outputsOf(name, { rest, has, valueOf }));
  else if (isInPlace(args))
    add(rest.slice(has('e', 'f', 'expression', 'file') || (name === 'perl' && has('E')) ? 0 : 1));
}

const COPYING = new Set(['cp', 'mv', 'ln', 'install', 'rsync']);

function keepInput(files: readonly Field[], { stdin }: Context, reading: Reading): void {
  for (const it of files) output(it, stdin.kind === 'text' ? stdin.text : HOLE, reading);
}

/** The files that may be written by the names that links give them; a symbolic link is kept, and written through. */
function linked(rest: readonly Field[], targets: readonly Field[], isSymbolic: boolean, reading: Reading): Field[] {
  if (!isSymbolic) return rest.slice(0, -1);
  for (const [at, it] of targets.entries()) reading.link(it, rest[at] ?? it);
  return [];
}

/** A copy, a link and a file by another name hold what the command has written to the first. */
function keepCopies(rest: readonly Field[], targets: readonly Field[], { stdin }: Context, reading: Reading): void {
  for (const [at, source] of rest.entries()) {
    const isInput = source === '/dev/stdin' && stdin.kind === 'text';
    const texts = isInput ? [stdin.text] : reading.scope.writtenTo(source);
    const target = targets[at] ?? targets[0];
    if (target !== undefined && target !== source) for (const text of texts) output(target, text, reading);
  }
}

/** Which option of a program names the file that it writes. */
const OUTPUTS: Readonly<Record<string, readonly string[]>> = {
  sort: ['o', 'output'],
  curl: ['o', 'output'],
  wget: ['O', 'output-document', 'o'],
  patch: ['o', 'output'],
};

function outputsOf(name: string, given: Given): Field[] {
  return [...given.valueOf(...(OUTPUTS[name] ?? [])), ...downloaded(name, given)];
}

/** The options of a command, as `noteWrites` asks for them. */
interface Given {
  readonly rest: readonly Field[];
  readonly has: (...names: string[]) => boolean;
  readonly valueOf: (...names: string[]) => readonly Field[];
}

/** What a download writes without a name of its own: files as its addresses end, or a folder with names of the server's. */
function downloaded(name: string, given: Given): Field[] {
  if (name === 'curl') return downloadedByCurl(given);
  return name === 'wget' ? downloadedByWget(given) : [];
}

function downloadedByCurl({ rest, has, valueOf }: Given): Field[] {
  if (!has('O', 'remote-name', 'remote-name-all')) return [];
  const folder = valueOf('output-dir').at(-1) ?? '.';
  return has('J', 'remote-header-name') ? [folder] : rest.map((it) => `${folder}/${nameIn(it)}`);
}

/** Options of wget that make other files than those of its addresses. */
const OTHERWISE = [
  'r',
  'recursive',
  'm',
  'mirror',
  'p',
  'page-requisites',
  'i',
  'input-file',
  'x',
  'force-directories',
];
const BY_SERVER = ['content-disposition', 'trust-server-names'];

function downloadedByWget({ rest, has, valueOf }: Given): Field[] {
  if (has('spider') || valueOf('O', 'output-document').length > 0) return [];
  const folder = valueOf('P', 'directory-prefix').at(-1) ?? '.';
  return has(...OTHERWISE, ...BY_SERVER) ? [folder] : rest.map((it) => `${folder}/${nameIn(it)}`);
}

/** What comes last in the path of an address. */
function nameIn(address: Field): Field {
  const path = address.replace(/^[a-z]+:\/\//i, '').replace(/[?#].*$/s, '');
  const last = path.includes('/') ? (path.split('/').at(-1) ?? '') : '';
  return last === '' ? 'index.html' : last;
}

const OPTIONS: Readonly<Record<string, { values?: string; long?: string[] }>> = {
  cp: { values: 't', long: ['target-directory'] },
  mv: { values: 't', long: ['target-directory'] },
  ln: { values: 't', long: ['target-directory'] },
  install: { values: 'tmog', long: ['target-directory', 'mode', 'owner', 'group'] },
  rsync: { values: 'efT', long: ['rsh', 'exclude', 'include', 'filter'] },
  touch: { values: 'drt', long: ['date', 'reference'] },
  truncate: { values: 'sr', long: ['size', 'reference'] },
  shred: { values: 'ns' },
  sed: { values: 'ef', long: ['expression', 'file'] },
  perl: { values: 'eE' },
  sort: { values: 'okStT', long: ['output'] },
  curl: { values: 'oXHdFuAeTKbcmrwxyYz', long: ['output', 'output-dir', 'request', 'header', 'data'] },
  wget: { values: 'OoPTtUeaBQli', long: ['output-document', 'directory-prefix', 'input-file'] },
  patch: { values: 'oidpDBFrz', long: ['output'] },
};

function isInPlace(args: readonly Field[]): boolean {
  return args.some((it) => /^-[a-zA-Z]*i/.test(it) || it.startsWith('--i'));
}

/** Where copies go: the last word, and below it by their names if it is a folder. */
function copied(rest: readonly Field[], folders: readonly Field[]): Field[] {
  const [folder] = folders;
  const target = folder ?? rest.at(-1);
  if (target === undefined) return [];
  const sources = folder === undefined ? rest.slice(0, -1) : rest;
  const isFolder = folder !== undefined || target.endsWith('/') || sources.length > 1;
  const inside = sources.map((it) => `${target.replace(/\/$/, '')}/${it.replace(/\/+$/, '').split('/').at(-1) ?? ''}`);
  return isFolder ? inside : [target];
}

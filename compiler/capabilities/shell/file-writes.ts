import { output } from './output.ts';
import { archiveWrites } from './programs/archives.ts';
import { isDatabase } from './programs/databases.ts';
import { downloadOf, type GivenOptions } from './programs/downloads.ts';
import { mountedFolders } from './programs/mounted-folders.ts';
import { operandsWritten, patchedFiles } from './programs/operands.ts';
import { createdProjects, outputOptions } from './programs/outputs.ts';
import { rewritten } from './programs/rewriters.ts';
import type { Context, Reading } from './reading.ts';
import { secondNames } from './second-names.ts';
import { HOLE, isKnown, type Field } from './words/field.ts';
import { splitOptions, type Options } from './words/options.ts';

/** As GNU's programs are called where others have the plain names. */
const GNU = /^g(?=(?:cp|mv|ln|rm|tee|dd|install|touch|truncate|sort|split|csplit|uniq|shuf|mktemp|shred|unlink)$)/;

/** Notes the files that a program would write or remove, as far as its arguments name them. */
export function noteWrites(words: readonly Field[], program: string, context: Context, reading: Reading): void {
  const name = program.replace(GNU, '');
  const args = words.slice(1);
  for (const target of [...rewritten(name, args), ...mountedFolders(name, args)]) {
    reading.write({ target, by: name, removes: false, recursive: false, isGuess: 'rewritten' });
  }
  noteNamed(name, args, context, reading);
}

function noteNamed(name: string, args: readonly Field[], context: Context, reading: Reading): void {
  const add = (targets: readonly Field[], removes = false, recursive = false) => {
    for (const target of targets) reading.write({ target, by: name, removes, recursive });
  };
  const addWithInput = (targets: readonly Field[]) => {
    add(targets);
    keepInput(targets, context, reading);
  };
  // perl's own options end at its script, and all behind it are files; those of `time` at its program
  const known = downloadOf(name)?.options ?? OPTIONS[name];
  const { options, rest } = splitOptions(args, { ...known, isMixed: name !== 'perl' && name !== 'time' });
  const has = (...names: string[]) => options.some((it) => names.includes(it.name));
  const valueOf = (...names: string[]) =>
    options.flatMap((it) => (names.includes(it.name) && it.value ? [it.value] : []));
  switch (name) {
    case 'tee':
      addWithInput(rest);
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
  const given = { rest, has, valueOf };
  if (COPYING.has(name)) {
    noteCopies(name, given, context, reading);
  } else if (/^(cpio|pax)$/.test(name) && has('l', 'link')) {
    reading.fault(`${name} creates hard links to files that it reads`);
  } else if (name === 'touch' || name === 'truncate') add(rest);
  else if (name === 'dd') addWithInput(args.flatMap((it) => (it.startsWith('of=') ? [it.slice(3)] : [])));
  else if (name !== 'sed' && name !== 'perl') noteOutputs(name, args, given, addWithInput, context, reading);
  else if (isInPlace(name, args))
    add(rest.slice(has('e', 'f', 'expression', 'file') || (name === 'perl' && has('E')) ? 0 : 1));
}

const COPYING = new Set(['cp', 'mv', 'ln', 'link', 'install', 'rsync']);

/** Notes the outputs that options name; for an unknown program only as a guess. */
function noteOutputs(
  name: string,
  args: readonly Field[],
  given: GivenOptions,
  add: (targets: readonly Field[]) => void,
  { stdin }: Context,
  reading: Reading,
): void {
  const typed = isDatabase(name) && stdin.kind === 'text' ? [stdin.text] : [];
  add(archiveWrites(name, args) ?? operandsWritten(...ofModule(name, [...args, ...typed])) ?? outputsOf(name, given));
  if (name === 'patch' && stdin.kind === 'text') add(patchedFiles(stdin.text));
  if (Object.hasOwn(OUTPUTS, name) || downloadOf(name) !== null) return;
  for (const target of [...outputOptions(name, args), ...createdProjects(name, args)]) {
    if (isKnown(target)) reading.write({ target, by: name, removes: false, recursive: false, isGuess: 'output' });
  }
}

/** A module of Python writes like a program of its name. */
function ofModule(name: string, args: readonly Field[]): [name: string, args: readonly Field[]] {
  const at = /^(py|python|pypy)[0-9.]*$/.test(name) ? args.indexOf('-m') : -1;
  return at < 0 ? [name, args] : [args[at + 1] ?? '', args.slice(at + 2)];
}

function noteCopies(name: string, given: GivenOptions, context: Context, reading: Reading): void {
  const isDry = name === 'rsync' && given.has('n', 'dry-run');
  const targets = isDry ? [] : copied(given.rest, given.valueOf('t', 'target-directory'));
  const written = [
    ...targets,
    ...given.valueOf('backup-dir', 'log-file', 'partial-dir', 'write-batch', 'only-write-batch'),
  ];
  for (const target of written) {
    const [source] = given.rest;
    // where one file goes may be a folder, in which it keeps its name
    const isOpen = targets.length === 1 && source !== undefined && !given.has('T', 'no-target-directory');
    const entry = isOpen ? { entry: lastName(source) } : {};
    reading.write({ target, by: name, removes: false, recursive: false, ...entry });
  }
  const recursive = name === 'cp' || name === 'rsync';
  if (given.has('remove-source-files') && !isDry) {
    for (const target of given.rest.slice(0, -1)) reading.write({ target, by: name, removes: true, recursive: true });
  }
  for (const target of secondNames({ name, given, targets }, reading)) {
    reading.write({ target, by: 'ln', removes: false, recursive });
  }
  keepCopies(given.rest, targets, context, reading);
}

function keepInput(files: readonly Field[], { stdin }: Context, reading: Reading): void {
  for (const it of files) output(it, stdin.kind === 'text' ? stdin.text : HOLE, reading);
}

/** Keeps the texts of copies, links and renamed files: they hold what the command has written to the first file. */
function keepCopies(rest: readonly Field[], targets: readonly Field[], { stdin }: Context, reading: Reading): void {
  for (const [at, source] of rest.entries()) {
    const isInput = source === '/dev/stdin' && stdin.kind !== 'none';
    const input = stdin.kind === 'text' ? stdin.text : HOLE;
    const texts = isInput ? [input] : reading.scope.writtenTo(source);
    const target = targets[at] ?? targets[0];
    if (target === undefined || target === source) continue;
    for (const text of texts) {
      output(target, text, reading);
      output(`${target}/${lastName(source)}`, text, reading);
    }
  }
}

/** Options that name the file that a program writes. */
const OUTPUTS: Readonly<Record<string, readonly string[]>> = {
  sort: ['o', 'output'],
  time: ['o', 'output'],
};

function outputsOf(name: string, given: GivenOptions): readonly Field[] {
  const download = downloadOf(name);
  return download === null ? given.valueOf(...(OUTPUTS[name] ?? [])) : download.writes(given);
}

/** Long options of rsync that take a value. */
const RSYNC =
  'rsh exclude include filter link-dest backup-dir log-file partial-dir address block-size bwlimit checksum-choice checksum-seed chmod chown compare-dest compress-choice compress-level config contimeout copy-as copy-dest debug early-input exclude-from files-from groupmap iconv include-from info log-file-format max-alloc max-delete max-size min-size modify-window only-write-batch out-format outbuf password-file port protocol read-batch remote-option rsync-path skip-compress sockopts stderr stop-after stop-at suffix temp-dir timeout usermap write-batch';

const OPTIONS: Readonly<Record<string, Options>> = {
  cp: { values: 'tS', long: ['target-directory', 'suffix'], flags: ['link', 'symbolic-link'] },
  mv: { values: 't', long: ['target-directory'] },
  ln: { values: 'tS', long: ['target-directory', 'suffix'], flags: ['symbolic', 'relative'] },
  cpio: { values: 'CEFHIMOR', flags: ['link'] },
  pax: { values: 'bfopstxEGTU' },
  install: { values: 'tmog', long: ['target-directory', 'mode', 'owner', 'group'] },
  rsync: { values: 'efTBM@', long: RSYNC.split(' ') },
  touch: { values: 'drt', long: ['date', 'reference'] },
  truncate: { values: 'sr', long: ['size', 'reference'] },
  shred: { values: 'ns' },
  sed: { values: 'ef', long: ['expression', 'file'] },
  perl: { values: 'eEFImM' },
  sort: { values: 'okStT', long: ['output'] },
  time: { values: 'fo', long: ['output', 'format'] },
};

/** Clusters of letters by which perl changes files in place: behind a letter with a value stands no other. */
const PERL_IN_PLACE = /^-[acdfghlnpsStTuUvwWX0-9]*i/;

function isInPlace(name: string, args: readonly Field[]): boolean {
  const pattern = name === 'perl' ? PERL_IN_PLACE : /^-[a-zA-Z]*i|^--i/;
  return args.some((it) => pattern.test(it));
}

function lastName(path: Field): Field {
  return path.replace(/\/+$/, '').split('/').at(-1) ?? '';
}

/** Targets of copies: the last word, or their names below it if it is a folder. */
function copied(rest: readonly Field[], folders: readonly Field[]): Field[] {
  const [folder] = folders;
  const target = folder ?? rest.at(-1);
  if (target === undefined) return [];
  const sources = folder === undefined ? rest.slice(0, -1) : rest;
  const isFolder = folder !== undefined || target.endsWith('/') || sources.length > 1;
  const inside = sources.map((it) => `${target.replace(/\/$/, '')}/${lastName(it)}`);
  return isFolder ? inside : [target];
}

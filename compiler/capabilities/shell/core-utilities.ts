import type { Write } from './command.ts';
import { INPUT, type Field } from './field.ts';
import { splitOptions, type Option, type Options } from './options.ts';
import { findsIn } from './started-programs.ts';

/** A program whose operands are files that it writes. */
interface Utility extends Options {
  /** Which operands: all, all but the first, or the last, to which the others are copied or moved. */
  readonly writes: 'all' | 'last';
  /** Operands before the files. */
  readonly skip?: number;
  /** Whether the files, or those that it moves, are gone afterwards. */
  readonly removes?: true;
}

const COPY: Options = { values: 'tSZ', long: ['target-directory', 'suffix'], flags: ['link', 'recursive', 'archive'] };
const REMOTE: Options = {
  values: 'eBfMTcFiJloPSX',
  long: 'exclude include exclude-from include-from files-from rsh link-dest compare-dest copy-dest backup-dir suffix chmod log-file filter max-size min-size bwlimit password-file port timeout out-format temp-dir partial-dir rsync-path'.split(
    ' ',
  ),
};

const UTILITIES: Readonly<Record<string, Utility>> = {
  rm: { writes: 'all', removes: true },
  rmdir: { writes: 'all', removes: true },
  unlink: { writes: 'all', removes: true },
  shred: { writes: 'all', removes: true, values: 'ns', long: ['iterations', 'size'] },
  mv: { writes: 'last', removes: true, ...COPY },
  cp: { writes: 'last', ...COPY },
  ln: { writes: 'last', ...COPY },
  link: { writes: 'last' },
  install: { writes: 'last', ...COPY, values: 'tSmog', long: ['target-directory', 'mode', 'owner', 'group'] },
  rsync: { writes: 'last', ...REMOTE },
  scp: { writes: 'last', ...REMOTE },
  touch: { writes: 'all', values: 'dtr', long: ['date', 'reference', 'time'] },
  mkdir: { writes: 'all', values: 'm', long: ['mode'] },
  tee: { writes: 'all' },
  truncate: { writes: 'all', values: 'sr', long: ['size', 'reference'] },
  chmod: { writes: 'all', skip: 1 },
  chown: { writes: 'all', skip: 1 },
  chgrp: { writes: 'all', skip: 1 },
};

/** The files that a core utility would write, move or remove. Other programs are held by the confinement. */
export function writesOf(name: string, args: readonly Field[]): Write[] {
  if (name === 'sed') return writesOfSed(args);
  if (name === 'dd') return args.filter((it) => it.startsWith('of=')).map((it) => write(it.slice('of='.length), name));
  if (name === 'find')
    return args.includes('-delete') ? findsIn(args).found.map((it) => ({ ...write(it, name), removes: true })) : [];
  const utility = Object.hasOwn(UTILITIES, name) ? UTILITIES[name] : undefined;
  if (utility === undefined) return [];
  const { options, rest } = splitOptions(args, { ...utility, isMixed: true });
  const hasMode = options.some((it) => /^[rwxXst]$/.test(it.name));
  // which files a program takes from its input is left to the check
  const operands = rest.slice(hasMode ? 0 : utility.skip).filter((it) => it !== INPUT);
  const isRecursive = options.some((it) => /^([rRa]|recursive|archive)$/.test(it.name));
  if (utility.writes === 'last') return writesOfCopy(name, operands, options, utility.removes === true, isRecursive);
  return operands.map((it) => ({
    ...write(it, name),
    removes: utility.removes === true,
    recursive: isRecursive,
  }));
}

function write(target: Field, by: string): Write {
  return { target, by, removes: false, recursive: false };
}

/** A copy, a move or a link: the last operand is written, or the file in it; a hard link is one of the others too. */
function writesOfCopy(
  by: string,
  operands: readonly Field[],
  options: readonly Option[],
  moves: boolean,
  recursive: boolean,
): Write[] {
  const has = (...names: string[]) => options.some((it) => names.includes(it.name));
  if (has('d', 'directory') && by === 'install') return operands.map((it) => write(it, by));
  if (by === 'rsync' && has('n', 'dry-run')) return [];
  const folder = options.find((it) => it.name === 't' || it.name === 'target-directory')?.value ?? null;
  const isAlone = by === 'ln' && operands.length === 1;
  const target = folder ?? (isAlone ? '.' : operands.at(-1));
  if (target === undefined || (/^(rsync|scp)$/.test(by) && /^[\w.@-]+:/.test(target))) return [];
  const sources = folder === null && !isAlone ? operands.slice(0, -1) : operands;
  const entries = sources.map((it) => ({ ...write(target, by), entry: it.replace(/\/+$/, '').replace(/^.*\//s, '') }));
  const links = (by === 'ln' && !has('s', 'symbolic')) || by === 'link' || (by === 'cp' && has('l', 'link'));
  const others = sources.map((it) => ({
    ...write(it, links ? 'ln' : by),
    removes: moves,
    recursive: recursive || moves,
  }));
  return [...(links || moves ? others : []), ...(entries.length > 0 ? entries : [write(target, by)])];
}

/** The operands of `sed -i` that are files. */
function writesOfSed(args: readonly Field[]): Write[] {
  const { options, rest } = splitOptions(args, {
    values: 'efl',
    long: ['expression', 'file'],
    flags: ['in-place'],
    isMixed: true,
  });
  const has = (...names: string[]) => options.some((it) => names.includes(it.name));
  if (!has('i', 'in-place')) return [];
  // behind `-i` of BSD stands a word for the ending of a copy
  const operands = rest.filter((it) => it !== '' && it !== INPUT);
  return operands.slice(has('e', 'f', 'expression', 'file') ? 0 : 1).map((it) => write(it, 'sed'));
}

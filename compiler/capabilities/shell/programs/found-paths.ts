import { QUOTED_HOLE, STAR, type Field } from '../words/field.ts';
import { splitOptions, type Options } from '../words/options.ts';

/** Options of `find` that stand before its folders; behind `-f` of BSD stands one. */
const BEFORE_FOLDERS = /^-(?:[HLPEXdsxf]+|O\d*)$/;

/** The paths that `find` may find: names below its folders, narrowed by `-name`. */
export function foundBy(all: readonly Field[]): Field[] {
  const first = all.findIndex((it, at) => !isBeforeFolders(it, all[at - 1]));
  const args = first < 0 ? [] : all.slice(first);
  const firstTest = args.findIndex((it) => /^[-(!]/.test(it));
  const folders = args.slice(0, firstTest < 0 ? args.length : firstTest);
  const hasOr = args.some((it) => it === '-o' || it === '-or' || it === '-not' || it === '!');
  const named = args.findIndex((it) => it === '-name' || it === '-iname');
  const name = named < 0 || hasOr ? '' : (args[named + 1] ?? '').replaceAll(/[*?]|\[[^\]]*\]/g, STAR);
  const isFlat = args.some((it, at) => it === '-maxdepth' && args[at + 1] === '1');
  const below = isFlat ? '' : `${QUOTED_HOLE}/`;
  const last = name === '' ? QUOTED_HOLE : below + name;
  return (folders.length === 0 ? ['.'] : folders).map((it) => `${it.replace(/\/$/, '')}/${last}`);
}

function isBeforeFolders(word: Field, before: Field | undefined): boolean {
  return word === '-D' || before === '-D' || BEFORE_FOLDERS.test(word);
}

const GREP: Options = {
  values: 'efmABCdD',
  long: ['regexp', 'file', 'include', 'exclude', 'exclude-dir', 'max-count', 'context', 'color'],
  isMixed: true,
};
const RG: Options = {
  values: 'efgtTmABCjrMEd',
  long: ['regexp', 'file', 'glob', 'iglob', 'type', 'type-not', 'max-count', 'max-depth', 'context', 'sort', 'replace'],
  flags: ['files', 'files-with-matches', 'files-without-match'],
  isMixed: true,
};
const NAMES_FILES = ['l', 'L', 'files', 'files-with-matches', 'files-without-match'];

/**
 * The output of a search that lists files: the paths that it is given, and names below them. Null if it prints lines.
 */
export function listedBy(program: string, args: readonly Field[]): Field[] | null {
  const isGrep = /^[ef]?grep$/.test(program);
  if (!isGrep && program !== 'rg') return null;
  const { options, rest } = splitOptions(args, isGrep ? GREP : RG);
  const has = (...names: string[]) => options.some((it) => names.includes(it.name));
  if (!has(...NAMES_FILES)) return null;
  const isPatternGiven = has('e', 'f', 'regexp', 'file', 'files');
  const given = rest.slice(isPatternGiven ? 0 : 1);
  return (given.length === 0 ? ['.'] : given).flatMap((it) => [it, `${it.replace(/\/$/, '')}/${QUOTED_HOLE}`]);
}

import { HOLE, QUOTED_HOLE, type Field } from '../words/field.ts';
import { splitOptions, type Option, type Options } from '../words/options.ts';

const TAR: Options = {
  values: 'fCbIXTgKNVFLH',
  long: ['file', 'directory', 'one-top-level', 'transform', 'exclude', 'files-from', 'use-compress-program'],
  flags: [
    'extract',
    'get',
    'create',
    'append',
    'update',
    'delete',
    'concatenate',
    'catenate',
    'to-stdout',
    'absolute-names',
  ],
  isMixed: true,
};
const UNZIP: Options = { values: 'dxP', isMixed: true };
const ZIP: Options = {
  values: 'bitnPxO',
  long: ['temp-path', 'exclude', 'include', 'out', 'output-file'],
  isMixed: true,
};
const PACKED: Options = {
  values: 'SDT',
  long: ['suffix', 'threads'],
  flags: ['stdout', 'keep', 'list', 'test'],
  isMixed: true,
};

/** Programs that pack one file each, also those that use several processors. */
const PACKERS =
  /^(gzip|gunzip|pigz|unpigz|xz|unxz|pixz|bzip2|bunzip2|[pl]bzip2|zstd|unzstd|pzstd|zstdmt|lzma|unlzma|lz4|unlz4|brotli|unbrotli)$/;
/** The end of a name that they take away when they unpack. */
const PACKED_END = /\.(gz|z|xz|bz2|zst|lzma|lz4|br)$/i;

/** The files that a program for archives would write: the archive, or names below a folder. Null for other programs. */
export function archiveWrites(name: string, args: readonly Field[]): Field[] | null {
  if (/^(g|bsd)?tar$/.test(name)) return writesOfTar(args);
  if (name === 'unzip') return writesOfUnzip(args);
  if (name === 'zip') return writesOfZip(args);
  if (/^(7z|7za|7zr|7zz|p7zip|unrar|rar)$/.test(name)) return writesOf7z(args);
  if (/^(ar|jar)$/.test(name)) return writesOfAr(name, args);
  if (/^(bsd)?cpio$/.test(name)) return writesOfCpio(args);
  return PACKERS.test(name) ? writesOfPacker(args) : null;
}

function writesOfTar(args: readonly Field[]): Field[] {
  const { options } = splitOptions(oldStyle(args), TAR);
  const has = (...names: string[]) => options.some((it) => names.includes(it.name));
  const valueOf = (...names: string[]) => valuesOf(options, names);
  const archives = valueOf('f', 'file').filter((it) => it !== '-');
  if (!has('x', 'extract', 'get')) {
    return has('c', 'create', 'r', 'append', 'u', 'update', 'A', 'delete', 'concatenate', 'catenate') ? archives : [];
  }
  if (has('O', 'to-stdout')) return [];
  if (has('P', 'absolute-names')) return [HOLE];
  // each folder is seen from the one before it, and the names between them are unpacked in the first
  let from = '.';
  const folders = [...valueOf('C', 'directory'), ...valueOf('one-top-level')].map(
    (it) => (from = it.startsWith('/') ? it : `${from}/${it}`),
  );
  return (folders.length > 0 ? folders : ['.']).flatMap(allBelow);
}

/** `tar xfC a b`: the values of letters stand behind all of them, in their order. */
function oldStyle([key = '', ...rest]: readonly Field[]): readonly Field[] {
  if (key.startsWith('-')) return [key, ...rest];
  const words: Field[] = [];
  let at = 0;
  for (const letter of key) {
    const isValue = TAR.values?.includes(letter) === true;
    words.push(`-${letter}`, ...(isValue ? [rest[at++] ?? HOLE] : []));
  }
  return [...words, ...rest.slice(at)];
}

function writesOfUnzip(args: readonly Field[]): Field[] {
  const { options } = splitOptions(args, UNZIP);
  const isRead = options.some((it) => /^[cplltvzZ]$/.test(it.name));
  const folder = valuesOf(options, ['d']).at(-1);
  return isRead ? [] : allBelow(folder ?? '.');
}

function writesOfZip(args: readonly Field[]): Field[] {
  const { options, rest } = splitOptions(args, ZIP);
  const outputs = valuesOf(options, ['O', 'out', 'output-file']);
  return outputs.length > 0 ? outputs : rest.slice(0, 1).filter((it) => it !== '-');
}

/** The verb comes first; `-o` has its folder attached. What unrar is given last, with a slash, is one too. */
function writesOf7z([verb = '', ...args]: readonly Field[]): Field[] {
  const rest = args.filter((it) => !it.startsWith('-'));
  if (!/^[xe]$/.test(verb)) return /^(a|u|d|rn|m|mf)$/.test(verb) ? rest.slice(0, 1) : [];
  const folder = args.find((it) => /^-o./.test(it))?.slice(2) ?? rest.slice(1).find((it) => it.endsWith('/'));
  return args.includes('-so') ? [] : allBelow(folder ?? '.');
}

/** Letters come first, with a dash or without: `ar x a.a`, `jar xf a.jar`. */
function writesOfAr(name: string, [letters = '', ...rest]: readonly Field[]): Field[] {
  if (/^--extract|^-?[a-zA-Z]*x/.test(letters)) return allBelow('.');
  const changes = name === 'ar' ? /^-?[a-zA-Z]*[rqdms]/ : /^--create|^--update|^-?[a-zA-Z]*[cu]/;
  const archive = rest.find((it) => !it.startsWith('-'));
  return changes.test(letters) && archive !== undefined ? [archive] : [];
}

const CPIO: Options = {
  values: 'CDEFHIMOR',
  long: ['directory', 'file', 'format'],
  flags: ['extract', 'pass-through', 'list', 'to-stdout'],
  isMixed: true,
};

function writesOfCpio(args: readonly Field[]): Field[] {
  const { options, rest } = splitOptions(args, CPIO);
  const has = (...names: string[]) => options.some((it) => names.includes(it.name));
  if (has('p', 'pass-through')) return rest.slice(0, 1).flatMap(allBelow);
  if (has('t', 'list', 'to-stdout')) return [];
  if (!has('i', 'extract')) return valuesOf(options, ['O', 'file', 'F']);
  return allBelow(valuesOf(options, ['D', 'directory']).at(-1) ?? '.');
}

function writesOfPacker(args: readonly Field[]): Field[] {
  const { options, rest } = splitOptions(args, PACKED);
  const isRead = options.some((it) => /^([clt]|stdout|list|test)$/.test(it.name));
  if (isRead) return [];
  const files = rest.filter((it) => it !== '-');
  const unpacked = files.filter((it) => PACKED_END.test(it)).map((it) => it.replace(PACKED_END, ''));
  return [...valuesOf(options, ['o', 'output']), ...files, ...unpacked];
}

/** The files of an archive: they lie below a folder, by names that only the archive knows. */
function allBelow(folder: Field): Field[] {
  return [`${folder.replace(/\/$/, '')}/${QUOTED_HOLE}`];
}

function valuesOf(options: readonly Option[], names: readonly string[]): Field[] {
  return options.flatMap((it) => (names.includes(it.name) && it.value !== null ? [it.value] : []));
}

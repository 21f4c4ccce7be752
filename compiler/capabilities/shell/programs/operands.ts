import { STAR, type Field } from '../words/field.ts';
import { splitOptions, type Options } from '../words/options.ts';
import { DATABASES } from './databases.ts';
import type { GivenOptions, Writer } from './downloads.ts';

const second: Writer['writes'] = ({ rest }) => rest.slice(1, 2);
const all: Writer['writes'] = ({ rest }) => rest;
/** Target of copies from another machine; a word with a colon is on that machine. */
const lastHere: Writer['writes'] = ({ rest }) =>
  rest.length > 1 ? rest.slice(-1).filter((it) => !it.includes(':')) : [];
const behind =
  (verb: RegExp): Writer['writes'] =>
  ({ rest, ...given }) => {
    const at = rest.findIndex((it) => verb.test(it));
    return at < 0 ? [] : lastHere({ ...given, rest: rest.slice(at + 1) });
  };

const MIXED: Options = { isMixed: true };
const last: Writer['writes'] = ({ rest }) => rest.slice(-1);
const COPY_VERB = /^(cp|mv|copy|move|sync|copyto|moveto|rsync)$/;

const AWK: Options = { values: 'Ffveil', long: ['include', 'file', 'source', 'assign'], isMixed: false };
const VIM: Options = { values: 'cSTuUiwWr', long: ['cmd'], isMixed: true };

/** Programs that write an operand by its place. */
const WRITERS: Readonly<Record<string, Writer>> = {
  uniq: { options: { values: 'fsw', long: ['skip-fields', 'skip-chars', 'check-chars'] }, writes: second },
  xxd: { options: { values: 'cglnosR' }, writes: second },
  split: {
    options: {
      values: 'abClnt',
      long: ['suffix-length', 'additional-suffix', 'bytes', 'line-bytes', 'lines', 'number', 'separator', 'filter'],
    },
    writes: ({ rest, has }) => (has('filter') ? [] : [(rest[1] ?? 'x') + STAR]),
  },
  csplit: {
    options: { values: 'bfn', long: ['suffix-format', 'prefix', 'digits'] },
    writes: ({ valueOf }) => [(valueOf('f', 'prefix').at(-1) ?? 'xx') + STAR],
  },
  objcopy: { options: { values: 'FIOBjRKNGWpxX' }, writes: ({ rest }) => rest.slice(-1) },
  strip: {
    options: { values: 'FIOKNRo' },
    writes: ({ rest, valueOf }) => (valueOf('o').length > 0 ? valueOf('o') : rest),
  },
  mkfifo: { options: { values: 'mZ', long: ['mode', 'context'] }, writes: all },
  mknod: { options: { values: 'mZ', long: ['mode', 'context'] }, writes: ({ rest }) => rest.slice(0, 1) },
  mktemp: { options: { values: 'p', long: ['suffix'], flags: ['tmpdir'] }, writes: writesOfMktemp },
  sponge: { options: {}, writes: all },
  dos2unix: { options: { values: 'ci' }, writes: all },
  unix2dos: { options: { values: 'ci' }, writes: all },
  script: {
    options: { values: 'cIOBTEmot' },
    writes: ({ rest, has, valueOf }) => {
      const logs = valueOf('I', 'O', 'B', 'T');
      const isNamed = rest.length > 0 || logs.length > 0 || has('V', 'version', 'h', 'help');
      return [...logs, ...(isNamed ? rest.slice(0, 1) : ['typescript'])];
    },
  },
  patch: {
    options: { values: 'oidpDBFrzVY', long: ['output', 'input', 'directory', 'strip', 'fuzz', 'reject-file'] },
    writes: ({ rest, has, valueOf }) =>
      has('dry-run') ? [] : [...rest.slice(0, 1), ...valueOf('d', 'directory', 'o', 'output', 'r', 'reject-file')],
  },
  ...DATABASES,
  scp: { options: { values: 'cDFiJloPSX' }, writes: lastHere },
  rclone: { options: {}, writes: behind(COPY_VERB) },
  gsutil: { options: {}, writes: behind(COPY_VERB) },
  aws: { options: {}, writes: writesOfAws },
  gcloud: { options: {}, writes: behind(COPY_VERB) },
  copier: { options: {}, writes: behind(/^copy$/) },
  lessc: { options: {}, writes: second },
  'sphinx-build': { options: { values: 'bdcDAjtw' }, writes: second },
  sass: {
    options: {},
    writes: ({ rest }) => rest.flatMap((it, at) => (it.includes(':') ? it.replace(/^[^:]*:/, '') : at === 1 ? it : [])),
  },
  'json.tool': { options: { long: ['indent'] }, writes: second },
  asciinema: { options: { values: 'ctie' }, writes: ({ rest }) => (rest[0] === 'rec' ? rest.slice(1, 2) : []) },
  zipfile: {
    options: { values: 'c' },
    writes: ({ rest, has, valueOf }) => (has('e', 'extract') ? rest.slice(-1) : valueOf('c')),
  },
  tarfile: {
    options: { values: 'c' },
    writes: ({ rest, has, valueOf }) => (has('e', 'extract') ? rest.slice(1) : valueOf('c')),
  },
  docker: { options: {}, writes: behind(/^cp$/) },
  podman: { options: {}, writes: behind(/^cp$/) },
  nerdctl: { options: {}, writes: behind(/^cp$/) },
  kubectl: { options: { values: 'nc', long: ['namespace', 'container', 'context'] }, writes: behind(/^cp$/) },
  convert: { options: {}, writes: ({ rest }) => (rest.length > 1 ? rest.slice(-1) : []) },
  magick: { options: {}, writes: ({ rest }) => (rest.length > 1 ? rest.slice(-1) : []) },
  awk: { options: AWK, writes: writesOfAwk },
  gawk: { options: AWK, writes: writesOfAwk },
  ...Object.fromEntries(['vim', 'vi', 'nvim', 'gvim', 'rvim'].map((it) => [it, { options: VIM, writes: writesOfVim }])),
  ffmpeg: { options: { values: 'i' }, writes: ({ rest }) => rest.slice(-1).filter((it) => it !== '-') },
};

/** The files that a program writes by their places among its operands. Null for other programs. */
export function operandsWritten(name: string, args: readonly Field[]): Field[] | null {
  const writer = Object.hasOwn(WRITERS, name) ? WRITERS[name] : undefined;
  if (writer === undefined) return null;
  const { options, rest } = splitOptions(args, { ...MIXED, ...writer.options });
  const has = (...names: string[]) => options.some((it) => names.includes(it.name));
  const valueOf = (...names: string[]) =>
    options.flatMap((it) => (names.includes(it.name) && it.value ? [it.value] : []));
  return writer.writes({ rest, has, valueOf }).filter((it) => it !== undefined && it !== '-') as Field[];
}

/** Some calls save what they get in a file, which is the last operand. */
function writesOfAws(given: GivenOptions): readonly (Field | undefined)[] {
  const isSaved = /^(lambda invoke|s3api get-object)/.test(given.rest.filter((it) => /^[\w-]+$/.test(it)).join(' '));
  return isSaved ? last(given) : behind(COPY_VERB)(given);
}

function writesOfAwk({ rest, has, valueOf }: GivenOptions): readonly Field[] {
  const isInPlace = valueOf('i', 'include', 'l').some((it) => it.startsWith('inplace'));
  return isInPlace ? rest.slice(has('f', 'e', 'file', 'source') ? 0 : 1) : [];
}

/** Commands by which an editor writes, and the file that they may name. */
const SAVES =
  /(?:^|[|:\s%])(?:w(?:rite|q)?|x(?:it)?|up(?:date)?|sav(?:eas)?)a?(?:ll)?!?(?:\s+(?:>>\s*)?([^|\s!]+))?\s*(?:$|\|)/g;

/** An editor that is given its commands. */
function writesOfVim({ rest, has, valueOf }: GivenOptions): readonly Field[] {
  const commands = [...valueOf('c', 'cmd'), ...rest.filter((it) => it.startsWith('+')).map((it) => it.slice(1))];
  const saves = commands.flatMap((it) => [...it.matchAll(SAVES)]);
  if (saves.length === 0 && !has('e', 'E')) return [];
  return [...saves.flatMap(([, file]) => file ?? []), ...rest.filter((it) => !it.startsWith('+'))];
}

function writesOfMktemp({ rest, has, valueOf }: GivenOptions): Field[] {
  const [template] = rest;
  const folder = valueOf('p', 'tmpdir').at(-1);
  if (has('u', 'dry-run') || (template === undefined && folder === undefined)) return [];
  // with -t it lies where temporary files do
  if (folder === undefined) return has('t', 'tmpdir') ? [] : [template ?? ''];
  return [`${folder}/${template ?? 'tmp.XXX'}`];
}

/** The files that a patch names, without the first folder of its own making. */
export function patchedFiles(patch: Field): Field[] {
  const names = [...patch.matchAll(/^(?:\+\+\+|---|\*\*\*) ([^\t\n]+)/gm)].map(([, file = '']) => file.trim());
  return names.filter((it) => it !== '/dev/null' && !/^\d+,\d+ /.test(it)).map((it) => it.replace(/^[abiwco]\//, ''));
}

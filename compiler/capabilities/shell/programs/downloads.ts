import { HOLE, isKnown, QUOTED_HOLE, STAR, type Field } from '../words/field.ts';
import type { Options } from '../words/options.ts';

/** The options of a command, by name. */
export interface GivenOptions {
  readonly rest: readonly Field[];
  readonly has: (...names: string[]) => boolean;
  readonly valueOf: (...names: string[]) => readonly Field[];
}

/** Options of a program, and the operands that it writes. */
export interface Writer {
  readonly options: Options;
  readonly writes: (given: GivenOptions) => readonly (Field | undefined)[];
}

/** Options of a program that downloads, and the files that it writes. */
interface Download {
  readonly options: Options;
  readonly writes: (given: GivenOptions) => Field[];
}

/** Null for every other program. */
export function downloadOf(name: string): Download | null {
  if (name === 'curl') return { options: CURL, writes: writesOfCurl };
  return name === 'wget' ? { options: WGET, writes: writesOfWget } : null;
}

const words = (text: string) => text.split(' ');

/** Options of curl that name a file of their own. */
const CURL_FILES = words('D dump-header c cookie-jar trace trace-ascii stderr etag-save libcurl hsts alt-svc');
const CURL: Options = {
  values: 'AbcCdDeEFHKmoPQrtTuUwxXyYz',
  long: [
    ...CURL_FILES.filter((it) => it.length > 1),
    ...words(
      'output output-dir config write-out url request header data data-raw data-binary json form user user-agent',
    ),
    ...words('cookie referer proxy max-time connect-timeout retry retry-delay continue-at upload-file cacert cert key'),
  ],
  flags: words('head next remote-name remote-name-all remote-header-name'),
};

function writesOfCurl({ rest, has, valueOf }: GivenOptions): Field[] {
  const folders = valueOf('output-dir').map((it) => `${it}/`);
  // behind `--next` the options begin anew
  if (folders.length === 0 || has('next', ':')) folders.push('');
  const named = filesOf(valueOf('o', 'output')).map((it) => it.replaceAll(/#\d+/g, QUOTED_HOLE));
  const isByServer = has('J', 'remote-header-name');
  const addresses = has('O', 'remote-name', 'remote-name-all') ? [...rest, ...valueOf('url')] : [];
  const names = addresses.flatMap((it) => (isByServer ? [STAR] : nameIn(it, ['index.html'])));
  return [
    ...folders.flatMap((folder) => [...named, ...names].map((it) => folder + it)),
    ...filesOf(valueOf(...CURL_FILES)),
    ...valueOf('w', 'write-out').flatMap(outputsInFormat),
    // it may name any file
    ...(valueOf('K', 'config').length > 0 ? [HOLE] : []),
  ];
}

/** `%output{file}` in a format. */
function outputsInFormat(format: Field): Field[] {
  return [...format.matchAll(/%output\{(?:>>)?([^}]*)\}/g)].map(([, file = '']) => file);
}

/** Options of wget that name a file of their own. */
const WGET_FILES = words('o output-file a append-output save-cookies rejected-log hsts-file warc-file');
const WGET: Options = {
  values: 'aABDeiIloOPQRtTUwX',
  long: [
    ...WGET_FILES.filter((it) => it.length > 1),
    ...words('output-document directory-prefix input-file input-metalink execute config default-page tries timeout'),
    ...words('wait user-agent header user password base level accept reject domains post-data method load-cookies'),
  ],
  flags: words(
    'recursive mirror page-requisites force-directories content-disposition trust-server-names spider background',
  ),
};
/** Options by which other files are made than those of the addresses. */
const OTHERWISE = words(
  'r recursive m mirror p page-requisites x force-directories content-disposition trust-server-names',
);
const LISTS = words('i input-file input-metalink');
/** Commands of its configuration that name no file. */
const HARMLESS = /^\s*(robots|\w+_proxy|use_?proxy)\s*=/i;

function writesOfWget(given: GivenOptions): Field[] {
  const { has, valueOf } = given;
  const isConfigured = has('config') || valueOf('e', 'execute').some((it) => !HARMLESS.test(it));
  return [
    ...filesOf(valueOf('O', 'output-document')),
    ...filesOf(valueOf(...WGET_FILES)),
    ...(has('b', 'background') ? ['wget-log'] : []),
    ...byAddressOfWget(given),
    ...(isConfigured ? [HOLE] : []),
  ];
}

function byAddressOfWget({ rest, has, valueOf }: GivenOptions): Field[] {
  if (has('spider') || valueOf('O', 'output-document').length > 0) return [];
  const folder = valueOf('P', 'directory-prefix').at(-1);
  if (has(...OTHERWISE, ...LISTS)) return [folder ?? '.'];
  const pages = ['index.html', ...valueOf('default-page')];
  const names = rest.flatMap((it) => nameIn(it, pages).map(decoded));
  return names.map((it) => (folder === undefined ? it : `${folder}/${it}`));
}

/** Without the standard output. */
function filesOf(names: readonly Field[]): Field[] {
  return names.filter((it) => it !== '-');
}

/** The last part of the path of an address. @param pages its possible names if the path has none */
function nameIn(address: Field, pages: readonly Field[]): readonly Field[] {
  // curl takes braces and brackets for several addresses
  if (!isKnown(address) || /[{[]/.test(address)) return [STAR];
  const path = address.replace(/^[a-z]+:\/\//i, '').replace(/[?#].*$/s, '');
  const last = path.includes('/') ? (path.split('/').at(-1) ?? '') : '';
  return last === '' ? pages : [last];
}

/** wget writes a name as it reads, but for a slash. */
function decoded(name: Field): Field {
  return name.replaceAll(/%(?!2f)([0-7][0-9a-f])/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}

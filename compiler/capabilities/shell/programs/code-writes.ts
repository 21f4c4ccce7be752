import { isKnown, type Field } from '../words/field.ts';
import { plainCode } from './plain-code.ts';

/** Longer code is looked through to here: the rest is left to the check. */
const MAX_CODE = 100_000;
/** Of more calls, names and folders only the first are read: nobody writes as many on a command line. */
const MOST = 200;

/** A text that is written out, or a name. */
const VALUE = String.raw`(?:[rRbBuU]{0,2}(?:"((?:[^"\\\n]|\\.){1,400})"|'((?:[^'\\\n]|\\.){1,400})'|\x60([^\x60\\$]{1,400})\x60)|([A-Za-z_$][\w$]{0,60}))`;
const BEGIN = String.raw`\s*\(?\s*(?:(?:file|path|filename)\s*=\s*)?`;

/** The text before a name that means other things as well. */
const MODULE = String.raw`(?:\b(?:fs\w*|promises|os|posix|shutil|Deno|File|FileUtils|Files)|\brequire\s*\([^)]{0,40}\)(?:\s*\.\s*promises)?)\s*\.\s*`;
const call = (names: string, qualified: string, bare: string) =>
  new RegExp(`(?:(?<![\\w$])(?:${names})|(?<![\\w$.>:])(?:${bare})|${MODULE}(?:${qualified}))(?![\\w$])`, 'g');

/** Functions that write, remove or make the file of their first argument, in whatever language. */
const FIRST = call(
  'writeFile|writeFileSync|appendFile|appendFileSync|createWriteStream|outputFile|outputFileSync|writeJson|writeJsonSync|writeTextFile|writeTextFileSync|rmSync|unlinkSync|rmdirSync|truncateSync|renameSync|rmtree|removedirs|file_put_contents|to_csv|to_json|to_excel|to_parquet|savefig|imsave|savetxt|Bun\\s*\\.\\s*write|IO\\s*\\.\\s*(?:bin)?write|io\\s*\\.\\s*output|write_file|FileHandler|extractall|new\\s+(?:FileWriter|FileOutputStream|PrintWriter)',
  'write|binwrite|delete|unlink|rm\\w{0,3}|rmdir|remove|removeSync|removedirs|truncate|rename|renames|replace|move|moveSync|mv|touch|create',
  'unlink|remove|rename|rm|rm_f|rm_rf|rmdir|touch',
);
/** Those whose second argument is written. */
const SECOND = call(
  'urlretrieve|copyFile|copyFileSync|cpSync|renameSync|linkSync|symlinkSync|copyfile|copytree|writeLines|write\\.csv|saveRDS',
  'cp\\w{0,2}|copy\\w{0,4}|rename|renames|replace|move|moveSync|mv|ln|ln_s|ln_sf|link|symlink|install',
  'copy|copy2|move|rename|symlink|sysopen|cp|cp_r|mv|ln_s',
);
/** Those that open a file, and write it if their mode says so. */
const OPENS = /(?<![\w$])(?:open|openSync|fopen|File\s*\.\s*(?:open|new)|io\s*\.\s*open|codecs\s*\.\s*open)(?![\w$])/g;
const MODE =
  /^\s*,\s*(?:mode\s*=\s*|flags?\s*=\s*)?(?:[rbu]?["'](?:[rbt]{0,2}[wax+][rwabxt+]{0,3})["']|os\.O_\w*|File::|O_(?:WRONLY|RDWR|CREAT))/i;
/** perl writes the mode before the file, or in front of it. */
const PERL =
  /\bopen\s*\(?[^,;()]{0,40},\s*["']\s*(?:\+?>{1,2}|\+<)\s*(?::[\w()-]+\s*)?(?:["']\s*,\s*["']([^"'\n]{1,400})["']|([^"'\n]{1,400})["'])/g;
const PATHS =
  /(?<![\w$])(?:Path|PosixPath|Pathname(?:\s*\.\s*new)?)\s*\(\s*[rb]?["']([^"'\n]{1,400})["']\s*\){1,2}\s*\.\s*(?:write\w*|binwrite|touch|unlink|delete|rename|replace|rmdir|rmtree|symlink_to|hardlink_to|open\s*\(\s*["'][wax])/g;
/** Functions that write the file of the object that they belong to, which may be made or named before. */
const METHODS =
  /(?:[rb]?(?:"([^"\\\n]{1,400})"|'([^'\\\n]{1,400})')\s{0,9}\){1,2}|(?<![\w$.])([A-Za-z_$][\w$]{0,60}))\s{0,9}(?:\.|->)\s{0,9}(?:write_text|write_bytes|symlink_to|hardlink_to|unlink|touch|spew\w*)(?![\w$])/g;
const FOLDER = /(?<![\w$])(?:chdir|Dir\s*\.\s*chdir|setwd)\s*\(?\s*["']([^"'\n]{1,400})["']/g;
const JOINED =
  /(?:(?:\brequire\s*\([^)]{0,40}\)|(?<![\w$])[\w$]{1,30}(?:\s*\.\s*path)?)\s*\.\s*|(?<![\w$.]))(?:join|resolve)\s*\(\s*((?:["'][^"'\n]{0,200}["']\s*,\s*){1,8}["'][^"'\n]{0,200}["'])\s*\)/g;
const NAMED =
  /(?<![\w$.])([A-Za-z_$][\w$]{0,60})\s*(?::\s*\w+\s*)?=\s*(?:(?:pathlib\s*\.\s*)?Path\s*\(\s*)?[rb]?(?:"([^"\\\n]{1,400})"|'([^'\\\n]{1,400})')/g;

/** Files that code on the command line writes by a name that it spells out. Computed names are left to the check. */
export function writtenByCode(program: string, whole: Field): Field[] {
  const code = plainCode(program, whole.slice(0, MAX_CODE)).replaceAll(JOINED, (_all, parts: string) => {
    const names = [...parts.matchAll(/["']([^"'\n]*)["']/g)].map(([, it = '']) => it);
    return JSON.stringify(names.join('/'));
  });
  const names = new Map<string, string[]>();
  for (const [, name = '', one, other] of firstOf(code, NAMED)) {
    names.set(name, [...(names.get(name) ?? []), one ?? other ?? '']);
  }
  const found = [
    ...calledFiles(code, names),
    ...openedFiles(code, names),
    ...literals(code, PATHS),
    ...methodFiles(code, names),
  ];
  if (/^perl/.test(program)) found.push(...literals(code, PERL), ...perlFiles(code));
  const folders = ['', ...literals(code, FOLDER).map((it) => `${it}/`)];
  const files = [...new Set(found)].filter((it) => it !== '' && !/^(?:https?|data):|\n/.test(it) && isKnown(it));
  return files.flatMap((it) => (it.startsWith('/') ? [it] : folders.map((folder) => folder + it)));
}

type Names = ReadonlyMap<string, readonly string[]>;

function calledFiles(code: string, names: Names): string[] {
  const first = firstOf(code, FIRST).flatMap(({ 0: it, index }) => argument(code, index + it.length, 0, names));
  const second = firstOf(code, SECOND).flatMap(({ 0: it, index }) => argument(code, index + it.length, 1, names));
  return [...first, ...second];
}

function openedFiles(code: string, names: Names): string[] {
  return firstOf(code, OPENS).flatMap(({ 0: it, index }) => {
    const read = readValue(code, index + it.length, BEGIN, names);
    return read !== null && MODE.test(code.slice(read.end, read.end + 80)) ? read.texts : [];
  });
}

function methodFiles(code: string, names: Names): string[] {
  return firstOf(code, METHODS).flatMap(([, double, single, name = '']) => double ?? single ?? names.get(name) ?? []);
}

/** perl: `unlink 'a', 'b'`. */
function perlFiles(code: string): string[] {
  return literals(code, /\b(?:unlink|rename|truncate)\b\s*\(?\s*["']([^"'\n]{1,400})["']/g);
}

/** The texts that an argument may be; none if it is computed. */
function argument(code: string, from: number, nth: 0 | 1, names: Names): readonly string[] {
  if (nth === 0) return readValue(code, from, BEGIN, names)?.texts ?? [];
  // the first one may be computed: it ends at the next comma
  const comma = code.slice(from, from + 400).indexOf(',');
  return comma < 0 ? [] : (readValue(code, from + comma, String.raw`,\s*`, names)?.texts ?? []);
}

function readValue(code: string, from: number, begin: string, names: Names) {
  const text = code.slice(from, from + 900);
  const found = new RegExp(`^${begin}${VALUE}\\s*(?=[,);\\n}]|$|if\\b|do\\b)`).exec(text);
  if (found === null) return null;
  const [all, double, single, template, name] = found;
  const literal = double ?? single ?? template;
  const texts = literal === undefined ? (names.get(name ?? '') ?? []) : [literal];
  return { texts, end: from + all.length };
}

function literals(code: string, pattern: RegExp): string[] {
  return firstOf(code, pattern).flatMap((it) => (it.slice(1) as (string | undefined)[]).flatMap((text) => text ?? []));
}

function firstOf(code: string, pattern: RegExp): RegExpExecArray[] {
  const found: RegExpExecArray[] = [];
  for (const it of code.matchAll(pattern)) {
    found.push(it);
    if (found.length >= MOST) break;
  }
  return found;
}

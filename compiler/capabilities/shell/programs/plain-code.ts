import type { Field } from '../words/field.ts';

const TEXT = String.raw`(["'])([^"'\x60\\\n$]{0,80})`;
/** Two texts that are joined: `'a' + 'b'`, in perl and php `'a' . 'b'`, in lua `'a' .. 'b'`. */
const joinedBy = (sign: string) => new RegExp(`${TEXT}\\1\\s{0,9}${sign}\\s{0,9}${TEXT}\\3`, 'g');
const PLUS = joinedBy(String.raw`\+`);
const DOTS = joinedBy(String.raw`\.{1,2}`);
/** A text is joined from no more parts. */
const MOST_PARTS = 4;
/** A folder and a name in it, which Python joins: `Path('a') / 'b'`. */
const JOINED_PATHS =
  /\bPath\s*\(\s*["']([^"'\n]{0,200})["']\s*\)\s{0,9}(?:\/\s{0,9}|\.\s*joinpath\s*\(\s*)["']([^"'\n]{0,200})["'](\s*\))?/g;
const MEMBER = /(?<=[\w)\]])\s{0,9}(?:\?\.)?\[\s{0,9}(["'])([A-Za-z_]\w{0,60})\1\s{0,9}\]/g;
/** A function that is imported by another name: `{ writeFileSync: w }`, `import { rename as r }`. */
const RENAMED =
  /(?<![\w$.])([A-Za-z_]\w{2,40})(?:\s{0,9}:\s{0,9}|\s{1,9}as\s{1,9})([A-Za-z_$][\w$]{0,40})(?=\s{0,9}(?:[,};\n]|$))/g;
/** More names are not followed. */
const MOST_NAMES = 20;

/** Code with its functions and files by their own names, where other words for them can be read. */
export function plainCode(program: string, whole: Field): Field {
  const joined = /^(perl|php|lua)/.test(program) ? DOTS : PLUS;
  let code = whole.replaceAll(MEMBER, '.$2');
  for (let part = 1; part < MOST_PARTS; part++) {
    const shorter = code
      .replaceAll(
        joined,
        (_all, quote: string, first: string, _other, second: string) => quote + first + second + quote,
      )
      .replaceAll(JOINED_PATHS, (_all, folder: string, name: string) => `Path('${folder}/${name}')`);
    if (shorter === code) break;
    code = shorter;
  }
  const names = [...code.matchAll(RENAMED)].slice(0, MOST_NAMES);
  for (const [, name = '', alias = ''] of names) {
    const calls = new RegExp(`(?<![\\w$.])${alias.replaceAll('$', '\\$')}(?=\\s*\\()`, 'g');
    code = code.replaceAll(calls, name);
  }
  return code;
}

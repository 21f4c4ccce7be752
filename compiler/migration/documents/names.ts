import { posix } from 'node:path';
import anyAscii from 'any-ascii';
import { words } from '../../recall/signals/lexical.ts';

/** A section as its unit's name is made of it. */
interface Titled {
  readonly title: string;
  readonly above: readonly string[];
  readonly document: { readonly path: string; readonly scope: string | null };
}

const hasWords = (text: string) => /[\p{L}\p{N}]/u.test(text);

/** A text on one line without control characters, as front matter requires (`oneLine`). */
export const squeeze = (text: string) => text.replace(/[\s\p{Cc}]+/gu, ' ').trim();

/** A document's short name: its file name, or its folder's name for common file names such as README. */
export function stemOf(path: string): string {
  const stem = squeeze(
    posix.basename(path, posix.extname(path)).replace(/\.(?:instructions|agent|prompt|chatmode)$/i, ''),
  );
  const folder = squeeze(posix.basename(posix.dirname(path)));
  return [/^(?:agents|claude|gemini|index|readme|skill)$/i.test(stem) ? folder : '', stem].find(hasWords) ?? 'document';
}

/** A unit's name from a title; empty of one without letters that can be said in Latin ones. */
export function slugOf(title: string): string {
  const text = words(latin(title.normalize('NFC').replace(/['’]/g, '')))
    .join(' ')
    .replace(/#/g, ' sharp')
    .replace(/\+\+/g, ' plus plus');
  const slug = text
    .match(/[a-z0-9]+/g)
    ?.reduce((name, word) => (name.length + word.length < 64 ? `${name}-${word}` : name))
    .slice(0, 64);
  return slug ?? '';
}

/** Letters of alphabets, which have one reading, as Latin ones. A kanji has several, and a picture has none. */
const latin = (text: string): string =>
  text.replace(/[^\p{ASCII}]/gu, (it) =>
    /\p{Script=Latin}|\p{Script=Cyrillic}|\p{Script=Greek}/u.test(it) ? anyAscii(it) : ' ',
  );

/**
 * The first free name for a section: its title, then document and title, then these with a number. A title that says
 * too little alone has the heading above it first, or the folder that its document is for; of one that cannot be said
 * in Latin letters only document and number are left.
 */
export function nameFor(
  { title, above, document }: Titled,
  saysLittle: boolean,
  isFree: (name: string) => boolean,
): string {
  const own = slugOf(title);
  const around = slugOf(above.at(-1) ?? '') || slugOf(posix.basename(document.scope ?? ''));
  const plain = saysLittle ? slugOf(`${around.slice(0, 40)} ${own}`) : own;
  const stem = slugOf(stemOf(document.path)) || 'document';
  const prefixed = stem === plain ? plain : slugOf(`${stem} ${plain}`);
  const numbered = (n: number) => slugOf(`${prefixed.slice(0, 56)} ${n}`);
  if (own !== '' && isFree(plain)) return plain;
  if (own !== '' && isFree(prefixed)) return prefixed;
  let n = own === '' ? 1 : 2;
  while (!isFree(numbered(n))) n += 1;
  return numbered(n);
}

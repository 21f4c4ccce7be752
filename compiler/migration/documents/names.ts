import { posix } from 'node:path';
import anyAscii from 'any-ascii';
import { words } from '../../recall/signals/lexical.ts';
import { sha256 } from '../../trust/canonical.ts';

/** A section as its unit's name is made of it. */
interface Titled {
  readonly title: string;
  readonly above: readonly string[];
  readonly document: { readonly path: string };
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
  return [/^(?:agents|index|readme|skill)$/i.test(stem) ? folder : '', stem].find(hasWords) ?? 'document';
}

/** A unit's name from a title, letters of other scripts as Latin ones; from the digest of a title without letters. */
export function slugOf(title: string): string {
  const text = words(latin(title.normalize('NFC').replace(/['’]/g, '')))
    .join(' ')
    .replace(/#/g, ' sharp')
    .replace(/\+\+/g, ' plus plus');
  const slug = text
    .match(/[a-z0-9]+/g)
    ?.reduce((name, word) => (name.length + word.length < 64 ? `${name}-${word}` : name))
    .slice(0, 64);
  return slug ?? `section-${sha256(title).slice(0, 8)}`;
}

/** Syllables of scripts without spaces begin with a capital, and are words of a name. */
function latin(text: string): string {
  return text.replace(/[^\p{ASCII}]+/gu, (run) => anyAscii(run).replace(/(?<=[a-z])(?=[A-Z])/g, ' '));
}

/**
 * The first free name for a section: its title, then document and title, then these with a number. A sub-heading that
 * repeats has the name of the heading above it first.
 */
export function nameFor(
  { title, above, document }: Titled,
  isRepeated: boolean,
  isFree: (name: string) => boolean,
): string {
  const own = slugOf(title);
  const plain = isRepeated && above.length > 0 ? slugOf(`${slugOf(above.at(-1) ?? '').slice(0, 40)} ${own}`) : own;
  const stem = slugOf(stemOf(document.path));
  const prefixed = stem === plain ? plain : slugOf(`${stem} ${plain}`);
  let name = isFree(plain) ? plain : prefixed;
  for (let n = 2; !isFree(name); n++) name = slugOf(`${prefixed.slice(0, 56)} ${n}`);
  return name;
}

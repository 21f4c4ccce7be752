/** A pattern of paths as the names between its slashes; `**` among them stands for any folders. */
export interface PathWay {
  readonly names: readonly string[];
  /** Whether everything below the named path belongs to it. */
  readonly isFolder: boolean;
}

/** More choices in braces are refused: each is compared with every path. */
const MAX_WAYS = 64;
const MAX_CHARACTERS = 512;

/**
 * Reads an entry of a list of files: `*`, `?` and `[…]` within a name, `**` for any folders, `{a,b}`. All else is
 * literal. The text as it stands is always one of the ways, so that `[id]` and `[[...slug]]` mean the folders of these
 * names too. An entry that ends with a slash, with `**` or with a name without `*` and `?` means all that is in it.
 * Untrusted input.
 *
 * @returns why it is refused, if it can match no path
 */
export function readPathPattern(text: string): readonly PathWay[] | string {
  if (text.length > MAX_CHARACTERS) return `is longer than ${MAX_CHARACTERS} characters`;
  if (text.trim() === '') return 'is empty';
  if (text.startsWith('!')) return 'begins with !: to exclude paths, list them in files-denylist';
  if (text.startsWith('/')) return 'begins with /: write it relative to the repository';
  const ways = expand(text);
  if (ways === null) return `stands for more than ${MAX_WAYS} patterns`;
  const all = [...new Set([...ways, text])];
  if (all.some((it) => it.split('/').includes('..'))) return 'has ..: it cannot leave the repository';
  return all.map(toWay);
}

function toWay(text: string): PathWay {
  const names = text.split('/').filter((it) => it !== '' && it !== '.');
  const last = names.at(-1) ?? '**';
  if (last === '**') return { names: names.slice(0, -1), isFolder: true };
  return { names, isFolder: text.endsWith('/') || !/[*?]/.test(last) };
}

/** Texts that braces stand for; null if there are too many. Braces without a comma or a partner are literal. */
function expand(text: string): string[] | null {
  const found = findBraces(text);
  if (found === null) return [text];
  const { start, end, words } = found;
  const rests = expand(text.slice(end));
  const middles = words.map(expand);
  if (rests === null || middles.includes(null)) return null;
  const choices = middles.flatMap((it) => it ?? []);
  if (choices.length * rests.length > MAX_WAYS) return null;
  return choices.flatMap((it) => rests.map((rest) => text.slice(0, start) + it + rest));
}

interface Braces {
  readonly start: number;
  readonly end: number;
  readonly words: readonly string[];
}

/** The first braces with a comma between them. */
function findBraces(text: string): Braces | null {
  const open: { start: number; commas: number[] }[] = [];
  let found: Braces | null = null;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '{') open.push({ start: at, commas: [] });
    if (text[at] === ',') open.at(-1)?.commas.push(at);
    if (text[at] !== '}') continue;
    const { start = 0, commas = [] } = open.pop() ?? {};
    if (commas.length > 0) found = { start, end: at + 1, words: split(text, [start, ...commas, at]) };
    if (found !== null && open.every((it) => it.commas.length === 0)) return found;
  }
  return found;
}

function split(text: string, marks: readonly number[]): string[] {
  return marks.slice(1).map((mark, n) => text.slice((marks[n] ?? 0) + 1, mark));
}

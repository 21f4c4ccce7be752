import type { Alternative } from '../../schema/source/file-pattern.ts';

/** A name of a pattern: the texts between its stars, and how many characters they have together. */
interface NameGlob {
  readonly pieces: readonly string[];
  readonly least: number;
}

/** A pattern as what it says of a path from its begin, of its end, and of what is in order between. */
export interface PathGlob {
  readonly head: readonly NameGlob[];
  readonly between: readonly (readonly NameGlob[])[];
  /** Null without `**`: then the head is all of the path. */
  readonly tail: readonly NameGlob[] | null;
}

/** Prepares a pattern, once for a garden. */
export function toPathGlob(names: Alternative): PathGlob {
  const blocks: NameGlob[][] = [[]];
  // what is in a folder, and not the folder: src/** is src/**/*
  for (const name of names.at(-1) === '**' ? [...names, '*'] : names) {
    if (name === '**') blocks.push([]);
    else blocks.at(-1)?.push(toNameGlob(name));
  }
  const [head = [], ...rest] = blocks;
  return { head, between: rest.slice(0, -1), tail: rest.at(-1) ?? null };
}

function toNameGlob(name: string): NameGlob {
  const pieces = name.split('*');
  return { pieces, least: pieces.reduce((all, it) => all + it.length, 0) };
}

/**
 * Whether a path is one that the pattern means. Linear in both: no place of a path is looked at again for a star that was
 * tried elsewhere, because the first fit of what follows a star leaves the most for the rest. Untrusted input.
 *
 * @param names of the path, between slashes
 */
export function isMeant({ head, between, tail }: PathGlob, names: readonly string[]): boolean {
  const end = names.length - (tail?.length ?? 0);
  if (tail === null ? head.length !== end : head.length > end) return false;
  if (!isBlock(head, names, 0) || (tail !== null && !isBlock(tail, names, end))) return false;
  let at = head.length;
  for (const block of between) {
    while (at + block.length <= end && !isBlock(block, names, at)) at++;
    at += block.length;
    if (at > end) return false;
  }
  return true;
}

function isBlock(block: readonly NameGlob[], names: readonly string[], at: number): boolean {
  return block.every((glob, i) => isNamed(glob, names[at + i] ?? ''));
}

function isNamed({ pieces, least }: NameGlob, name: string): boolean {
  const [first = '', ...rest] = pieces;
  const last = rest.pop();
  if (last === undefined) return name.length === least && hasAt(name, first, 0);
  const end = name.length - last.length;
  if (name.length < least || !hasAt(name, first, 0) || !hasAt(name, last, end)) return false;
  let at = first.length;
  for (const piece of rest) {
    const found = name.indexOf(piece, at);
    if (found === -1) return false;
    at = found + piece.length;
  }
  return at <= end;
}

/** Whether a piece is there; `?` in it is any character. */
function hasAt(name: string, piece: string, at: number): boolean {
  if (!piece.includes('?')) return name.startsWith(piece, at);
  for (let i = 0; i < piece.length; i++) if (piece[i] !== '?' && piece[i] !== name[at + i]) return false;
  return true;
}

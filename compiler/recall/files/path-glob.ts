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

/** Number of steps that comparisons may still take: one for each character, and some for each name. */
interface Steps {
  left: number;
}

/** A call costs about as much as so many characters. */
const STEPS_OF_A_NAME = 16;

/** Prepares patterns, once for a garden, whose patterns have many names in common. */
export function globMaker(): (names: Alternative) => PathGlob {
  const known = new Map<string, NameGlob>();
  return (names) => toPathGlob(names, known);
}

function toPathGlob(names: Alternative, known: Map<string, NameGlob>): PathGlob {
  const blocks: NameGlob[][] = [[]];
  // the content of a folder, not the folder itself: src/** is src/**/*
  for (const name of names.at(-1) === '**' ? [...names, '*'] : names) {
    if (name === '**') blocks.push([]);
    else blocks.at(-1)?.push(toNameGlob(name, known));
  }
  const [head = [], ...rest] = blocks;
  return { head, between: rest.slice(0, -1), tail: rest.at(-1) ?? null };
}

function toNameGlob(name: string, known: Map<string, NameGlob>): NameGlob {
  const already = known.get(name);
  if (already) return already;
  const pieces = name.split('*');
  const made = { pieces, least: pieces.reduce((all, it) => all + it.length, 0) };
  known.set(name, made);
  return made;
}

/**
 * Whether a path is one that the pattern means. Linear in both: no place of a path is looked at again for a star that
 * was tried elsewhere, because the first fit of what follows a star leaves the most for the rest. Untrusted input.
 *
 * @param names of the path, between slashes
 * @param steps are taken off
 */
export function isMeant({ head, between, tail }: PathGlob, names: readonly string[], steps: Steps): boolean {
  const end = names.length - (tail?.length ?? 0);
  if (tail === null ? head.length !== end : head.length > end) return false;
  if (!isBlock(head, names, 0, steps) || (tail !== null && !isBlock(tail, names, end, steps))) return false;
  let at = head.length;
  for (const block of between) {
    while (at + block.length <= end && !isBlock(block, names, at, steps)) at++;
    at += block.length;
    if (at > end) return false;
  }
  return true;
}

function isBlock(block: readonly NameGlob[], names: readonly string[], at: number, steps: Steps): boolean {
  return block.every((glob, i) => isNamed(glob, names[at + i] ?? '', steps));
}

function isNamed({ pieces, least }: NameGlob, name: string, steps: Steps): boolean {
  steps.left -= STEPS_OF_A_NAME;
  if (name.length < least) return false;
  steps.left -= name.length;
  const [first = '', ...rest] = pieces;
  const last = rest.pop();
  if (last === undefined) return name.length === least && hasAt(name, first, 0);
  const end = name.length - last.length;
  if (!hasAt(name, first, 0) || !hasAt(name, last, end)) return false;
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

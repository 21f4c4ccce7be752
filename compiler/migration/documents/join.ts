import type { RootContent } from 'mdast';

/** The nodes from one heading, or from the start of the document, to the next; `depth` is 0 at the start. */
export interface Part {
  readonly depth: number;
  readonly heading: string | null;
  readonly above: readonly string[];
  readonly joined: readonly string[];
  readonly nodes: RootContent[];
  /** The heading under which its text was before it was cut off; empty where the text has it. */
  readonly under: readonly string[];
  /** The words of its text. */
  readonly words: number;
}

/** With fewer words, a section says too little to be found by itself. */
const SMALL = 25;

/** A family of headings with at most this many words is one unit if any of them is small. */
const FAMILY = 220;

/** A family of repeated headings is one unit up to this many words. */
const LARGEST = 600;

/**
 * Joins sections that are too small to stand alone (§21.6.3). Only sub-headings are joined, because they have a place
 * to go: a small family of headings becomes one section, named for its first; in a larger one, each small sub-heading
 * belongs to the section before it, and a short introduction to the section after it.
 */
export function joinSmall(parts: readonly Part[]): Part[] {
  const joined: Part[] = [];
  for (let i = 0; i < parts.length;) {
    const head = parts[i] as Part;
    let end = i + 1;
    if (head.depth === 2) while ((parts[end]?.depth ?? 0) > 2) end += 1;
    joined.push(...joinFamily(parts.slice(i, end)));
    i = end;
  }
  return joined;
}

function joinFamily(family: readonly Part[]): Part[] {
  const [head, ...children] = family as [Part, ...Part[]];
  if (children.length === 0) return [head];
  const total = family.reduce((all, { words }) => all + words, 0);
  const said = children.filter(({ words }) => words > 0);
  const repeats = new Set(said.map(({ heading }) => heading)).size < said.length;
  if ((repeats && total <= LARGEST) || (total <= FAMILY && said.some(({ words }) => words < SMALL)))
    return [merge(head, children)];
  const found: Part[] = [];
  for (const part of family) {
    const before = found.at(-1);
    const isIntroduction = before === head && head.words > 0 && head.words < SMALL;
    if (before && isIntroduction)
      found.splice(-1, 1, {
        ...merge(before, [part]),
        heading: part.heading,
        joined: [before.heading ?? '', ...part.joined],
      });
    else if (before && before.words > 0 && part.words > 0 && part.words < SMALL)
      found.splice(-1, 1, merge(before, [part]));
    else found.push(part);
  }
  return found;
}

function merge(head: Part, rest: readonly Part[]): Part {
  return {
    ...head,
    nodes: [head, ...rest].flatMap(({ nodes }) => nodes),
    joined: [...head.joined, ...rest.flatMap(({ heading, joined }) => [heading ?? '', ...joined])],
    words: [head, ...rest].reduce((all, { words }) => all + words, 0),
  };
}

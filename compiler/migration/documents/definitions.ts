import type { Root, RootContent } from 'mdast';
import { visit } from 'unist-util-visit';

/** Beginnings of footnotes and abbreviations in a paragraph: `[^1]: …` and `*[API]: …`. */
const NOTES = /^(?=\[\^[^\]\s]+\]:|\*\[[^\]\n]+\]:)/m;

/** More notes than a document has; each is looked for in its whole text. */
const MOST_NOTES = 200;

/** The target of a link, a footnote or an abbreviation, each for a whole document. */
interface Defined {
  readonly node: RootContent;
  readonly text: string;
  readonly isUsedIn: (nodes: readonly RootContent[]) => boolean;
}

/**
 * The nodes of a part without those at its end that only define something for others, and the definitions that it uses
 * of other parts: they go with their references, wherever a document has them.
 *
 * @param written the text of nodes that follow each other
 */
export function withDefinitions(
  nodes: readonly RootContent[],
  { children }: Root,
  written: (nodes: readonly RootContent[]) => string,
): { readonly own: readonly RootContent[]; readonly added: readonly string[] } {
  const all = known.get(children) ?? definedIn(children, written);
  known.set(children, all);
  const defining = new Set(all.map(({ node }) => node));
  const said = nodes.filter((it) => !defining.has(it));
  const others = children.filter((it) => !defining.has(it) && !nodes.includes(it));
  const isForOthers = (node: RootContent) => {
    const here = all.filter((it) => it.node === node);
    return here.length > 0 && here.every((it) => !it.isUsedIn(said) && it.isUsedIn(others));
  };
  const last = nodes.findLastIndex((it) => it.type !== 'thematicBreak' && !isForOthers(it));
  const own = nodes.slice(0, last + 1);
  const added = all.filter((it) => !own.includes(it.node) && it.isUsedIn(said));
  return { own, added: added.map(({ text }) => text) };
}

/** The definitions of a document: each of its parts asks for them. */
const known = new WeakMap<readonly RootContent[], readonly Defined[]>();

function definedIn(children: readonly RootContent[], written: (nodes: readonly RootContent[]) => string): Defined[] {
  const textOf = remembered((nodes) => nodes.map((it) => written([it])).join('\n'));
  const references = remembered(referencesIn);
  let left = MOST_NOTES;
  return children.flatMap((node): Defined[] => {
    const text = node.type === 'definition' || node.type === 'paragraph' ? written([node]) : '';
    if (/^(?:\[\^|\*\[)/.test(text) && text.search(NOTES) === 0)
      return text.split(NOTES).flatMap((note) => {
        const [, footnote, word = ''] = /^(?:(\[\^[^\]\s]+\])|\*\[([^\]\n]+)\])/.exec(note) ?? [];
        const isIn = (said: string) => (footnote === undefined ? hasWord(said, word) : said.includes(footnote));
        return left-- > 0 ? [{ node, text: note.trimEnd(), isUsedIn: (nodes) => isIn(textOf(nodes)) }] : [];
      });
    if (node.type !== 'definition') return [];
    return [{ node, text, isUsedIn: (nodes) => references(nodes).has(node.identifier) }];
  });
}

function remembered<T>(of: (nodes: readonly RootContent[]) => T): (nodes: readonly RootContent[]) => T {
  const found = new Map<readonly RootContent[], T>();
  return (nodes) => {
    const it = found.get(nodes) ?? of(nodes);
    found.set(nodes, it);
    return it;
  };
}

/** Whether a text has a word, with no letter beside it. */
function hasWord(text: string, word: string): boolean {
  const parts = text.split(word);
  const isLetter = (it = '') => /[\p{L}\p{N}]/u.test(it);
  return parts.slice(1).some((after, i) => !isLetter(after[0]) && !isLetter(parts[i]?.at(-1)));
}

function referencesIn(nodes: readonly RootContent[]): ReadonlySet<string> {
  const used = new Set<string>();
  visit({ type: 'root', children: [...nodes] } satisfies Root, (node) => {
    if (node.type === 'linkReference' || node.type === 'imageReference') used.add(node.identifier);
  });
  return used;
}

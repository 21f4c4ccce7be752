import { posix } from 'node:path';
import type { Definition, Link, LinkReference, Root } from 'mdast';
import { visit } from 'unist-util-visit';

/** A document's text whose links lead where its units are, and the targets that its units name instead. */
interface Unlinked {
  readonly content: string;
  readonly targets: readonly string[];
}

interface Edit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/**
 * Text without relative links to Markdown files, and to any file where the document is not at the top: from the folder
 * of units they lead nowhere. Their words stay, with the file's path below what is migrated. Everything else is the
 * author's, and so are the lines.
 *
 * @param path of the document
 */
export function unlink(path: string, content: string, tree: Root): Unlinked {
  const targets = new Set<string>();
  const named = (url: string) => {
    const target = targetOf(path, url);
    if (target !== null) targets.add(target);
    return target;
  };
  const files = new Map<string, string>();
  const edits: Edit[] = [];
  visit(tree, 'definition', (node: Definition) => {
    const target = named(node.url);
    if (target === null) return;
    if (!files.has(node.identifier)) files.set(node.identifier, target);
    const { from, to } = spanOf(node);
    edits.push({ from, to, text: content.slice(from, to).replace(/[^\n]+/g, '') });
  });
  visit(tree, ['link', 'linkReference'], (node) => {
    if (node.type !== 'link' && node.type !== 'linkReference') return;
    const target = node.type === 'link' ? named(node.url) : (files.get(node.identifier) ?? null);
    const words = target === null ? null : wordsOf(node, content);
    if (target !== null && words !== null) edits.push({ ...spanOf(node), text: toldBy(words, target) });
  });
  edits.sort((a, b) => a.from - b.from);
  const text = edits.reduceRight((all, it) => all.slice(0, it.from) + it.text + all.slice(it.to), content);
  return { content: text, targets: [...targets].sort() };
}

/** The file that such a link names, from the folder that is migrated; null for any other link. */
function targetOf(document: string, url: string): string | null {
  const [file = ''] = url.split('#');
  const isAtTop = posix.dirname(document) === '.';
  if (file === '' || (isAtTop && !file.endsWith('.md'))) return null;
  if (/^(?:[a-z][a-z0-9+.-]*:|\/)/i.test(file) || /[`|\s]/.test(url)) return null;
  const below = posix.join(posix.dirname(document), url);
  return below.startsWith('../') ? url : below;
}

/** The words of a link, and its file where they do not name it. */
function toldBy(words: string, target: string): string {
  const bare = (text: string) => text.replace(/[`*_\s]/g, '');
  const [file = ''] = target.split('#');
  return [target, file].some((it) => bare(it) === bare(words)) ? words : `${words} (\`${target}\`)`;
}

/** As written; null of a link without words, or with a line that another block begins. */
function wordsOf({ children }: Link | LinkReference, content: string): string | null {
  const from = children[0]?.position?.start.offset;
  const to = children.at(-1)?.position?.end.offset;
  return from === undefined || to === undefined || content[to] !== ']' ? null : content.slice(from, to);
}

function spanOf({ position }: Definition | Link | LinkReference): { from: number; to: number } {
  return { from: position?.start.offset ?? 0, to: position?.end.offset ?? 0 };
}

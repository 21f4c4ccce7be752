import type { Heading, Root, RootContent } from 'mdast';
import { toString } from 'mdast-util-to-string';
import { SKIP, visit } from 'unist-util-visit';
import { squeeze } from './names.ts';

/** The nodes of a part of a document. */
interface Nodes {
  readonly nodes: RootContent[];
}

/** A heading at which a document may be split (§21.6.3). */
export const isBoundary = (node: RootContent): node is Heading => node.type === 'heading' && node.depth <= 3;

export const hasWords = (text: string) => /[\p{L}\p{N}]/u.test(text);

/** Ends of a sentence or a cell of a table, and of half a sentence. */
const ENDS = /\|[\s|:-]*|(?<=[.!?;:])\s+(?=[\p{Lu}"“*\ue000])/u;

/** Sentences of a paragraph; the rows of a table are cut at their cells. A short label stays with its sentence. */
export function sentencesOf(paragraph: string): string[] {
  const spans: string[] = [];
  const masked = paragraph.slice(0, 4000).replace(/`[^`]+`/g, (span) => `\ue000${spans.push(span) - 1}\ue001`);
  const unmask = (text: string) => text.replace(/\ue000(\d+)\ue001/g, (_, i: string) => spans[Number(i)] ?? '');
  const parts = masked.split(ENDS);
  const sentences: string[] = [];
  for (const part of parts.map((it) => unmask(it).trim())) {
    const before = sentences.at(-1);
    if (before?.endsWith(':') && before.split(' ').length < LABEL) sentences.splice(-1, 1, `${before} ${part}`);
    else sentences.push(part);
  }
  return sentences.filter(hasWords);
}

/** Words of what introduces other sentences; a label in front of one sentence has fewer. */
const LABEL = 5;

/** The text below a part's heading, block by block, as plain text without comments and tags. */
export function plainBlocks(part: Nodes, types = ['paragraph', 'heading', 'code', 'html']): string[] {
  const blocks: string[] = [];
  const children = part.nodes.filter((node) => !isBoundary(node));
  visit({ type: 'root', children } satisfies Root, (node) => {
    if (!types.includes(node.type)) return undefined;
    const text = toString(node, { includeHtml: node.type === 'html' });
    blocks.push(squeeze(node.type === 'html' ? text.replace(/<!--[^]*?(?:-->|$)|<[^<>]*>/g, ' ') : text));
    return SKIP;
  });
  return blocks;
}

/** The label in front of an item, such as `Hiring: …`. */
const LABELLED = /^(\p{L}[^:.!?,;\n—–]{1,40}?)\s*(?::|[—–]|--)\s/u;

/** Subjects of the items of a part, one by one, where most of them state one in front. */
export function labelsOf(part: Nodes): string[] {
  const items = part.nodes.flatMap((node) => (node.type === 'list' ? node.children : []));
  const labels = items.flatMap((item) => {
    const [first] = item.children;
    if (first?.type !== 'paragraph') return [];
    const [, said = ''] = LABELLED.exec(squeeze(toString(first, { includeHtml: false }))) ?? [];
    return said !== '' && said.split(/\s+/).length <= 4 ? [said] : [];
  });
  return labels.length >= 3 && 2 * labels.length > items.length ? labels : [];
}

import type { Definition, ImageReference, LinkReference, Nodes, Root } from 'mdast';
import { visit } from 'unist-util-visit';
import { parseMarkdown } from '../sources/markdown.ts';
import type { Edit } from './relink.ts';

/** A text of a file with others. */
interface Text {
  readonly name: string;
  readonly content: string;
}

/**
 * Texts for one file, none of which changes another: where one defines a label that another has in brackets, its labels
 * are made its own. All others stay as they are.
 */
export function apart<T extends Text>(texts: readonly T[]): T[] {
  const holders = new Map<string, Set<T>>();
  for (const it of texts) {
    for (const label of labelsIn(it.content)) holders.set(label, (holders.get(label) ?? new Set<T>()).add(it));
  }
  const isShared = (it: T) => definedIn(it.content).some((label) => (holders.get(label)?.size ?? 0) > 1);
  return texts.map((it) => (isShared(it) ? { ...it, content: withOwnLabels(it.name, it.content) } : it));
}

const BRACKETS = /\[((?:[^\][\\]|\\.){1,999})\]/gs;

/** As Markdown compares labels. */
const normalised = (label: string) => label.replace(/\s+/g, ' ').trim().toLowerCase().toUpperCase();

const labelsIn = (content: string) => [...content.matchAll(BRACKETS)].map(([, label = '']) => normalised(label));

const definedIn = (content: string) =>
  [...content.matchAll(/\[((?:[^\][\\]|\\.){1,999})\]:/gs)].map(([, label = '']) => normalised(label));

/**
 * A text whose labels mean the same in a file with others: links and images by reference get their target, definitions
 * go, and footnotes are named after the unit. Definitions count for a whole file, and the first of a label wins, so a
 * text could choose where the links of another lead, or make a link of its words.
 *
 * @param name of the unit
 */
export function withOwnLabels(name: string, content: string): string {
  if (!/\]:/.test(content)) return content;
  const tree = parseMarkdown(content);
  if ('rule' in tree) return content;
  const edits = [...referencesIn(tree, content), ...footnotesIn(tree, name, content)].sort((a, b) => b.from - a.from);
  const done = edits.reduce((text, it) => text.slice(0, it.from) + it.text + text.slice(it.to), content);
  return edits.length === 0 ? content : done.replace(/\n{3,}/g, '\n\n').trim();
}

const isFootnote = ({ identifier }: { readonly identifier: string }) => identifier.startsWith('^');
const startOf = ({ position }: Nodes) => position?.start.offset ?? 0;
const endOf = ({ position }: Nodes) => position?.end.offset ?? 0;

function referencesIn(tree: Root, content: string): Edit[] {
  const targets = new Map<string, string>();
  const edits: Edit[] = [];
  visit(tree, 'definition', (node) => {
    if (isFootnote(node)) return;
    if (!targets.has(node.identifier)) targets.set(node.identifier, targetOf(node));
    edits.push({ from: startOf(node), to: endOf(node), text: '' });
  });
  visit(tree, (node) => {
    if ((node.type !== 'linkReference' && node.type !== 'imageReference') || isFootnote(node)) return;
    const target = targets.get(node.identifier);
    if (target !== undefined) edits.push({ from: labelOf(node, content), to: endOf(node), text: `](${target})` });
  });
  return edits;
}

/** End of the words of a reference: its label follows, or nothing. */
function labelOf(node: LinkReference | ImageReference, content: string): number {
  if (node.referenceType === 'shortcut') return endOf(node) - 1;
  return startOf(node) + content.slice(startOf(node), endOf(node)).lastIndexOf('][');
}

function targetOf({ url, title }: Definition): string {
  const escaped = url.replace(/[<>\\\s]/g, (it) => encodeURIComponent(it));
  const named =
    title === null || title === undefined ? '' : ` "${title.replace(/[\\"]/g, '\\$&').replace(/\s+/g, ' ')}"`;
  return `<${escaped}>${named}`;
}

const FOOTNOTE = /\[\^([^\][\s]{1,200})\]/g;

/** Footnotes, which CommonMark does not know: outside of code, their labels get the name of the unit. */
function footnotesIn(tree: Root, name: string, content: string): Edit[] {
  if (!/^ {0,3}\[\^[^\][\s]+\]:/m.test(content)) return [];
  const shown: [number, number][] = [];
  visit(tree, ['code', 'inlineCode', 'html'], (node) => void shown.push([startOf(node), endOf(node)]));
  return [...content.matchAll(FOOTNOTE)]
    .filter(({ index }) => !shown.some(([from, to]) => from <= index && index < to))
    .map(({ index, 0: whole, 1: label = '' }) => ({
      from: index,
      to: index + whole.length,
      text: `[^${name}-${label}]`,
    }));
}

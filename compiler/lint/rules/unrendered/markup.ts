import type { Code, Definition, Nodes, Root } from 'mdast';
import { splitFrontMatter } from '../../../sources/front-matter.ts';
import { parseMarkdown } from '../../../sources/markdown.ts';
import { idleFootnotes, surplusCells } from './dropped.ts';
import { contentsOf, declaredIn, unshownIn } from './html.ts';
import { covers, outside, type Range } from './range.ts';

/**
 * Signs of which Markdown and GitHub need one to show a page less than its text: HTML, a definition, a fence with more
 * than a language, a table. A text without any is shown whole, and is not parsed.
 */
export const MAY_HIDE =
  /<[a-z!?/]|\]:|^[ \t>*+\d.)-]*(?:```|~~~)[^\n]*[^\s`~][ \t]+\S|^[^\n|]*\|[^\n]*\n[ \t>]*(?:\|[ \t]*)?:?-|mermaid/im;

/** The parts of a text that are code, and those that a rendered page does not show. */
export interface Markup {
  readonly code: readonly Range[];
  readonly hidden: readonly Range[];
}

/**
 * The difference between a Markdown text and the page that it becomes: all that is in no text, code, picture or link.
 * Text before `from`, and text that is not parsed, is read as it is: only comments are hidden there.
 */
export function markupOf(text: string, isMarkdown = true): Markup {
  const from = isMarkdown ? bodyStart(text) : text.length;
  const body = text.slice(from);
  const tree = body === '' ? null : parseMarkdown(body);
  if (tree === null || 'rule' in tree) return plainMarkup(text);
  const front = plainMarkup(text.slice(0, from));
  const moved = (all: readonly Range[]) => all.map((it) => ({ from: from + it.from, to: from + it.to }));
  const { code, hidden } = renderedMarkup(tree, body);
  return { code: [...front.code, ...moved(code)], hidden: [...front.hidden, ...moved(hidden)] };
}

/** Whether a place is in a code fence that ends: behind one that is left open a text is hardly meant as code. */
export function isFenced(text: string, { code }: Markup, index: number): boolean {
  const range = code.find(({ from, to }) => from <= index && index < to);
  return range !== undefined && /\n[ \t>]*(?:`{3,}|~{3,})[ \t]*$/.test(text.slice(range.from, range.to));
}

function plainMarkup(text: string): Markup {
  const code = codeRanges(text);
  return { code, hidden: declaredIn(text).filter((it) => !covers(code, it.from)) };
}

function bodyStart(text: string): number {
  if (splitFrontMatter(text).yaml === null) return 0;
  const end = text.indexOf('\n---', '---'.length);
  return end === -1 ? text.length : end + '\n---'.length;
}

/** The parts of a tree, by what becomes of them. */
interface Parts {
  readonly code: Range[];
  readonly shown: Range[];
  /** The parts of a paragraph's text that a page drops. */
  readonly dropped: Range[];
  /** Tags, comments and declarations, each alone or in a block. */
  readonly html: Range[];
  readonly definitions: Definition[];
  readonly used: Set<string>;
}

function renderedMarkup(tree: Root, text: string): Markup {
  const parts: Parts = { code: [], shown: [], dropped: [], html: [], definitions: [], used: new Set() };
  const left: Nodes[] = [tree];
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    take(node, text, parts);
    if ('children' in node) for (let i = node.children.length - 1; i >= 0; i--) left.push(node.children[i] as Nodes);
  }
  const whole = { from: 0, to: text.length };
  const shown = [...parts.shown, ...linkedBy(parts)];
  const dropped = [
    ...parts.dropped,
    ...contentsOf(text, parts.html),
    ...idleFootnotes(text, (index) => covers(parts.code, index)),
  ];
  const hidden = [...outside(shown, whole), ...dropped];
  return { code: parts.code, hidden: outside(outside(hidden, whole), whole) };
}

function take(node: Nodes, text: string, parts: Parts): void {
  const { from, to } = rangeOf(node);
  const raw = () => text.slice(from, to);
  if (node.type === 'text' || node.type === 'image') parts.shown.push({ from, to });
  else if (node.type === 'inlineCode') add(parts, { from, to });
  else if (node.type === 'code') takeCode(node, text, parts);
  else if (node.type === 'html') takeHtml(raw(), from, parts);
  else if (node.type === 'definition') parts.definitions.push(node);
  else if (node.type === 'paragraph') parts.dropped.push(...surplusCells(raw(), from));
  else if (node.type === 'imageReference') parts.shown.push({ from, to });
  // the address, and the title that a reader is shown above the link
  else if (node.type === 'link' || node.type === 'linkReference') {
    parts.shown.push({ from: node.children.at(-1)?.position?.end.offset ?? from, to });
  }
  if ('identifier' in node && node.type !== 'definition') parts.used.add(node.identifier);
}

function add({ code, shown }: Parts, range: Range): void {
  code.push(range);
  shown.push(range);
}

/** A fence's first line is not shown, whatever it says beside the language; nor are comments of a diagram. */
function takeCode(node: Code, text: string, parts: Parts): void {
  const { from, to } = rangeOf(node);
  const isFenced = /^[`~]{3}/.test(text.slice(from, from + 3));
  const end = text.indexOf('\n', from);
  if (!isFenced) add(parts, { from, to });
  else if (end !== -1 && end < to) add(parts, { from: end, to });
  if (node.lang !== 'mermaid') return;
  for (const it of text.slice(from, to).matchAll(/^[ \t>]*%%.*$/gm)) {
    parts.dropped.push({ from: from + it.index, to: from + it.index + it[0].length });
  }
}

function takeHtml(raw: string, from: number, { shown, html }: Parts): void {
  const unshown = unshownIn(raw);
  const moved = (it: Range) => ({ from: from + it.from, to: from + it.to });
  shown.push(...outside(unshown, { from: 0, to: raw.length }).map(moved));
  html.push(...unshown.map(moved));
}

/** The first definition of each label that something refers to: the others lead nowhere. */
function linkedBy({ definitions, used }: Parts): Range[] {
  const seen = new Set<string>();
  return definitions.flatMap((node) => {
    if (!used.has(node.identifier) || seen.has(node.identifier)) return [];
    seen.add(node.identifier);
    return [rangeOf(node)];
  });
}

function rangeOf({ position }: Nodes): Range {
  return { from: position?.start.offset ?? 0, to: position?.end.offset ?? 0 };
}

/** Code fences and code spans of a text that is not parsed, in order. */
function codeRanges(text: string): Range[] {
  const ranges: Range[] = [];
  let start = 0;
  let fence: { mark: string; from: number } | null = null;
  for (const line of text.split('\n')) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence === null && mark !== undefined) fence = { mark, from: start };
    else if (fence !== null && mark?.startsWith(fence.mark) && line.trim() === mark) {
      ranges.push({ from: fence.from, to: start + line.length });
      fence = null;
    } else if (fence === null && line.includes('`')) ranges.push(...spansIn(line, start));
    start += line.length + 1;
  }
  if (fence !== null) ranges.push({ from: fence.from, to: text.length });
  return ranges;
}

/** Spans between two runs of backticks of the same length; a run without a counterpart is text. */
function spansIn(line: string, start: number): Range[] {
  const runs = [...line.matchAll(/`+/g)].map((it) => ({ at: it.index, length: it[0].length }));
  const last = new Map(runs.map((it) => [it.length, it.at]));
  const found: Range[] = [];
  for (let i = 0; i < runs.length; i++) {
    const open = runs[i];
    if (!open || (last.get(open.length) ?? -1) <= open.at) continue;
    const close = runs.findIndex((it, j) => j > i && it.length === open.length);
    found.push({ from: start + open.at, to: start + (runs[close]?.at ?? open.at) + open.length });
    i = close;
  }
  return found;
}

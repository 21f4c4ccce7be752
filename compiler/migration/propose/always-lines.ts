import type { Paragraph, RootContent } from 'mdast';
import { toString } from 'mdast-util-to-string';
import { hostFileAt } from '../../hosts/host-files.ts';
import { parseMarkdown } from '../../sources/markdown.ts';
import { headingWords } from '../documents/headings.ts';
import { knownUnit } from '../documents/known-unit.ts';
import type { LegacyDocument, Section } from '../documents/sections.ts';

/** A paragraph or an item of a section, which somebody may say must always hold. */
export interface RuleBlock {
  /** Its first and last line in the section's text, counted from 1. */
  readonly line: number;
  readonly lastLine: number;
  /** Its lines, as written. */
  readonly text: string;
  /** The headings above it, the outermost first, without the document's title. */
  readonly headings: readonly string[];
  /** The lead-in of its list and the items that it is below: it means nothing without them. */
  readonly needs: readonly RuleBlock[];
}

/** Whether a host reads a document whole at its start: it is no skill, and is about no certain files or folder. */
export function isAlwaysLoaded({ path, front, scope }: LegacyDocument): boolean {
  if (hostFileAt(path)?.kind !== 'rules' || scope !== null) return false;
  const { files, refused } = front.patterns;
  const isForAll = files.length === 0 && refused.every(({ pattern }) => /^[*/]+$/.test(pattern));
  return isForAll && (front.alwaysApply ?? !path.endsWith('.mdc'));
}

/** The paragraphs and items of a section that always holds; none of code, tables and headings. */
export function ruleBlocksOf(section: Section): RuleBlock[] {
  const { text, above, document } = section;
  if (knownUnit(section) !== null || !isAlwaysLoaded(document)) return [];
  const tree = parseMarkdown(text);
  const found: RuleBlock[] = [];
  if (!('rule' in tree)) collect(tree.children, { lines: text.split('\n'), title: document.title, found }, above, []);
  return found;
}

interface Collected {
  readonly lines: readonly string[];
  /** A heading that is the document's title says nothing about one rule. */
  readonly title: string | null;
  readonly found: RuleBlock[];
}

function collect(
  nodes: readonly RootContent[],
  into: Collected,
  above: readonly string[],
  needs: readonly RuleBlock[],
): void {
  const open: { readonly depth: number; readonly words: string }[] = [];
  let lead: readonly RuleBlock[] = [];
  for (const node of nodes) {
    if (node.type === 'heading') {
      while ((open.at(-1)?.depth ?? 0) >= node.depth) open.pop();
      open.push({ depth: node.depth, words: headingWords(node) });
    }
    const own = open.map(({ words }) => words).filter((it) => it !== into.title);
    const headings = [...above.filter((it) => !own.includes(it)), ...own];
    if (node.type === 'paragraph') {
      const block = blockOf(node, into.lines, headings, needs);
      into.found.push(block);
      lead = leads(node) ? [block] : [];
    } else if (node.type === 'list') {
      for (const { children } of node.children) collectItem(children, into, headings, [...needs, ...lead]);
    } else if (node.type === 'blockquote') collect(node.children, into, headings, needs);
    if (node.type !== 'paragraph') lead = [];
  }
}

/** The first paragraph of an item is needed by all that stands below it. */
function collectItem(
  [first, ...rest]: readonly RootContent[],
  into: Collected,
  headings: readonly string[],
  needs: readonly RuleBlock[],
): void {
  const block = first?.type === 'paragraph' ? [blockOf(first, into.lines, headings, needs)] : [];
  into.found.push(...block);
  collect(first && block.length === 0 ? [first, ...rest] : rest, into, headings, [...needs, ...block]);
}

function blockOf(
  { position }: Paragraph,
  lines: readonly string[],
  headings: readonly string[],
  needs: readonly RuleBlock[],
): RuleBlock {
  const [line, lastLine] = [position?.start.line ?? 1, position?.end.line ?? 1];
  return {
    line,
    lastLine,
    text: lines
      .slice(line - 1, lastLine)
      .join('\n')
      .trimEnd(),
    headings,
    needs,
  };
}

/** Whether a paragraph introduces what comes after it: it ends with a colon, or is bold as a whole. */
const leads = (node: Paragraph) =>
  /[:：]$/.test(toString(node).trim()) || (node.children.length === 1 && node.children[0]?.type === 'strong');

/**
 * The text of `boot.md` with the chosen lines, words unchanged and in the order of their documents, below the headings
 * and the lead-ins that they need.
 *
 * @param chosen numbers of lines, by section
 */
export function bootText(sections: readonly Section[], chosen: ReadonlyMap<Section, ReadonlySet<number>>): string {
  let before: RuleBlock | undefined;
  let text = '';
  for (const section of sections) {
    const blocks = ruleBlocksOf(section);
    const lines = chosen.get(section) ?? new Set();
    const named = blocks.filter((it) => [...lines].some((line) => it.line <= line && line <= it.lastLine));
    const wanted = new Set(named.flatMap((it) => [...it.needs, it]));
    for (const block of blocks.filter((it) => wanted.has(it))) {
      const heading = block.headings.join(' > ');
      const isNew = heading !== (before?.headings.join(' > ') ?? '');
      const isItem = !isNew && [before?.text ?? '', block.text].every((it) => /^\s*(?:[-*+]|\d+[.)])\s/.test(it));
      text += `${text === '' ? '' : isItem ? '\n' : '\n\n'}${isNew && heading !== '' ? `## ${heading}\n\n` : ''}${block.text}`;
      before = block;
    }
  }
  return text === '' ? '' : `${text}\n`;
}

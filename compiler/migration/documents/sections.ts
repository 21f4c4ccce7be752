import type { Root, RootContent } from 'mdast';
import { words } from '../../recall/signals/lexical.ts';
import type { CountTokens } from '../../schema/count-tokens.ts';
import { VadeError } from '../../schema/errors.ts';
import type { KnownUnit } from '../../schema/source/known-unit.ts';
import { conflictLine } from '../../sources/conflict.ts';
import { normaliseText, splitFrontMatter } from '../../sources/front-matter.ts';
import { readLegacyFront, type LegacyFront } from '../../sources/legacy-front.ts';
import { parseMarkdown } from '../../sources/markdown.ts';
import { hasWords, isBoundary, labelsOf, plainBlocks, sentencesOf } from './blocks.ts';
import { cutLong } from './cut.ts';
import { withDefinitions } from './definitions.ts';
import { headingWords, LONGEST_HEADING } from './headings.ts';
import { textNotices } from './includes.ts';
import { joinSmall, type Part } from './join.ts';
import type { LeftOut } from './left-out.ts';
import { squeeze, stemOf } from './names.ts';
import { patternsOf, scopeOf } from './scope.ts';
import { unlink } from './unlink.ts';

/** A parsed legacy document with its front matter. */
export interface LegacyDocument {
  readonly path: string;
  /** Its only H1, otherwise the title or name in the front matter. */
  readonly title: string | null;
  readonly front: LegacyFront;
  /** The folder that it is for; null for the whole project. */
  readonly scope: string | null;
  readonly tree: Root;
  /** The text after the front matter, and its first line. */
  readonly content: string;
  readonly firstLine: number;
}

/** One section of a legacy document, from which one unit is proposed (§21.6.3). */
export interface Section {
  readonly document: LegacyDocument;
  /** Its heading, otherwise the document's title or the file's name. */
  readonly title: string;
  /** Whether it precedes the first heading. */
  readonly isPreamble: boolean;
  /** The headings above it, the outermost first, without the document's title. */
  readonly above: readonly string[];
  /** Smaller headings whose sections were joined to this one. */
  readonly joined: readonly string[];
  /** Its first and last line in the document. */
  readonly line: number;
  readonly lastLine: number;
  /** Heading and own text, as written. */
  readonly text: string;
  /** The first paragraph, and the whole text without the heading, both as plain text. */
  readonly opening: string;
  readonly plain: string;
  /** Its sentences and list items, as plain text, in order. */
  readonly sentences: readonly string[];
  /** Subjects of the items of its lists, where they state one. */
  readonly labels: readonly string[];
  /** Whether it is smaller than its entry in the manifest, and its document has nothing to join it with. */
  readonly isShort?: boolean;
  /** The unit that it is already, if it was exported; or the rules of a `boot.md`. */
  readonly known?: KnownUnit | 'rules';
}

/** A section that stays below the limit of a unit, with room for front matter. */
export const MAX_SECTION = 56_000;

/**
 * Splits a Markdown document at its H2 and H3. Its only H1 is the document's title; of several, each starts a section
 * too. Sections that are too small to stand alone are joined. Untrusted input: nothing in it is executed.
 *
 * @throws request_invalid if it would take too long to parse
 */
export function splitSections(
  path: string,
  raw: string,
  countTokens: CountTokens,
): { sections: Section[]; leftOut: LeftOut[]; notices: string[] } {
  const text = normaliseText(Buffer.from(raw));
  if (text === null)
    return { sections: [], leftOut: [{ path, line: 1, what: path, why: 'it is not text' }], notices: [] };
  const { yaml, yamlLine, ...split } = splitFrontMatter(text);
  const [read, scope] = [readLegacyFront(yaml, path, yamlLine), scopeOf(path)];
  const hasOwn = read.patterns.files.length + read.patterns.refused.length > 0;
  const front = scope === null || hasOwn ? read : { ...read, patterns: patternsOf(scope) };
  const { content, tree, targets } = unlinked(path, split.content, split.contentLine);
  const before = text.slice(0, text.trimEnd().length - split.content.trimEnd().length);
  const title = documentTitle(tree, front);
  const document = { path, title, front, scope, tree, content, firstLine: before.split('\n').length };
  const parts = partsOf(tree, title !== null && countH1(tree) === 1);
  const sections = underHeadings(joinSmall(parts), content)
    .flatMap((part) => cutLong(part, titleOf(document, part), content, countTokens))
    .map((part) => toSection(document, part));
  const fits = sections.filter((it) => Buffer.byteLength(it.text) <= MAX_SECTION);
  const large = sections
    .filter((it) => !fits.includes(it))
    .map(({ line, title: what }) => ({ path, line, what, why: `one block of it has more than ${MAX_SECTION} bytes` }));
  return {
    sections: fits,
    leftOut: [...refusedPatterns(path, yamlLine, front), ...emptyParts(path, document.firstLine, parts), ...large],
    notices: [
      ...frontNotices(path, front),
      ...textNotices(document),
      ...(targets.length > 0 ? [`${path}: links become paths in its units: ${targets.slice(0, 20).join(', ')}`] : []),
      ...(fits.length === 0 ? [`${path} contains no instructions`] : []),
    ],
  };
}

/** The parts with text, each below the headings without text of their own that are above it: no other part has them. */
function underHeadings(parts: readonly Part[], content: string): Part[] {
  let open: Part[] = [];
  return parts.flatMap((part) => {
    open = open.filter(({ depth }) => depth < part.depth);
    if (isEmpty(part)) {
      open.push(part);
      return [];
    }
    const headings = open.flatMap(({ nodes }) => nodes.filter((node) => node.type === 'heading'));
    open = [];
    const under = headings.map(({ position }) => content.slice(position?.start.offset, position?.end.offset));
    return [{ ...part, under }];
  });
}

/** A document without links that lead nowhere from its units, and the files that they named. @throws request_invalid */
function unlinked(path: string, content: string, line: number) {
  const written = parseDocument(path, content, line);
  const { content: text, targets } = unlink(path, content, written);
  return { content: text, targets, tree: text === content ? written : parseDocument(path, text, line) };
}

/** @throws request_invalid if it would take too long to parse, or has a merge conflict */
export function parseDocument(path: string, content: string, line: number): Root {
  const conflict = conflictLine(content);
  if (conflict !== null)
    throw new VadeError(
      'request_invalid',
      `${path}:${conflict + line - 1} has a merge conflict that nobody has resolved`,
    );
  const tree = parseMarkdown(content);
  if (!('rule' in tree)) return tree;
  // an error, not a notice: without its sections, the units made from the document would be reported as removed
  const where = `${path}:${tree.line + line - 1}`;
  throw new VadeError('request_invalid', `${where} [${tree.rule}] ${tree.message}; ${tree.help}`);
}

const countH1 = (tree: Root) => tree.children.filter((node) => isBoundary(node) && node.depth === 1).length;

function documentTitle(tree: Root, front: LegacyFront): string | null {
  const h1 = tree.children.filter(isBoundary).find((node) => node.depth === 1);
  const names = [countH1(tree) === 1 ? h1 && headingWords(h1) : undefined, front.title, front.name];
  const title = names.find((name) => typeof name === 'string' && hasWords(name)) as string | undefined;
  return title === undefined ? null : squeeze(title).slice(0, LONGEST_HEADING).trim();
}

/** Patterns of files that a unit cannot have, such as one for all files. */
function refusedPatterns(path: string, line: number, { patterns }: LegacyFront): LeftOut[] {
  return patterns.refused.map(({ pattern, why }) => ({ path, line, what: `the file pattern ${pattern}`, why }));
}

function frontNotices(path: string, { lost, isYaml }: LegacyFront): string[] {
  return [
    ...(isYaml ? [] : [`${path}: the front matter is not valid YAML and was read line by line`]),
    ...(lost.length > 0 ? [`${path}: not carried over from the front matter: ${lost.join(', ')}`] : []),
  ];
}

/** Headings without text of their own; one that only contains smaller headings is no loss. */
function emptyParts(path: string, firstLine: number, parts: readonly Part[]): LeftOut[] {
  return parts.flatMap((part, i) => {
    const missed = isEmpty(part) && part.heading !== null && (parts[i + 1]?.depth ?? 0) <= part.depth;
    const line = firstLine + (part.nodes[0]?.position?.start.line ?? 1) - 1;
    return missed ? [{ path, line, what: part.heading, why: 'it has no text of its own' }] : [];
  });
}

/** @param titled whether the only H1 is the document's title */
function partsOf(tree: Root, titled: boolean): Part[] {
  const start = { depth: 0, heading: null, above: [], joined: [], under: [], words: 0 };
  let part: Part = { ...start, nodes: [] };
  const parts = [part];
  const stack: { depth: number; heading: string }[] = [];
  for (const node of tree.children) {
    if (isBoundary(node) && !(node.depth === 1 && titled)) {
      const heading = headingWords(node);
      while ((stack.at(-1)?.depth ?? 0) >= node.depth) stack.pop();
      part = { ...start, depth: node.depth, heading, above: stack.map((it) => it.heading), nodes: [] };
      stack.push({ depth: node.depth, heading });
      parts.push(part);
    }
    part.nodes.push(node);
  }
  return parts.map((it) => ({ ...it, words: words(plainBlocks(it).join(' ')).length }));
}

const isEmpty = (part: Pick<Part, 'nodes'>) => !hasWords(plainBlocks(part).join(' '));

const titleOf = ({ title, path }: LegacyDocument, { heading }: Part) =>
  [heading ?? '', title ?? ''].find(hasWords) ?? stemOf(path);

export function toSection(document: LegacyDocument, part: Part): Section {
  const start = part.nodes[0]?.position?.start;
  // from the start of the line, because the indentation of the first list item matters
  const from = (start?.offset ?? 0) - (start?.column ?? 1) + 1;
  const slice = (begin?: number, end?: number) => document.content.slice(begin, end).trimEnd();
  const written = (nodes: readonly RootContent[]) =>
    nodes.length === 0 ? '' : slice(nodes[0]?.position?.start.offset, nodes.at(-1)?.position?.end.offset);
  const { own, added } = withDefinitions(part.nodes, document.tree, written);
  const last = own.at(-1);
  return {
    document,
    title: titleOf(document, part),
    isPreamble: part.heading === null,
    above: part.above,
    joined: part.joined,
    line: document.firstLine + (start?.line ?? 1) - 1,
    lastLine: document.firstLine + (last?.position?.end.line ?? 1) - 1,
    text: [...part.under, slice(from, last?.position?.end.offset), ...added].join('\n\n'),
    opening: openingOf(part, document),
    plain: plainBlocks(part).join(' '),
    sentences: plainBlocks(part, ['paragraph']).flatMap(sentencesOf),
    labels: labelsOf(part),
  };
}

/** Two neighbouring sections as one, named for the first. */
export function joinSections(a: Section, b: Section): Section {
  return {
    ...a,
    text: `${a.text}\n\n${b.text}`,
    lastLine: Math.max(a.lastLine, b.lastLine),
    joined: [...a.joined, ...(b.isPreamble ? [] : [b.title]), ...b.joined],
    plain: `${a.plain} ${b.plain}`,
    sentences: [...a.sentences, ...b.sentences],
    labels: [...a.labels, ...b.labels],
  };
}

function openingOf(part: Part, { front }: LegacyDocument): string {
  if (part.heading === null && front.description !== null) return front.description;
  const paragraphs = plainBlocks(part, ['paragraph']).filter(hasWords);
  // an API call makes a poor description
  return paragraphs.find((it) => !/^(?:GET|POST|PUT|PATCH|DELETE|[$/{])/.test(it)) ?? paragraphs[0] ?? '';
}

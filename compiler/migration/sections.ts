import { posix } from 'node:path';
import type { Definition, Heading, Root, RootContent } from 'mdast';
import { toString } from 'mdast-util-to-string';
import { SKIP, visit } from 'unist-util-visit';
import { z } from 'zod';
import { words } from '../recall/signals/lexical.ts';
import { VadeError } from '../schema/errors.ts';
import { normaliseText, splitFrontMatter } from '../sources/front-matter.ts';
import { parseMarkdown } from '../sources/markdown.ts';
import { decodeYaml } from '../sources/yaml.ts';
import { sha256 } from '../trust/canonical.ts';

/** A parsed legacy document with its front matter. */
interface LegacyDocument {
  readonly path: string;
  /** The first H1, otherwise the title or name in the front matter. */
  readonly title: string | null;
  readonly front: Readonly<Record<string, unknown>>;
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
  /** The heading above an H3, otherwise the document's title. */
  readonly parent: string | null;
  readonly line: number;
  /** Heading and own text, as written. */
  readonly text: string;
  /** The first paragraph, and the whole text without the heading, both as plain text. */
  readonly opening: string;
  readonly plain: string;
}

/** The nodes from one heading, or from the start of the document, to the next; `depth` is 0 at the start. */
interface Part {
  readonly depth: number;
  readonly heading: string | null;
  readonly parent: string | null;
  readonly nodes: RootContent[];
}

/**
 * Splits a Markdown document at its H2 and H3. The first H1 is the document's title; a later H1 starts a section too.
 * Untrusted input: nothing in it is executed.
 *
 * @throws request_invalid if it would take too long to parse
 */
export function splitSections(path: string, raw: string): { sections: Section[]; notices: string[] } {
  const text = normaliseText(Buffer.from(raw));
  if (text === null) return { sections: [], notices: [`${path} is not text and was left out`] };
  const { yaml, yamlLine, content, contentLine } = splitFrontMatter(text);
  const front = yaml === null ? {} : decodeYaml(z.record(z.string(), z.unknown()), yaml, path, yamlLine).value;
  const tree = parseMarkdown(content);
  if ('rule' in tree) {
    // an error, not a notice: without its sections, the units made from the document would be reported as removed
    const where = `${path}:${tree.line + contentLine - 1}`;
    throw new VadeError('request_invalid', `${where} [${tree.rule}] ${tree.message}; ${tree.help}`);
  }
  const before = text.slice(0, text.trimEnd().length - content.trimEnd().length);
  const title = documentTitle(tree, front ?? {});
  const document = { path, title, front: front ?? {}, tree, content, firstLine: before.split('\n').length };
  const parts = partsOf(tree, title);
  return {
    sections: parts.filter((part) => !isEmpty(part)).map((part) => toSection(document, part)),
    notices: [...frontNotices(path, front), ...emptyNotices(path, parts)],
  };
}

function documentTitle(tree: Root, front: LegacyDocument['front']): string | null {
  const h1 = tree.children.filter(isBoundary).find((node) => node.depth === 1);
  const names = [h1 && headingWords(h1), front['title'], front['name']];
  const title = names.find((name) => typeof name === 'string' && hasWords(name)) as string | undefined;
  return title === undefined ? null : squeeze(title);
}

function frontNotices(path: string, front: LegacyDocument['front'] | null): string[] {
  if (front === null) return [`${path}: the front matter is not valid YAML and was left out`];
  const lost = Object.keys(front).filter((key) => !['name', 'title', 'description'].includes(key));
  return lost.length > 0 ? [`${path}: not carried over from the front matter: ${lost.join(', ')}`] : [];
}

function emptyNotices(path: string, parts: readonly Part[]): string[] {
  if (parts.every(isEmpty)) return [`${path} contains no instructions`];
  return parts.flatMap((part, i) => {
    // a heading that only contains smaller headings needs no notice
    const missed = isEmpty(part) && part.heading !== null && (parts[i + 1]?.depth ?? 0) <= part.depth;
    return missed ? [`${path}: “${part.heading}” has no text of its own and was left out`] : [];
  });
}

function partsOf(tree: Root, title: string | null): Part[] {
  let part: Part = { depth: 0, heading: null, parent: null, nodes: [] };
  const parts = [part];
  let above = title;
  for (const node of tree.children) {
    const isTitle = part.depth === 0 && !part.nodes.some(isBoundary);
    if (isBoundary(node) && !(node.depth === 1 && isTitle)) {
      const heading = headingWords(node);
      part = { depth: node.depth, heading, parent: node.depth === 3 ? above : title, nodes: [] };
      parts.push(part);
      if (node.depth < 3) above = heading;
    }
    part.nodes.push(node);
  }
  return parts;
}

const isBoundary = (node: RootContent): node is Heading => node.type === 'heading' && node.depth <= 3;
const isEmpty = (part: Part) => !hasWords(plainBlocks(part).join(' '));
const hasWords = (text: string) => /[\p{L}\p{N}]/u.test(text);

function toSection(document: LegacyDocument, part: Part): Section {
  const last = part.nodes.findLast((node) => node.type !== 'thematicBreak');
  const start = part.nodes[0]?.position?.start;
  // from the start of the line, because the indentation of the first list item matters
  const from = (start?.offset ?? 0) - (start?.column ?? 1) + 1;
  const slice = (begin?: number, end?: number) => document.content.slice(begin, end).trimEnd();
  const defined = definitionsElsewhere(part, document.tree).map((it) =>
    slice(it.position?.start.offset, it.position?.end.offset),
  );
  return {
    document,
    title: [part.heading ?? '', document.title ?? ''].find(hasWords) ?? stemOf(document.path),
    isPreamble: part.heading === null,
    parent: part.parent,
    line: document.firstLine + (start?.line ?? 1) - 1,
    text: [slice(from, last?.position?.end.offset), ...defined].join('\n\n'),
    opening: openingOf(part, document),
    plain: plainBlocks(part).join(' '),
  };
}

/** The link definitions that a part uses and that are in another part, often at the end of the document. */
function definitionsElsewhere(part: Part, tree: Root): Definition[] {
  const used = new Set<string>();
  visit({ type: 'root', children: part.nodes } satisfies Root, (node) => {
    if (node.type === 'linkReference' || node.type === 'imageReference') used.add(node.identifier);
  });
  const definitions = tree.children.filter((node) => node.type === 'definition');
  return definitions.filter((it) => used.has(it.identifier) && !part.nodes.includes(it));
}

function openingOf(part: Part, { front }: LegacyDocument): string {
  const description = part.heading === null && front['description'];
  if (typeof description === 'string' && hasWords(description)) return squeeze(description);
  const paragraphs = plainBlocks(part, ['paragraph']).filter(hasWords);
  // an API call makes a poor description
  return paragraphs.find((it) => !/^(?:GET|POST|PUT|PATCH|DELETE|[$/{])/.test(it)) ?? paragraphs[0] ?? '';
}

/** The text below a part's heading, block by block, as plain text without comments and tags. */
function plainBlocks(part: Part, types = ['paragraph', 'heading', 'code', 'html']): string[] {
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

/** A text on one line without control characters, as front matter requires (`oneLine`). */
export const squeeze = (text: string) => text.replace(/[\s\p{Cc}]+/gu, ' ').trim();

const FILE_NAME = /^\S+\.md\s*[-–—:|]+\s*/i;
const NUMBERING = /^(?:(?:step|phase|part|chapter)\s+)?(?:\d+(?:\.\d+)*[.):]|\d+(?:\.\d+)+|\d+\s*[-–—])\s+/i;

/** The words of a heading without a file name or numbering in front of them. */
function headingWords(node: Heading): string {
  const whole = squeeze(toString(node, { includeHtml: false }));
  const bare = whole.replace(FILE_NAME, '').replace(NUMBERING, '');
  return hasWords(bare) ? bare : whole;
}

/** A document's short name: its file name, or its folder's name for common file names such as README. */
export function stemOf(path: string): string {
  const stem = squeeze(posix.basename(path, posix.extname(path)));
  const folder = squeeze(posix.basename(posix.dirname(path)));
  return [/^(?:agents|index|readme|skill)$/i.test(stem) ? folder : '', stem].find(hasWords) ?? 'document';
}

const LETTERS: Readonly<Record<string, string>> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd' };

/** A unit's name made from a title; for a title without Latin letters, from its digest, so that it is stable. */
export function slugOf(title: string): string {
  const text = words(title.replace(/['’]/g, '')).join(' ');
  const latin = text.replace(/[ßæœøłđ]/g, (letter) => LETTERS[letter] ?? '').match(/[a-z0-9]+/g);
  const slug = latin?.reduce((name, word) => (name.length + word.length < 64 ? `${name}-${word}` : name)).slice(0, 64);
  return slug ?? `section-${sha256(title).slice(0, 8)}`;
}

/** The first free name for a section: its title, then document and title, then these with a number. */
export function nameFor({ title, document }: Section, isFree: (name: string) => boolean): string {
  const plain = slugOf(title);
  const stem = slugOf(stemOf(document.path));
  const prefixed = stem === plain ? plain : slugOf(`${stem} ${plain}`);
  let name = isFree(plain) ? plain : prefixed;
  for (let n = 2; !isFree(name); n++) name = slugOf(`${prefixed.slice(0, 56)} ${n}`);
  return name;
}

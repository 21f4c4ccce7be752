import type { Root } from 'mdast';
import { toString } from 'mdast-util-to-string';
import { remark } from 'remark';
import { visit } from 'unist-util-visit';
import { fault, type Fault, type Position } from '../model/fault.ts';
import type { TreeFile } from '../model/sources.ts';
import { Delivery, type Link, type Unit } from '../model/unit.ts';
import { decodeYaml } from './decode.ts';
import { normaliseText, splitFrontMatter, type SplitFile } from './split.ts';
import { unitName } from './survey.ts';

const markdown = remark().freeze();

export interface Parsed<T> {
  readonly value: T | null;
  readonly faults: readonly Fault[];
}

/** One unit file to one unit (DESIGN §5), or to every fault in it. Untrusted input: nothing in it is run. */
export function parseUnit(file: TreeFile, bytes: Buffer, garden: string): Parsed<Unit> {
  const { value: text, faults } = parseText(file.path, bytes);
  if (text === null) return { value: null, faults };
  const split = splitFrontMatter(text);
  if (split.yaml === null) return { value: null, faults: [missingFrontMatter(file.path, split)] };
  const decoded = decodeYaml(Delivery, split.yaml, file.path, split.yamlLine);
  if (decoded.value === null) return { value: null, faults: decoded.faults };
  const body = readBody(split);
  if (body === null) {
    const message = 'the Markdown is nested deeper than anybody reads';
    return { value: null, faults: [fault('nesting_too_deep', file.path, message, 'flatten its quotes and lists')] };
  }
  return {
    value: {
      name: unitName(file.path),
      garden,
      file: file.path,
      delivery: decoded.value,
      content: split.content,
      ...body,
      at: (key, index) => decoded.at(index === undefined ? key.split('.') : [...key.split('.'), index]),
    },
    faults: [],
  };
}

/** Deeper than anybody writes; checked on the text, for a parser would take seconds to get there. */
const TOO_DEEP = /^(?:[ \t]*(?:>|[*+-][ \t]|\d{1,9}[.)][ \t])){100}|\[{100}/m;

function readBody({ content, contentLine }: SplitFile): Pick<Unit, 'headings' | 'links'> | null {
  if (TOO_DEEP.test(content)) return null;
  try {
    const tree = markdown.parse(content);
    return { headings: headingsOf(tree), links: linksOf(tree, content, contentLine) };
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** A text file of the sources, or why it is none. */
export function parseText(file: string, bytes: Buffer): Parsed<string> {
  const text = normaliseText(bytes);
  if (text === null) {
    return {
      value: null,
      faults: [fault('encoding_invalid', file, 'not UTF-8 text', 'save it as UTF-8, or remove it')],
    };
  }
  if (text.startsWith('version https://git-lfs.github.com/spec/')) {
    return {
      value: null,
      faults: [fault('lfs_pointer', file, 'a Git LFS pointer, not the text', 'commit the text itself')],
    };
  }
  return { value: text, faults: [] };
}

function missingFrontMatter(file: string, { foreign }: SplitFile): Fault {
  if (foreign === null) {
    return fault('front_matter_missing', file, 'no front matter', 'begin with --- and a description');
  }
  return fault(
    'front_matter_invalid',
    file,
    `front matter in “${foreign}” is never read`,
    'write it in YAML, after a bare ---',
  );
}

function headingsOf(tree: Root): string[] {
  const found: string[] = [];
  visit(tree, 'heading', (node) => void found.push(toString(node)));
  return found;
}

const URI = /\binstruction:[a-z0-9/-]+\/v\d+/g;

function linksOf(tree: Root, content: string, firstLine: number): Link[] {
  const found: Link[] = [];
  const at = (offset: number): Position => {
    const lines = content.slice(0, offset).split('\n');
    return { line: lines.length + firstLine - 1, column: (lines.at(-1)?.length ?? 0) + 1 };
  };
  visit(tree, (node) => {
    const start = node.position?.start.offset ?? 0;
    if (node.type === 'link' || node.type === 'definition') {
      found.push({ target: node.url, at: at(start) });
    } else if (node.type === 'text' || node.type === 'inlineCode') {
      const written = content.slice(start, node.position?.end.offset);
      for (const match of written.matchAll(URI)) found.push({ target: match[0], at: at(start + match.index) });
    }
  });
  return found;
}

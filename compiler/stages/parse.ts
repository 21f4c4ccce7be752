import type { Root } from 'mdast';
import { toString } from 'mdast-util-to-string';
import { visit } from 'unist-util-visit';
import { fault, type Fault, type Position } from '../model/fault.ts';
import type { TreeFile } from '../model/sources.ts';
import { Delivery, type Link, type Unit } from '../model/unit.ts';
import { decodeYaml } from './decode.ts';
import { placesIn } from './lint/finding.ts';
import { parseMarkdown } from './markdown.ts';
import { normaliseText, splitFrontMatter, type SplitFile } from './split.ts';
import { unitName } from './survey.ts';

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
  const tree = parseMarkdown(split.content);
  if ('rule' in tree) {
    const at = { line: tree.line + split.contentLine - 1, column: 1 };
    return { value: null, faults: [fault(tree.rule, file.path, tree.message, tree.help, at)] };
  }
  return {
    value: {
      name: unitName(file.path),
      garden,
      file: file.path,
      delivery: decoded.value,
      content: split.content,
      headings: headingsOf(tree),
      links: linksOf(tree, split),
      at: (key, index) => decoded.at(index === undefined ? key.split('.') : [...key.split('.'), index]),
    },
    faults: [],
  };
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

function linksOf(tree: Root, { content, contentLine }: SplitFile): Link[] {
  const found: Link[] = [];
  const place = placesIn(content);
  const at = (offset: number): Position => {
    const { line, column } = place(offset);
    return { line: line + contentLine - 1, column };
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

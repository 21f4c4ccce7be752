import type { Paragraph, RootContent } from 'mdast';
import { toString } from 'mdast-util-to-string';
import { visit } from 'unist-util-visit';
import { parseMarkdown } from '../../sources/markdown.ts';
import { headingWords } from './headings.ts';
import { squeeze } from './names.ts';

/** The smallest piece of a section that may stand in a unit without the others: a block, or an item of a list. */
export interface TextPiece {
  readonly node: RootContent;
  /** The subject that begins here, in its author's own words; null where no words name one. */
  readonly head: string | null;
  /** Whether it only introduces what comes after it. */
  readonly introduces: boolean;
  /** The tags around it; null outside of any. */
  readonly within: string | null;
}

/** The atoms of a section, in order. Markup such as `<rules>…</rules>` around lines is what headings are elsewhere. */
export function atomsOf(nodes: readonly RootContent[], content: string): TextPiece[] {
  const from = nodes[0]?.position?.start.offset ?? 0;
  const to = nodes.at(-1)?.position?.end.offset ?? from;
  const marked = markedIn(content.slice(from, to));
  if (marked.length < 2) return nodes.flatMap(atomsIn);
  const ends = [...marked.flatMap(({ start, end }) => [start, end]), to - from];
  const regions = ends.map((end, i) => {
    const start = ends[i - 1] ?? 0;
    const name = i % 2 === 1 ? (marked[(i - 1) / 2]?.name ?? null) : null;
    return reparsed(content, from + start, from + end, name);
  });
  return regions.some((it) => it === null) ? nodes.flatMap(atomsIn) : regions.flatMap((it) => it ?? []);
}

interface Marked {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** The outermost pairs of tags that stand alone on their lines, outside of code. */
function markedIn(text: string): Marked[] {
  const closed = new Map([...text.matchAll(/^<\/([A-Za-z][\w-]*)>/gm)].map((it) => [it[1], it.index]));
  const found: Marked[] = [];
  let [open, start, at, isCode] = ['', 0, 0, false];
  for (const line of text.split('\n')) {
    if (/^ {0,3}(?:```|~~~)/.test(line)) isCode = !isCode;
    const [, slash, name = ''] = isCode ? [] : (/^<(\/?)([A-Za-z][\w-]*)>\s*$/.exec(line) ?? []);
    if (open === '' && slash === '' && (closed.get(name) ?? 0) > at) [open, start] = [name, at];
    at = Math.min(at + line.length + 1, text.length);
    if (slash === '/' && open === name) {
      found.push({ name, start, end: at });
      open = '';
    }
  }
  return found;
}

/** The atoms of a span of the text, parsed alone; its tags are blocks of their own. */
function reparsed(content: string, from: number, to: number, name: string | null): TextPiece[] | null {
  const text = content.slice(from, to);
  const [open, close] = name === null ? [0, text.length] : [text.indexOf('\n') + 1, text.lastIndexOf('</')];
  const inner = text.slice(open, close);
  const tree = parseMarkdown(inner);
  if ('rule' in tree) return null;
  const lines = content.slice(0, from + open).split('\n').length - 1;
  visit(tree, ({ position }) => {
    for (const point of position ? [position.start, position.end] : []) {
      point.offset = (point.offset ?? 0) + from + open;
      point.line += lines;
    }
  });
  const tag = (value: string, offset: number, line: number): RootContent => {
    const at = (add: number) => ({ line, column: 1 + add, offset: offset + add });
    return { type: 'html', value, position: { start: at(0), end: at(value.length) } };
  };
  const atoms = tree.children.flatMap(atomsIn);
  if (name === null) return atoms;
  const [first, last] = [text.slice(0, open).trimEnd(), text.slice(close).trimEnd()];
  const lastLine = lines + inner.split('\n').length;
  const within = name.replace(/[_-]+/g, ' ');
  return [
    { node: tag(first, from, lines), head: within, introduces: true, within },
    ...atoms.map((it, i) => ({ ...it, introduces: it.introduces || i === atoms.length - 1, within })),
    { node: tag(last, from + close, lastLine), head: null, introduces: false, within },
  ];
}

function atomsIn(node: RootContent): TextPiece[] {
  if (node.type === 'list')
    return node.children.map((item) => {
      const position = item.position ?? node.position;
      return {
        node: { ...node, children: [item], ...(position && { position }) },
        head: null,
        introduces: false,
        within: null,
      };
    });
  if (node.type === 'heading') return [{ node, head: headingWords(node), introduces: true, within: null }];
  if (node.type !== 'paragraph') return [{ node, head: null, introduces: false, within: null }];
  const head = leadOf(node);
  return [{ node, head, introduces: head !== null || /[:：]$/.test(toString(node).trim()), within: null }];
}

/** A paragraph in bold letters is a heading in other dress. */
function leadOf(node: Paragraph): string | null {
  const [first, ...rest] = node.children;
  const said = squeeze(toString(node));
  const isAlone =
    first?.type === 'strong' && squeeze(rest.map((it) => toString(it)).join('')).replace(/[:：.]/g, '') === '';
  return isAlone && said.length <= 80 ? said.replace(/[:：.]+$/, '') : null;
}

import type { Heading, Root } from 'mdast';
import { remark } from 'remark';
import { visit } from 'unist-util-visit';
import { parseMarkdown } from '../sources/markdown.ts';
import { BOOT, type ExportedUnit } from './exported-agent.ts';

const DEEPEST = 6;

/** A unit's text for a file of several. */
export interface Block {
  readonly unit: ExportedUnit;
  readonly text: string;
  /** Levels by which its headings are lower than in the unit. */
  readonly lowered: number;
  /** The level of the heading that it begins with; null without one that can stand for all of it. */
  readonly level: number | null;
}

/**
 * A unit's text for a file of several. That of a document stays as it is; of one written by hand the title becomes a
 * heading of the second level, or all headings are below the one that its section gets, so that none can pass for
 * another unit. Null if its Markdown would reach into the next section.
 */
export function blockOf(unit: ExportedUnit): Block | null {
  const text = unit.content.trimEnd();
  const headings = closedHeadings(text);
  if (headings === null) return null;
  const [first, ...others] = headings;
  const begins = first?.position?.start.offset === 0;
  if (unit.source !== null) return { unit, text, lowered: 0, level: begins ? first.depth : null };
  const isTitled = begins && unit.name !== BOOT && others.every((it) => it.depth > first.depth);
  const top = Math.min(...headings.map((it) => it.depth));
  const lowered = headings.length === 0 ? 0 : isTitled ? 2 - top : Math.max(0, 3 - top);
  return { unit, text: moveHeadings(text, headings, lowered), lowered, level: isTitled ? 2 : null };
}

const writer = remark().data('settings', { bullet: '-' }).freeze();

/** Text of others as the title of a file. */
export function titleOf(value: string): string {
  const heading: Heading = { type: 'heading', depth: 1, children: [{ type: 'text', value }] };
  return writer.stringify({ type: 'root', children: [heading] }).trimEnd();
}

/** The target of a link to a unit's section: its first heading as hosts name it, or the heading that is its name. */
export function anchorOf({ name, content }: Pick<ExportedUnit, 'name' | 'content'>): string {
  const [, words] = /^#{1,6} +(.*)/.exec(content) ?? [];
  const named = words?.toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, '');
  return named?.trim().replace(/\s/g, '-') ?? name;
}

/** The heading that is put behind an untrusted text to test it; it must still be a heading of its own. */
const NEXT = 'next';

/** The headings of a text; null if it is too costly to parse, or reaches beyond its end. */
function closedHeadings(text: string): Heading[] | null {
  const tree = parseMarkdown(`${text}\n\n## ${NEXT}\n`);
  if ('rule' in tree) return null;
  const next = tree.children.at(-1);
  if (next?.type !== 'heading' || next.position?.start.offset !== text.length + 2 || hasOpenElement(tree)) return null;
  return headingsIn(tree).filter((it) => it !== next);
}

function headingsIn(tree: Root): Heading[] {
  const headings: Heading[] = [];
  visit(tree, 'heading', (it) => void headings.push(it));
  return headings;
}

/** Elements that would hide, or show otherwise, what follows them in a file. */
const ELEMENTS =
  'details|dialog|div|iframe|math|noscript|object|script|section|select|style|svg|table|template|textarea|title|xmp';
const TAG = new RegExp(`<(/?)(${ELEMENTS})(?=[\\s/>])[^>]*?(/?)>`, 'gi');

/** Whether an element is open at the end of a text, or ends one that was open before it. */
function hasOpenElement(tree: Root): boolean {
  const open = new Map<string, number>();
  const beyond: string[] = [];
  visit(tree, 'html', ({ value }) => {
    for (const [, ends = '', name = '', empty = ''] of value.replace(/<!--[\s\S]*?-->/g, '').matchAll(TAG)) {
      if (empty === '/') continue;
      const count = (open.get(name.toLowerCase()) ?? 0) + (ends === '' ? 1 : -1);
      open.set(name.toLowerCase(), count);
      if (count < 0) beyond.push(name);
    }
  });
  return beyond.length > 0 || [...open.values()].some((count) => count !== 0);
}

/** Takes back what lowering did to the headings of a section. */
export function raiseHeadings(text: string, by: number): string {
  const tree = parseMarkdown(text);
  return 'rule' in tree ? text : moveHeadings(text, headingsIn(tree), -by);
}

const moveHeadings = (text: string, headings: readonly Heading[], by: number) =>
  by === 0
    ? text
    : headings.reduceRight((done, it) => move(done, it, Math.min(DEEPEST, Math.max(1, it.depth + by))), text);

/** Rewrites one heading in place: more `#`, or `#` instead of an underline. */
function move(text: string, { position, children }: Heading, depth: number): string {
  const start = position?.start.offset ?? 0;
  const end = position?.end.offset ?? 0;
  const from = children[0]?.position?.start.offset ?? end;
  const to = children.at(-1)?.position?.end.offset ?? from;
  const words = text.slice(from, to).replace(/\s*\n\s*/g, ' ');
  return `${text.slice(0, start)}${'#'.repeat(depth)}${words === '' ? '' : ` ${words}`}${text.slice(end)}`;
}

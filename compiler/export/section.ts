import type { Heading, Root } from 'mdast';
import { remark } from 'remark';
import { visit } from 'unist-util-visit';
import { parseMarkdown } from '../sources/markdown.ts';
import { lengthsOf, NEXT_INTENT } from './describe.ts';
import type { ExportedUnit } from './exported-agent.ts';

/** In a file of several units, the second level is theirs, and a unit's own headings begin below it. */
const OWN_HEADINGS = 3;
const DEEPEST = 6;

/**
 * A unit as a section of a file: its name, its description, when it is needed, and its text, whose headings are
 * lowered. Null if its Markdown would reach into the next section.
 */
export function sectionOf({ name, description, intents, content }: ExportedUnit): string | null {
  const body = lowerHeadings(content);
  if (body === null) return null;
  const needed = intents.length === 0 ? [] : [`${NEEDED}${plain(intents.join(NEXT_INTENT))}`];
  return [`## ${name}`, plain(description), ...needed, body].join('\n\n');
}

/** In front of a unit's intents. */
export const NEEDED = 'Needed when: ';

/** Lengths that a reader of a section needs beside it; null if none are needed. */
export function sectionLengths(unit: ExportedUnit): readonly number[] | null {
  const { intents, content } = unit;
  const isPlain = intents.join(NEXT_INTENT).split(NEXT_INTENT).length === Math.max(1, intents.length);
  return isPlain && (intents.length > 0 || !content.startsWith(NEEDED.trim())) ? null : lengthsOf(unit);
}

/** Rules without a heading of their own; null as above. */
export const preambleOf = (rules: string): string | null => lowerHeadings(rules);

const writer = remark().data('settings', { bullet: '-' }).freeze();

/** Text of others as a paragraph that is only text: no heading, HTML, link or list. */
export function plain(value: string): string {
  const root: Root = { type: 'root', children: [{ type: 'paragraph', children: [{ type: 'text', value }] }] };
  return writer.stringify(root).trimEnd();
}

/** Text of others as the title of a file. */
export function titleOf(value: string): string {
  const heading: Heading = { type: 'heading', depth: 1, children: [{ type: 'text', value }] };
  return writer.stringify({ type: 'root', children: [heading] }).trimEnd();
}

/** The heading that is put behind an untrusted text to test it; it must still be a heading of its own. */
const NEXT = 'next';

/** The text with its headings below those of the file; null if it is too costly to parse, or reaches beyond its end. */
function lowerHeadings(content: string): string | null {
  const text = content.trimEnd();
  const tree = parseMarkdown(`${text}\n\n## ${NEXT}\n`);
  if ('rule' in tree) return null;
  const next = tree.children.at(-1);
  if (next?.type !== 'heading' || next.position?.start.offset !== text.length + 2 || hasOpenElement(tree)) return null;
  const headings: Heading[] = [];
  visit(tree, 'heading', (it) => void headings.push(it));
  const own = headings.filter((it) => it !== next);
  const by = OWN_HEADINGS - Math.min(OWN_HEADINGS, ...own.map((it) => it.depth));
  return own.reduceRight((done, it) => lower(done, it, Math.min(DEEPEST, it.depth + by)), text);
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

/** Takes back what lowering did to the headings of a section: the highest becomes a title again. */
export function raiseHeadings(text: string): string {
  const tree = parseMarkdown(text);
  if ('rule' in tree) return text;
  const headings: Heading[] = [];
  visit(tree, 'heading', (it) => void headings.push(it));
  if (Math.min(...headings.map((it) => it.depth)) !== OWN_HEADINGS) return text;
  return headings.reduceRight((done, it) => lower(done, it, it.depth - OWN_HEADINGS + 1), text);
}

/** Rewrites one heading in place: more `#`, or `#` instead of an underline. */
function lower(text: string, { position, children }: Heading, depth: number): string {
  const start = position?.start.offset ?? 0;
  const end = position?.end.offset ?? 0;
  const from = children[0]?.position?.start.offset ?? end;
  const to = children.at(-1)?.position?.end.offset ?? from;
  const words = text.slice(from, to).replace(/\s*\n\s*/g, ' ');
  return `${text.slice(0, start)}${'#'.repeat(depth)}${words === '' ? '' : ` ${words}`}${text.slice(end)}`;
}

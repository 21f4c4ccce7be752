import type { Heading, Root, RootContent } from 'mdast';
import { toString } from 'mdast-util-to-string';
import type { KnownUnit } from '../schema/source/known-unit.ts';
import { parseMarkdown } from '../sources/markdown.ts';
import { cutIntents, NEXT_INTENT } from './describe.ts';
import { introOf } from './join-units.ts';
import type { Provenance } from './provenance.ts';
import { checked, type Returned } from './returned.ts';
import { NEEDED, raiseHeadings } from './section.ts';

/** Reads a file of several units. What somebody added to it in another form is its rest. */
export function readSections(text: string, provenance: Provenance): Returned | null {
  const tree = parseMarkdown(text);
  if ('rule' in tree) return null;
  const { first, preamble, sections } = partsOf(tree);
  const intro = preamble.findIndex((it) => toString(it) === introOf(provenance));
  const said = intro === -1 ? [] : preamble.slice(intro + 1);
  const units = sections.map((nodes) => ({ nodes, unit: unitOf(nodes, text, provenance) }));
  const unlisted = units.findIndex(({ unit }) => unit?.name === provenance.unlisted_from);
  const read = units.map((it, i) => (unlisted === -1 || i < unlisted ? it : unlistedOf(it)));
  const known = read.filter((it) => it.unit !== null).flatMap(({ nodes }) => nodes);
  const [start] = said;
  return {
    units: read.flatMap(({ unit }) => unit ?? []),
    rules: start ? { content: raiseHeadings(`${sourceOf(said, text)}\n`), line: lineOf(start) } : null,
    role: first === null ? null : toString(first),
    rest: blanked(text, [...(first ? [first] : []), ...preamble.slice(intro, intro + 1), ...said, ...known]),
  };
}

const unlistedOf = <T extends { unit: KnownUnit | null }>(it: T): T => ({
  ...it,
  unit: it.unit && { ...it.unit, listed: false },
});

/** The title, what is before the first unit, and each unit with its heading. */
function partsOf({ children }: Root): { first: Heading | null; preamble: RootContent[]; sections: RootContent[][] } {
  const [first] = children;
  const title = first?.type === 'heading' && first.depth === 1 ? first : null;
  const sections: RootContent[][] = [[]];
  for (const node of title ? children.slice(1) : children) {
    if (node.type === 'heading' && node.depth <= 2) sections.push([]);
    sections.at(-1)?.push(node);
  }
  const [preamble = [], ...others] = sections;
  return { first: title, preamble, sections: others };
}

function unitOf([heading, described, ...nodes]: RootContent[], text: string, provenance: Provenance): KnownUnit | null {
  if (heading?.type !== 'heading' || heading.depth !== 2 || described?.type !== 'paragraph') return null;
  const name = toString(heading);
  const lengths = Object.hasOwn(provenance.lengths ?? {}, name) ? provenance.lengths?.[name] : undefined;
  const intents = intentsOf(nodes[0], lengths);
  const body = intents.length > 0 ? nodes.slice(1) : nodes;
  const content = raiseHeadings(`${sourceOf(body, text)}\n`);
  return checked({
    name,
    description: toString(described),
    intents,
    content,
    guaranteed: provenance.guaranteed?.includes(name) ?? false,
    listed: true,
    files: [],
    line: lineOf(body[0] ?? heading),
  });
}

function intentsOf(node: RootContent | undefined, lengths: readonly number[] | undefined): string[] {
  const told = node?.type === 'paragraph' ? toString(node) : '';
  if (!told.startsWith(NEEDED) || lengths?.length === 1) return [];
  const joined = told.slice(NEEDED.length);
  const cut = cutIntents(joined, lengths?.slice(1) ?? []);
  return cut.join(NEXT_INTENT) === joined ? cut : joined.split(NEXT_INTENT);
}

/** From the start of its first line, because the indentation of a list or of code matters. */
function sourceOf(nodes: readonly RootContent[], text: string): string {
  const start = nodes[0]?.position?.start;
  const from = (start?.offset ?? 0) - (start?.column ?? 1) + 1;
  return start ? text.slice(from, nodes.at(-1)?.position?.end.offset) : '';
}

const lineOf = ({ position }: RootContent) => position?.start.line ?? 1;

/** A text whose other lines keep their numbers. */
function blanked(text: string, nodes: readonly RootContent[]): string {
  const lines = text.split('\n');
  for (const { position } of nodes) if (position) lines.fill('', position.start.line - 1, position.end.line);
  return lines.join('\n');
}

import type { Nodes, Root } from 'mdast';
import { toString } from 'mdast-util-to-string';
import { z } from 'zod';
import { diagnostic, type Diagnostic } from '../schema/diagnostics.ts';
import type { KeptResults } from '../schema/kept-results.ts';
import type { SkillSource, TreeFile } from '../schema/source/sources.ts';
import { Delivery, type Link, type Unclosed, type Unit } from '../schema/source/unit.ts';
import { unitName } from './classify-files.ts';
import { conflictLine } from './conflict.ts';
import { placesIn } from './finding.ts';
import { normaliseText, splitFrontMatter, type SplitFile } from './front-matter.ts';
import { parseMarkdown, type Unparsed } from './markdown.ts';
import { placesOf } from './places.ts';
import { unclosedIn } from './unclosed.ts';
import { decodeYaml, type Decoded } from './yaml.ts';

export interface Parsed<T> {
  readonly value: T | null;
  readonly faults: readonly Diagnostic[];
}

/** The units of files, and all their diagnostics. @param kept what was parsed before */
export function parseUnits(
  { read, kept }: { readonly read: (file: TreeFile) => Buffer; readonly kept?: KeptResults | null | undefined },
  files: readonly TreeFile[],
  garden: string,
): { units: Unit[]; faults: Diagnostic[] } {
  const parsed = files.map((file) => parseUnit(file, read(file), garden, kept));
  return { units: parsed.flatMap((it) => it.value ?? []), faults: parsed.flatMap((it) => it.faults) };
}

/**
 * Parses a unit file into a unit (DESIGN §5), or into all its diagnostics. Untrusted input: no code in it is run.
 *
 * @param kept what was parsed before
 */
export function parseUnit(
  file: TreeFile,
  bytes: Buffer,
  garden: string,
  kept: KeptResults | null = null,
): Parsed<Unit> {
  if (file.skill) return parseSkill(file, file.skill, bytes, garden, kept);
  const { value: front, faults } = parseFront(file, bytes, kept);
  if (front === null) return { value: null, faults };
  const { split, delivery, look } = front;
  const body = readBody(split, kept);
  if ('rule' in body) {
    const at = { line: body.line + split.contentLine - 1, column: 1 };
    return { value: null, faults: [diagnostic(body.rule, file.path, body.message, body.help, at)] };
  }
  return {
    value: {
      name: unitName(file.path),
      garden,
      file: file.path,
      delivery,
      content: split.content,
      ...body,
      at: placesOf(delivery, look),
    },
    faults: [],
  };
}

/** A skill, whose front matter was read while the sources were opened. Its links are those of its host. */
function parseSkill(
  file: TreeFile,
  skill: SkillSource,
  bytes: Buffer,
  garden: string,
  kept: KeptResults | null,
): Parsed<Unit> {
  const { value: text, faults } = parseText(skill.file, bytes);
  if (text === null) return { value: null, faults };
  const split = splitFrontMatter(text);
  const body = readBody(split, kept);
  const headings = 'rule' in body ? [] : body.headings;
  const files = skill.patterns.length === 0 ? undefined : skill.patterns;
  return {
    value: {
      name: unitName(file.path),
      garden,
      file: skill.file,
      delivery: { ...Delivery.parse({ description: '-', files }), description: skill.shown },
      content: split.content,
      headings,
      links: [],
      unclosed: [],
      skill,
      at: () => ({ line: 1, column: 1 }),
    },
    faults: [],
  };
}

/** The delivery metadata of a unit, without parsing its body. */
export function parseDelivery(file: TreeFile, bytes: Buffer): Parsed<Delivery> {
  const { value, faults } = parseFront(file, bytes, null);
  return { value: value?.delivery ?? null, faults };
}

interface Front {
  readonly split: SplitFile;
  readonly delivery: Delivery;
  /** Decodes it again, for its positions. */
  readonly look: () => Decoded<Delivery>['at'];
}

function parseFront({ path }: TreeFile, bytes: Buffer, kept: KeptResults | null): Parsed<Front> {
  const { value: text, faults } = parseText(path, bytes);
  if (text === null) return { value: null, faults };
  const split = splitFrontMatter(text);
  if (split.yaml === null) return { value: null, faults: [missingFrontMatter(path, split)] };
  if (!split.closed) return { value: null, faults: [unclosedFrontMatter(path)] };
  const { yaml, yamlLine } = split;
  const { value: delivery, faults: invalid } = decodeYaml(Delivery, yaml, path, yamlLine, kept);
  if (delivery === null) return { value: null, faults: invalid };
  const look = () => decodeYaml(Delivery, yaml, path, yamlLine).at;
  return { value: { split, delivery, look }, faults: [] };
}

/** A text file of the sources, or the diagnostic if it is not text. */
export function parseText(file: string, bytes: Buffer): Parsed<string> {
  const text = normaliseText(bytes);
  if (text === null) {
    const message = bytes.includes(0) ? 'it has a NUL character, as a binary file has' : 'not UTF-8 text';
    return { value: null, faults: [diagnostic('encoding_invalid', file, message, 'save it as UTF-8, or remove it')] };
  }
  if (text.startsWith('version https://git-lfs.github.com/spec/')) {
    return {
      value: null,
      faults: [diagnostic('lfs_pointer', file, 'a Git LFS pointer, not the text', 'commit the text itself')],
    };
  }
  const line = conflictLine(text);
  if (line === null) return { value: text, faults: [] };
  const fault = diagnostic('conflict_markers', file, IN_CONFLICT, 'resolve the conflict', { line, column: 1 });
  return { value: null, faults: [fault] };
}

const IN_CONFLICT = 'git left both sides of a merge conflict here';

function missingFrontMatter(file: string, { foreign }: SplitFile): Diagnostic {
  if (foreign === null) {
    return diagnostic('front_matter_missing', file, 'no front matter', 'begin with --- and a description');
  }
  return diagnostic(
    'front_matter_invalid',
    file,
    `the front matter is in “${foreign}”, not in YAML`,
    'write it in YAML, after a line of --- alone',
  );
}

function unclosedFrontMatter(file: string): Diagnostic {
  const message = 'the front matter begins here and is never closed';
  return diagnostic('front_matter_invalid', file, message, 'end it with a line of --- alone');
}

/** The parts of a body that its Markdown tells. */
type Body = Pick<Unit, 'headings' | 'links' | 'unclosed'>;

const Place = z.strictObject({ line: z.int(), column: z.int() });

const KeptBody = z.strictObject({
  headings: z.array(z.string()),
  links: z.array(z.strictObject({ target: z.string(), at: Place })),
  unclosed: z.array(z.strictObject({ what: z.enum(['code fence', 'comment']), at: Place })),
});

/** The parts of a body, or why it is not parsed. */
function readBody(split: SplitFile, kept: KeptResults | null): Body | Unparsed {
  const inputs = `${split.contentLine}\n${split.content}`;
  const known = kept?.find('markdown', inputs, KeptBody);
  if (known) return known;
  const tree = parseMarkdown(split.content);
  if ('rule' in tree) return tree;
  const body = partsOf(tree, split);
  kept?.keep('markdown', inputs, body);
  return body;
}

const URI = /\binstruction:[a-z0-9/-]+\/v\d+/g;

/** Headings, links and what is left open, in the text's order; in one walk, as a large body has ten thousand nodes. */
function partsOf(tree: Root, { content, contentLine }: SplitFile): Body {
  const headings: string[] = [];
  const links: Link[] = [];
  const unclosed: Unclosed[] = [];
  const place = placesIn(content);
  const placed = (offset: number) => {
    const { line, column } = place(offset);
    return { line: line + contentLine - 1, column };
  };
  const link = (target: string, offset: number) => void links.push({ target, at: placed(offset) });
  for (const node of nodesOf(tree)) {
    const start = node.position?.start.offset ?? 0;
    if (node.type === 'heading') headings.push(toString(node));
    else if (node.type === 'link' || node.type === 'definition') link(node.url, start);
    else if (node.type === 'text' || node.type === 'inlineCode') {
      const written = content.slice(start, node.position?.end.offset);
      for (const match of written.matchAll(URI)) link(match[0], start + match.index);
    } else {
      const open = unclosedIn(node, content.slice(start, node.position?.end.offset));
      if (open !== null) unclosed.push({ what: open.what, at: placed(start + open.index) });
    }
  }
  return { headings, links, unclosed };
}

/** All nodes, parents before children; without recursion, because a hostile text may nest thousands. */
function* nodesOf(tree: Root): Generator<Nodes> {
  const left: Nodes[] = [tree];
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    yield node;
    if ('children' in node) for (let i = node.children.length - 1; i >= 0; i--) left.push(node.children[i] as Nodes);
  }
}

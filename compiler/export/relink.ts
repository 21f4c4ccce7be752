import { posix } from 'node:path';
import type { Definition, Link } from 'mdast';
import { visit } from 'unist-util-visit';
import { parseUri, seriesUri } from '../schema/uri.ts';
import { parseMarkdown } from '../sources/markdown.ts';
import type { ExportedUnit } from './exported-agent.ts';
import { anchorOf } from './section.ts';

/** The parts of a unit that make its address. */
export type Linked = Pick<ExportedUnit, 'name' | 'always' | 'files' | 'content'>;

/** The file of a unit below the folder of its format. */
export type FileOf = (unit: Linked) => string;

/** Files of several units, whose sections a link names. */
const JOINED = /(?:^|\/)(?:AGENTS|copilot-instructions)\.md$/;

/** The target that one exported unit's link to another needs. */
export function hrefOf(fileOf: FileOf, from: Linked, to: Linked): string {
  const file = fileOf(to);
  const path = fileOf(from) === file ? '' : posix.relative(posix.dirname(fileOf(from)), file);
  return JOINED.test(file) ? `${path}#${anchorOf(to)}` : path || posix.basename(file);
}

/** A link between units names a file of the sources; the exported files have other names. */
export interface ExportedUnits {
  /** Every unit that the agent may load, by its file in the sources. */
  readonly byFile: ReadonlyMap<string, ExportedUnit>;
  /** The names of those that are exported. */
  readonly exported: ReadonlySet<string>;
}

/** A unit whose links to other units lead to their exported files. Of a link to any other unit the words stay. */
export function relink(unit: ExportedUnit, { byFile, exported }: ExportedUnits, fileIn: FileOf): ExportedUnit {
  const content = replaceLinks(unit.content, (url) => {
    const to = byFile.get(fileOf(unit, url, byFile) ?? '');
    return to && (exported.has(to.name) ? hrefOf(fileIn, unit, to) : null);
  });
  return { ...unit, content };
}

/** @param targetFor a new target; null for the words alone, undefined for a link that stays */
export function replaceLinks(content: string, targetFor: (url: string) => string | null | undefined): string {
  if (!/\]\(|\]:/.test(content)) return content;
  const tree = parseMarkdown(content);
  if ('rule' in tree) return content;
  const edits: Edit[] = [];
  visit(tree, ['link', 'definition'], (node) => {
    if (node.type !== 'link' && node.type !== 'definition') return;
    const href = targetFor(node.url);
    const edit = href === undefined ? null : editOf(node, content, href);
    if (edit !== null) edits.push(edit);
  });
  return edits.reduceRight((text, it) => text.slice(0, it.from) + it.text + text.slice(it.to), content);
}

const seriesOf = (uri: string) => uri.replace(/\/v\d+$/, '');

/** A change of a text, from an offset to an offset. */
export interface Edit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** The file in the sources that a link names; null for any other link. */
function fileOf(unit: ExportedUnit, target: string, byFile: ExportedUnits['byFile']): string | null {
  const uri = parseUri(target);
  if (uri !== null) return [...byFile].find(([, it]) => seriesOf(it.uri) === seriesUri(uri))?.[0] ?? null;
  const [path = ''] = target.split('#');
  return path === '' ? null : posix.join(posix.dirname(unit.file), path);
}

/** @param href null for the words alone */
function editOf(node: Link | Definition, content: string, href: string | null): Edit | null {
  const start = node.position?.start.offset ?? 0;
  const end = node.position?.end.offset ?? 0;
  if (node.type === 'definition')
    return href === null ? null : { from: start, to: end, text: `[${node.label ?? node.identifier}]: ${href}` };
  const first = node.children[0]?.position?.start.offset;
  const last = node.children.at(-1)?.position?.end.offset;
  if (first === undefined || last === undefined || content[last] !== ']') return null;
  const words = content.slice(first, last);
  return { from: start, to: end, text: href === null ? words : `[${words}](${href})` };
}

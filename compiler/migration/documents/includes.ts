import type { Code, Paragraph, Root } from 'mdast';
import { visit } from 'unist-util-visit';
import { isOpenFence } from '../../sources/unclosed.ts';

/** A line such as `@docs/style.md`, which tools replace by a file. */
const INCLUDE = /^@(?:file |import )?((?:[\w~-]|\.{1,2}(?=[\w/])|\/)*[./][\w./~-]{1,200})$/;

/** The text of a symbolic link where links are checked out as files: one path. */
const LINK = /^[\w./~-]{1,200}\.mdc?$/i;

/** The files that are all that a document says, below headings or not; null if it says more. */
export function onlyInclude(text: string): string | null {
  const said = text.trim();
  if (LINK.test(said)) return said;
  const lines = said.split(/\r?\n/).map((it) => it.trim());
  const spoken = lines.filter((it) => it !== '' && !/^#{1,6}\s/.test(it));
  const included = spoken.map((it) => INCLUDE.exec(it)?.[1]);
  return included.length > 0 && !included.includes(undefined) ? included.join(', ') : null;
}

/** The lines of a document that include files; in a block of code such a line means something else. */
function includesIn(tree: Root, content: string): string[] {
  const found: string[] = [];
  visit(tree, 'paragraph', ({ position }: Paragraph) => {
    const lines = content.slice(position?.start.offset, position?.end.offset).split('\n');
    found.push(...lines.map((it) => it.trim()).filter((it) => INCLUDE.test(it)));
  });
  return found;
}

/** Headings in a block of code that is not closed, or in which another one begins: they were meant to be headings. */
function swallowedHeadings(tree: Root, content: string): { readonly line: number; readonly headings: string[] }[] {
  const found: { line: number; headings: string[] }[] = [];
  visit(tree, 'code', ({ value, position }: Code) => {
    const raw = content.slice(position?.start.offset, position?.end.offset);
    if (!/^(?:`{3}|~{3})/.test(raw) || !(isOpenFence(raw) || /^[ \t]*(?:`{3,}|~{3,})/m.test(value))) return;
    const headings = [...value.matchAll(/^#{2,3} (\S.{0,80})/gm)].map(([, heading = '']) => heading.trim());
    if (headings.length > 0) found.push({ line: position?.start.line ?? 1, headings });
  });
  return found;
}

/** A document whose front matter ends before its first line. */
interface Parsed {
  readonly path: string;
  readonly tree: Root;
  readonly content: string;
  readonly firstLine: number;
}

/** Files that a document includes, none of which is opened, and headings that a block of code has swallowed. */
export function textNotices({ path, tree, content, firstLine }: Parsed): string[] {
  const found = includesIn(tree, content).slice(0, 20);
  return [
    ...(found.length > 0 ? [`${path}: not followed: ${found.join(', ')}; migrate those files too`] : []),
    ...swallowedHeadings(tree, content).map(({ line, headings }) => {
      const which = headings.slice(0, 5).map((it) => `“${it}”`);
      return `${path}:${firstLine + line - 1}: a code block that is not closed hides the headings ${which.join(', ')}: fix its fences`;
    }),
  ];
}

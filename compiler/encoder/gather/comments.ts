import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Prose about a name: a doc comment and the identifier after it, or a paragraph and its heading. */
export interface Documented {
  readonly name: string;
  readonly text: string;
}

const EXTENSIONS = ['.d.ts', '.graphql', '.md'];
const SKIPPED = new Set(['node_modules', '.git']);
const MAX_WORDS = 200;
const MIN_WORDS = 5;

/** Reads the documented names of a package: comments of `.d.ts` files, GraphQL descriptions, Markdown paragraphs. */
export function readComments(folder: string): Documented[] {
  return filesOf(folder).flatMap((path) => {
    const text = readFileSync(path, 'utf8');
    if (path.endsWith('.d.ts')) return fromTypes(text);
    return path.endsWith('.graphql') ? fromGraphql(text) : fromMarkdown(text);
  });
}

function filesOf(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return SKIPPED.has(entry.name) ? [] : filesOf(path);
    const wanted = EXTENSIONS.some((extension) => entry.name.endsWith(extension));
    return wanted && !/^(changelog|license|history)/i.test(entry.name) ? [path] : [];
  });
}

/** Keywords before the name in a declaration. */
const MODIFIERS =
  'export declare default readonly async abstract interface type class enum namespace module function const let var ' +
  'static public protected private';
const DECLARATION = new RegExp(`^(?:(?:${MODIFIERS.replaceAll(' ', '|')})\\s+)*["']?([A-Za-z_$][\\w$]*)`);
const BLOCK_TAGS = /(^|\n)\s*@(param|returns?|throws|example|see|type|default|deprecated|link|remarks)\b[\s\S]*$/;

function fromTypes(text: string): Documented[] {
  return [...text.matchAll(/\/\*\*([\s\S]*?)\*\/\s*(?!\/\*\*)([^\n]*)/g)].flatMap(([, comment = '', next = '']) => {
    const prose = comment
      .replace(/^\s*\*+ ?/gm, '')
      .replace(BLOCK_TAGS, '')
      .replace(/(^|\s)@\w+/g, ' ');
    return documented(DECLARATION.exec(next)?.[1] ?? '', prose);
  });
}

function fromGraphql(text: string): Documented[] {
  return [...text.matchAll(/"""([\s\S]*?)"""\s*(?:(?:type|input|enum|interface|union|scalar)\s+)?(\w+)?/g)].flatMap(
    ([, prose = '', name = '']) => documented(name, prose),
  );
}

function fromMarkdown(text: string): Documented[] {
  let heading = '';
  return text
    .replace(/```[\s\S]*?```/g, '')
    .split(/\n\s*\n/)
    .flatMap((paragraph) => {
      const title = /^#+\s+(.*)/.exec(paragraph.trim());
      if (title) heading = title[1] ?? '';
      return title || /^\s*[|<>\-*\d]/.test(paragraph) ? [] : documented(heading, paragraph);
    });
}

/** Removes links, tags and code marks from prose; leaves out texts of fewer than five words. */
function documented(identifier: string, prose: string): Documented[] {
  const text = prose
    .replace(/\{@\w+\s+([^}]*)\}/g, '$1')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/https?:\/\/\S+/g, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/[`*_#|]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  const words = text.split(' ');
  if (words.length < MIN_WORDS) return [];
  return [{ name: spelledOut(identifier), text: words.slice(0, MAX_WORDS).join(' ') }];
}

/** `issueCommentBody` and `issue_comment-body` are three words. */
function spelledOut(identifier: string): string {
  return identifier
    .replace(/([a-z0-9])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$3 $2')
    .replace(/[^A-Za-z0-9]+/g, ' ')
    .toLowerCase()
    .trim();
}

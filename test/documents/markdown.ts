import { readdirSync, readFileSync } from 'node:fs';
import { toString } from 'mdast-util-to-string';
import { remark } from 'remark';
import { visit } from 'unist-util-visit';

const IGNORED = new Set(['node_modules', 'dist', 'bundle', 'coverage', '.git', '.vade']);

/** A fenced block of a document, and the comment above it that says what it is. */
export interface Example {
  readonly lang: string;
  readonly text: string;
  readonly line: number;
  /** Such as `file: org.yaml`, `schema: RecallRequest` or `not run: <reason>`; empty without a comment. */
  readonly marker: string;
}

/** Every Markdown file of the repository, by its path from the root. */
export function documents(folder = ''): string[] {
  return readdirSync(folder === '' ? '.' : folder, { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) return IGNORED.has(entry.name) ? [] : documents(path);
    return entry.name.endsWith('.md') ? [path] : [];
  });
}

/** The documents that explain the repository: neither instructions, nor test data, nor generated. */
export function guides(): string[] {
  const isSample = (path: string) => /^test\/corpus\/(strangers|styles)\//.test(path);
  return documents().filter(
    (path) => /(^|\/)(README|CONTRIBUTING|CONTINUITY|FIGURES|MIGRATION|OPERATION)\.md$/.test(path) && !isSample(path),
  );
}

/** The fenced blocks of a document in `langs`, in order. */
export function examplesOf(path: string, langs: readonly string[]): Example[] {
  const { children } = remark().parse(readFileSync(path, 'utf8'));
  return children.flatMap((node, at) => {
    if (node.type !== 'code' || !langs.includes(node.lang ?? '')) return [];
    const above = children[at - 1];
    const marker = above?.type === 'html' ? /^<!-- (.*) -->$/s.exec(above.value)?.[1] : undefined;
    return [{ lang: node.lang ?? '', text: node.value, line: node.position?.start.line ?? 0, marker: marker ?? '' }];
  });
}

/** Where the links of a document lead, as written; without those to other hosts. */
export function linksOf(path: string): string[] {
  const found: string[] = [];
  visit(remark().parse(readFileSync(path, 'utf8')), (node) => {
    if ('url' in node && !/^[a-z]+:/.test(node.url)) found.push(node.url);
  });
  return found;
}

/** The anchors that GitHub gives the headings of a document. */
export function anchorsOf(path: string): Set<string> {
  const found = new Set<string>();
  visit(remark().parse(readFileSync(path, 'utf8')), 'heading', (node) => {
    const slug = toString(node)
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-');
    let anchor = slug;
    for (let again = 1; found.has(anchor); again++) anchor = `${slug}-${again}`;
    found.add(anchor);
  });
  return found;
}

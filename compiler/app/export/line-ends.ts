import { posix } from 'node:path';
import type { PlannedFile } from '../../export/plan-changes.ts';
import { readInside } from '../../io/files/inside-folder.ts';
import { addLines } from '../git-lines.ts';

const FILE = '.gitattributes';

interface AttributesChange {
  readonly change: PlannedFile;
  /** Null without a file. */
  readonly before: Buffer | null;
  readonly after: Buffer;
}

/**
 * The lines of `.gitattributes` with which each checkout has the files as they were written; none where it has them.
 *
 * @param paths of exported files, relative to `out`
 */
export function planAttributes(out: string, paths: readonly string[]): AttributesChange[] {
  const wanted = [...new Set(paths.map((path) => `${quoted(patternFor(path))} text eol=lf`))].sort();
  let before: Buffer | null;
  try {
    before = readInside(out, FILE);
  } catch {
    // a link, or a folder
    return [{ change: { path: FILE, action: 'foreign' }, before: null, after: Buffer.alloc(0) }];
  }
  const { text, added } = addLines(before?.toString('latin1') ?? '', wanted);
  if (added.length === 0) return [];
  const action = before === null ? 'create' : 'update';
  return [{ change: { path: FILE, action }, before, after: Buffer.from(text, 'latin1') }];
}

/** The files of all units of a format have one pattern; any other file has its own. */
function patternFor(path: string): string {
  const folder = literal(posix.dirname(path));
  const [, ending] = /(\.mdc|\.instructions\.md|(?<=\/rules\/[^/]+)\.md)$/.exec(path) ?? [];
  if (ending !== undefined) return `/${folder}/*${ending}`;
  if (path.endsWith('/SKILL.md')) return `/${literal(posix.dirname(posix.dirname(path)))}/*/SKILL.md`;
  return `/${literal(path)}`;
}

const literal = (path: string) => path.replace(/[[\]*?\\]/g, '\\$&');

/** As git reads a pattern with a space or letters other than ASCII. */
function quoted(pattern: string): string {
  if (/^[!-~]+$/.test(pattern) && !pattern.includes('"')) return pattern;
  const bytes = [...Buffer.from(pattern)].map((it) => String.fromCharCode(it)).join('');
  const escaped = bytes
    .replace(/[\\"]/g, '\\$&')
    .replace(/[^ -~]/g, (it) => `\\${it.charCodeAt(0).toString(8).padStart(3, '0')}`);
  return `"${escaped}"`;
}

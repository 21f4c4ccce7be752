import { readdirSync, type Dirent } from 'node:fs';
import { join } from 'node:path';
import { hostFileAt, mayHoldRules } from '../../hosts/host-files.ts';
import { orNull } from '../../schema/or-null.ts';

/** Folders of a project; more are those of a program. */
export const MOST_FOLDERS = 20_000;

/** Besides these `.vscode`, where `vade init` writes, has no instructions. */
const SKIPPED = new Set(['.git', '.vade', '.vscode', 'node_modules']);

/** The documents below a folder by path, and what is there but not read. */
export interface FoundDocuments {
  readonly names: readonly string[];
  /** Hidden folders that are no host's. */
  readonly hidden: readonly string[];
  /** Places in a host's folders that have Markdown, and neither rules nor skills. */
  readonly unread: readonly string[];
  /** Folders that cannot be read. */
  readonly closed: readonly string[];
  /** Whether further folders were not searched. */
  readonly isCut: boolean;
}

/**
 * Finds Markdown, and rules of hosts under any name. Of the folders of hosts rules and skills are read; other hidden
 * folders have pages of tools. Untrusted input: a symbolic link is neither a file nor a folder.
 *
 * @param own the folders of the sources and of their bundle, which are no legacy
 */
export function findDocuments(from: string, own: readonly string[] = []): FoundDocuments {
  const names: string[] = [];
  const hidden: string[] = [];
  const closed: string[] = [];
  const unread = new Set<string>();
  // the nearest folders first, so that the top of a large tree is always read
  const folders = [''];
  for (let i = 0; i < Math.min(folders.length, MOST_FOLDERS); i++) {
    const folder = folders[i] ?? '';
    const entries = entriesOf(join(from, folder));
    if (entries === null) closed.push(folder === '' ? '.' : folder);
    for (const entry of entries ?? []) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      const isHidden = entry.name.startsWith('.') && !mayHoldRules(path);
      if (own.includes(join(from, path))) continue;
      if (entry.isDirectory()) (isHidden ? hidden : folders).push(path);
      else if (entry.isFile()) {
        const reading = readingOf(path);
        if (reading === 'read') names.push(path);
        else if (reading !== null) unread.add(reading.place);
      }
    }
  }
  const isCut = folders.length > MOST_FOLDERS;
  return { names: names.sort(), hidden: hidden.sort(), unread: [...unread].sort(), closed: closed.sort(), isCut };
}

/** Null for a folder that the system does not let the person read. */
function entriesOf(folder: string): Dirent[] | null {
  return orNull(() => readdirSync(folder, { withFileTypes: true }).filter(({ name }) => !SKIPPED.has(name)));
}

/** Whether a file is read; the place of a host's Markdown that is not; null for a file that is not a document. */
function readingOf(path: string): 'read' | { readonly place: string } | null {
  const isMarkdown = /\.mdc?$/.test(path);
  const host = hostFileAt(path);
  if (host?.kind === 'rules' || host?.kind === 'skills') return isMarkdown || host.place === path ? 'read' : null;
  if (!isMarkdown || host !== null) return isMarkdown ? host : null;
  // a page beside the parts of a hidden folder that are a host's
  return /(^|\/)\.[^/]*\//.test(path) ? null : 'read';
}

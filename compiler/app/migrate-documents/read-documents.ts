import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { onlyInclude } from '../../migration/documents/includes.ts';
import { printable } from '../../schema/diagnostics.ts';
import { VadeError } from '../../schema/errors.ts';
import { MAX_UNIT_BYTES } from '../../schema/source/unit.ts';
import { isBriefPage } from '../brief-pages.ts';

/** A legacy document may be as long as many units. */
const MAX_DOCUMENT_BYTES = 16 * MAX_UNIT_BYTES;

/** More files than a handbook has, and folders that hold none. */
const MAX_DOCUMENTS = 500;
const MAX_TOTAL_BYTES = 8 * MAX_DOCUMENT_BYTES;
const SKIPPED = new Set(['.git', 'node_modules']);

/** Hidden folders in which coding agents keep what they are told; in others tools keep their own pages. */
const OF_AGENTS = new Set([
  '.agent',
  '.agents',
  '.aiassistant',
  '.amazonq',
  '.augment',
  '.claude',
  '.clinerules',
  '.codex',
  '.continue',
  '.cursor',
  '.gemini',
  '.junie',
  '.kilocode',
  '.kiro',
  '.roo',
  '.ruler',
  '.rulesync',
  '.trae',
  '.windsurf',
]);

/** The paths that are read of hidden folders in which pages for people, templates and scripts are too. */
const PARTS_OF: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['.github', new Set(['copilot-instructions.md', 'instructions'])],
  // Spec Kit keeps the project's principles here
  ['.specify', new Set(['memory'])],
]);

/** Maximum number of hidden folders that are named. */
const MOST_NAMED = 5;

/** The documents to migrate, by path below the folder that was named, and notices of what is not read. */
interface ReadDocuments {
  readonly documents: { readonly path: string; readonly text: string }[];
  readonly notices: string[];
}

/** Paths of files below a folder, and of the hidden folders that are left out. */
interface FoundPaths {
  readonly names: string[];
  readonly hidden: string[];
}

/** The Markdown of a file, or of all files of a folder, by path below it. @throws source_not_found, request_invalid */
export function readDocuments(from: string): ReadDocuments {
  const stat = lstatSync(from, { throwIfNoEntry: false });
  if (!stat) throw new VadeError('source_not_found', `${from} does not exist`);
  const found: FoundPaths = { names: [], hidden: [] };
  if (stat.isDirectory()) findBelow(from, '', found);
  else found.names.push('');
  const notices = noticesOf(found);
  refuseCount(from, found, notices);
  const documents = readAll(from, found.names);
  const [only] = documents;
  const included = stat.isFile() && only ? onlyInclude(only.text) : null;
  if (included === null) return { documents, notices };
  const message = `${from} only includes ${included}, and has no instructions of its own`;
  throw new VadeError('request_invalid', message, { suggestion: `give that file: --from ${printable(included)}` });
}

function refuseCount(from: string, { names: { length } }: FoundPaths, notices: readonly string[]): void {
  if (length === 0) throw new VadeError('source_not_found', [`${from} has no Markdown files`, ...notices].join('; '));
  if (length <= MAX_DOCUMENTS) return;
  throw new VadeError('request_invalid', `${from} has ${length} Markdown files; at most ${MAX_DOCUMENTS} are read`);
}

function readAll(from: string, names: readonly string[]) {
  let total = 0;
  return names.flatMap((name) => {
    const text = readText(join(from, name));
    total += text.length;
    if (total > MAX_TOTAL_BYTES)
      throw new VadeError('request_invalid', `${from} has more than ${MAX_TOTAL_BYTES} bytes of Markdown`);
    // the page about briefs that `vade init` puts among the skills is not an instruction of the project
    return isBriefPage(text) ? [] : [{ path: name === '' ? basename(from) : name, text }];
  });
}

/** Finds Markdown, Cursor's rules among it. Untrusted input: a symbolic link is neither a file nor a folder. */
function findBelow(folder: string, prefix: string, found: FoundPaths): void {
  const parts = PARTS_OF.get(basename(prefix));
  const entries = readdirSync(join(folder, prefix), { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    const { name } = entry;
    if (SKIPPED.has(name) || parts?.has(name) === false) continue;
    const path = `${prefix}${name}`;
    if (entry.isDirectory()) {
      const isRead = !name.startsWith('.') || OF_AGENTS.has(name) || PARTS_OF.has(name);
      if (isRead) findBelow(folder, `${path}/`, found);
      else found.hidden.push(path);
    } else if (entry.isFile() && /\.mdc?$/.test(name)) found.names.push(path);
  }
}

function noticesOf({ hidden }: FoundPaths): string[] {
  if (hidden.length === 0) return [];
  const more = hidden.length > MOST_NAMED ? ` and ${hidden.length - MOST_NAMED} more` : '';
  const named = hidden.slice(0, MOST_NAMED).join(', ');
  return [
    `hidden folders are not read, except those of coding agents: ${named}${more}; to migrate one, give it: --from`,
  ];
}

/** Untrusted input: the size is checked before the file is read, and only text is accepted. */
function readText(path: string): string {
  const stat = lstatSync(path);
  if (stat.isFile() && stat.size > MAX_DOCUMENT_BYTES) {
    throw new VadeError('request_invalid', `${path} has ${stat.size} bytes; at most ${MAX_DOCUMENT_BYTES} are read`, {
      suggestion: 'cut it into several files',
    });
  }
  if (stat.isSymbolicLink()) {
    const target = printable(readlinkSync(path));
    throw new VadeError('request_invalid', `${path} is a symbolic link to ${target}, and links are not followed`, {
      suggestion: `if it is yours, give that file: --from ${target}`,
    });
  }
  const bytes = stat.isFile() ? readFileSync(path) : null;
  if (!bytes || bytes.includes(0)) throw new VadeError('request_invalid', `${path} is not a readable Markdown file`);
  return bytes.toString('utf8');
}

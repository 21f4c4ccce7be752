import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hostFileAt } from '../../hosts/host-files.ts';
import { onlyInclude } from '../../migration/documents/includes.ts';
import { orNull } from '../../schema/or-null.ts';
import { byText } from '../../trust/canonical.ts';
import { isBriefPage } from '../brief-pages.ts';
import { findDocuments } from '../migrate-documents/find-documents.ts';
import { statOf } from './existing-files.ts';

/** A file that names another one has fewer bytes. */
const MOST_POINTER_BYTES = 4096;

/** Folders of what others wrote: their rules are not this project's. */
const FOREIGN = /(^|\/)(vendor|third[_-]party|site-packages|venv)\//;

/**
 * The files and folders of instructions that a project has already, as `vade migrate --from` takes them: all places of
 * rules and skills that it reads by itself, and that say something.
 */
export function foundRules(project: string): string[] {
  const places = new Set<string>();
  if (!existsSync(project)) return [];
  for (const path of findDocuments(project).names) {
    const place = hostFileAt(path)?.place;
    if (place === undefined || places.has(place) || FOREIGN.test(path)) continue;
    if (saysSomething(join(project, path))) places.add(place);
  }
  return [...places].sort(topFirst);
}

/** A text that only includes others (`@AGENTS.md`), or is the name of one, is none: migrate refuses it. */
function saysSomething(path: string): boolean {
  if ((statOf(path)?.size ?? 0) > MOST_POINTER_BYTES) return true;
  // a file that the person may not read is reported by migrate
  const text = orNull(() => readFileSync(path, 'utf8'));
  return text === null || (text.trim() !== '' && onlyInclude(text) === null && !isBriefPage(text));
}

/** The rules of the whole project come first: their units get the plain names. */
function topFirst(a: string, b: string): number {
  return a.split('/').length - b.split('/').length || byText(a, b);
}

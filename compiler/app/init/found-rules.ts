import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { hostFileAt } from '../../hosts/host-files.ts';
import { onlyInclude } from '../../migration/documents/includes.ts';
import { orNull } from '../../schema/or-null.ts';
import { SkillFolders } from '../../schema/source/skill-folders.ts';
import { byText } from '../../trust/canonical.ts';
import { isBriefPage } from '../brief-pages.ts';
import { findDocuments } from '../migrate-documents/find-documents.ts';
import { statOf } from './existing-files.ts';

/** A file that names another one has fewer bytes. */
const MOST_POINTER_BYTES = 4096;

/** Folders of what others wrote: their rules are not this project's. */
const FOREIGN = /(^|\/)(vendor|third[_-]party|site-packages|venv)\//;

/** The instructions of a project. */
export interface FoundRules {
  /** Files and folders of rules that say something, as `vade migrate --from` takes them. */
  readonly rules: readonly string[];
  /** Folders of skills, which stay where they are. */
  readonly skills: readonly string[];
}

/** The instructions that a project has already, without those of others. */
export function foundRules(project: string): FoundRules {
  const places = { rules: new Set<string>(), skills: new Set<string>() };
  for (const path of existsSync(project) ? findDocuments(project).names : []) {
    const { kind, place } = hostFileAt(path) ?? {};
    if ((kind !== 'rules' && kind !== 'skills') || places[kind].has(place ?? '') || FOREIGN.test(path)) continue;
    const isOne = kind === 'rules' || basename(path) === 'SKILL.md';
    if (place !== undefined && isOne && saysSomething(join(project, path))) places[kind].add(place);
  }
  const skills = [...places.skills].filter((it) => SkillFolders.safeParse([it]).success);
  return { rules: [...places.rules].sort(topFirst), skills: skills.sort(topFirst) };
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

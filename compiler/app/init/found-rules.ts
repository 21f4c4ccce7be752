import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isBriefPage } from '../brief-pages.ts';
import { statOf } from './existing-files.ts';

/** Places of the instructions of coding agents in a project: files, and folders of Markdown. */
const PLACES = [
  'AGENTS.md',
  'CLAUDE.md',
  '.claude/CLAUDE.md',
  '.claude/rules',
  '.claude/skills',
  '.agents/skills',
  'skills',
  '.cursorrules',
  '.cursor/rules',
  '.github/copilot-instructions.md',
  '.github/instructions',
  'GEMINI.md',
];

/** Folders of these are looked at, so that a tree of any size costs little. */
const MOST_ENTRIES = 200;

/** A file that names another one has fewer bytes. */
const MOST_POINTER_BYTES = 4096;

/** The files and folders of instructions that a project has already, as `vade migrate --from` takes them. */
export function foundRules(project: string): string[] {
  return PLACES.filter((place) => {
    const stat = statOf(join(project, place));
    // a link repeats a file that is found itself
    if (stat?.isFile())
      return stat.size > MOST_POINTER_BYTES || saysSomething(readFileSync(join(project, place), 'utf8'));
    return stat?.isDirectory() === true && hasRules(join(project, place), place.endsWith('skills'));
  });
}

/** A text that only includes others (`@AGENTS.md`), or is the name of one, says nothing of its own. */
function saysSomething(text: string): boolean {
  return text.trim() !== '' && !/^(?:@?[\w./~-]+\.md\s*)+$/.test(text.trim());
}

function hasRules(folder: string, ofSkills: boolean): boolean {
  const entries = readdirSync(folder, { withFileTypes: true }).slice(0, MOST_ENTRIES);
  const files = entries.filter((it) => it.isFile() && /\.mdc?$/.test(it.name)).map((it) => join(folder, it.name));
  const nested = entries.filter((it) => it.isDirectory()).map((it) => join(folder, it.name));
  const isSkill = (path: string) => {
    const stat = statOf(join(path, 'SKILL.md'));
    return stat?.isFile() === true && !isBriefPage(readFileSync(join(path, 'SKILL.md'), 'utf8'));
  };
  return ofSkills ? nested.some(isSkill) : files.length > 0 || nested.some((it) => hasRules(it, false));
}

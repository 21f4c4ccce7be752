import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { splitFrontMatter } from '../../compiler/sources/front-matter.ts';
import { corpusOf } from '../support/corpus.ts';

const Prompts = z.array(z.strictObject({ skill: z.string(), prompt: z.string(), near: z.string().optional() }));
const Front = z.object({ description: z.string() });

const { path, isThere } = corpusOf('skills');

/** Folder of real skills, and whether it is at hand. */
export const SKILLS = path;
export const hasSkills = (): boolean => isThere;

/** For each skill of the corpus a prompt where it helps, and for half of them one that looks related and it is not. */
export const skillPrompts = (): z.infer<typeof Prompts> =>
  Prompts.parse(parse(readFileSync(join(import.meta.dirname, 'skills/prompts.yaml'), 'utf8')));

/** A skill by its folder, with its whole text. */
export interface Skill {
  readonly folder: string;
  readonly description: string;
  readonly content: string;
}

/** The skills that have a prompt. */
export function skills(): Skill[] {
  return skillPrompts().map(({ skill: folder }) => {
    const { yaml, content } = splitFrontMatter(readFileSync(join(SKILLS, folder, 'SKILL.md'), 'utf8'));
    return {
      folder,
      description: Front.parse(parse(yaml ?? ''))
        .description.trim()
        .replace(/\s+/g, ' '),
      content,
    };
  });
}

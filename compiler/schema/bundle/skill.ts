import { z } from 'zod';
import { Digest } from '../primitives.ts';

/** Maximum number of characters of a skill's description, as the format of skills has it. */
export const MAX_SKILL_DESCRIPTION = 1024;
/** Largest `SKILL.md`, in bytes: its text is one unit. */
export const MAX_SKILL_BYTES = 262_144;

/** Limits of the other files of skills: what exceeds one of them is named, and its bytes are not in the garden. */
export const MAX_SKILL_FILE_BYTES = 1_048_576;
export const MAX_SKILLS_BYTES = 16_777_216;

/** A tracked file of a skill's folder, other than its `SKILL.md`. */
const SkillFile = z.strictObject({
  /** Relative to the skill's folder. */
  path: z.string(),
  bytes: z.int().nonnegative(),
  /** sha256 of its bytes, which the garden has at `skillPlace`; absent where it does not have them. */
  digest: Digest.optional(),
  /** The ID that git gave these bytes: the one way to know them where the garden does not have them. */
  blob: z.string(),
});

/** The parts of a fact beside its text if it is a skill in place: a `SKILL.md` of the repository with its folder. */
export const Skill = z.strictObject({
  /** Path of the folder in the repository, with links followed. */
  folder: z.string(),
  /** Word for word; `delivery.description` is its beginning, on one line. */
  description: z.string().min(1).max(MAX_SKILL_DESCRIPTION),
  /** Sorted by path. */
  files: z.array(SkillFile),
  /** Where each section of the text ends, in characters, and the cl100k tokens up to there: a budget cuts it there. */
  sections: z.array(z.tuple([z.int().positive(), z.int().nonnegative()])),
});

export type SkillFile = z.infer<typeof SkillFile>;
export type Skill = z.infer<typeof Skill>;

/** Path of a skill's file in its garden. */
export function skillPlace(folder: string, path: string): string {
  return `skills/${folder}/${path}`;
}

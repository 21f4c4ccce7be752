import { z } from 'zod';
import { oneLine } from '../primitives.ts';

/** Maximum number of folders that one file of the configuration names. */
export const MOST_SKILL_FOLDERS = 64;

const PLAIN =
  'write a path beside the sources or from the top of the repository, such as .claude/skills, without . and ..';

/** `skills`: folders of the repository whose skills are units where they lie. */
export const SkillFolders = z
  .array(
    oneLine(200)
      .min(1)
      .transform((it) => it.replace(/\/$/, ''))
      .refine(
        (it) => !it.includes('\\') && it.split('/').every((name) => !['', '.', '..', '.git'].includes(name)),
        PLAIN,
      ),
  )
  .min(1)
  .max(MOST_SKILL_FOLDERS);

import { z } from 'zod';
import { oneLine } from '../primitives.ts';
import { Name } from '../uri.ts';
import { Language } from './language.ts';
import { SkillFolders } from './skill-folders.ts';

/** §21.6.1: the stage of an agent's migration from its old files to compiled facts. */
export const MigrationMode = z.enum(['file', 'coexistence', 'stigmem']);
export type MigrationMode = z.infer<typeof MigrationMode>;

/** `agents/<agent>/agent.yaml`. */
export const Agent = z.strictObject({
  agent_id: z.uuid().refine((id) => id === id.toLowerCase(), 'write the UUID in lower case'),
  role: oneLine(80).min(1),
  heartbeat_contract: Name,
  adapter_profiles: z.array(Name).min(1).max(8).default(['generic']),
  migration_mode: MigrationMode.default('stigmem'),
  sensitive: z.boolean().default(false),
  shared: z.array(Name).max(64).default([]),
  /** The language of its units, if it is not that of the deployment. */
  language: Language.optional(),
  /** Folders of the repository whose skills are units of its garden, where they lie. */
  skills: SkillFolders.optional(),
});

export type Agent = z.infer<typeof Agent>;

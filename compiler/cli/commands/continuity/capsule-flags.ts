import { resolve } from 'node:path';
import { SubjectKind } from '../../../continuity/schema/words.ts';
import type { Flags } from '../../../world/flags/flag.ts';
import type { World } from '../../../world/world.ts';

/** The folder of the capsules. */
export const CONTINUITY = {
  continuity: { type: 'string', required: true, description: 'Folder of the capsules, as given to vade serve' },
} as const satisfies Flags;

/** One capsule in it. */
export const CAPSULE = {
  ...CONTINUITY,
  owner: { type: 'string', id: true, required: true, description: 'Agent whose capsule it is, by id; or default' },
  kind: { type: 'enum', values: SubjectKind.options, required: true, description: 'Kind of the subject' },
  subject: { type: 'string', line: true, required: true, description: 'Id of the subject' },
} as const satisfies Flags;

/** Folder and time of a command. */
export function lookedFrom({ continuity }: { readonly continuity: string }, { cwd, now }: World) {
  return { root: resolve(cwd, continuity), now: now().getTime() };
}

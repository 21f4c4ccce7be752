import { join } from 'node:path';
import { replaceFile } from '../../io/files/durable.ts';
import { readIfThere } from '../../io/files/file.ts';
import type { ResolvedRole } from '../../schema/capability/resolved-role.ts';
import type { Diagnostic } from '../../schema/diagnostics.ts';
import type { Arguments } from '../../world/flags/flag.ts';
import type { World } from '../../world/world.ts';
import type { PlanDraft } from '../draft-plan.ts';
import type { TASK_COMPOSE } from './flags.ts';
import { MAX_PROMPT_BYTES } from './ledger-place.ts';
import { openTask, type OpenTask } from './open-task.ts';

/** The composition that was, or would be, written. */
export interface Composed {
  readonly changed: boolean;
  /** Shown to users: `tasks/<id>/prompt.md`. */
  readonly prompt: string;
  readonly plan: PlanDraft;
  readonly role: ResolvedRole;
  readonly warnings: readonly Diagnostic[];
}

/** Writes `prompt.md` beside the task; a second time it has the same bytes. @throws as `openTask`, output_failed */
export async function composeToFile(flags: Arguments<typeof TASK_COMPOSE>, world: World): Promise<Composed> {
  const opened = await openTask(flags, undefined, world);
  const { composition, files, warnings } = opened;
  const changed = !isComposed(opened);
  if (changed && !flags['dry-run']) writePrompt(opened);
  return { changed, prompt: files.prompt, plan: composition.draft, role: composition.role, warnings };
}

/** Whether `prompt.md` is there, exactly as its task, role and bundle give it. */
export function isComposed({ composition, files }: OpenTask): boolean {
  try {
    return readIfThere(promptOf(files), MAX_PROMPT_BYTES, 'refuse')?.equals(composition.prompt) === true;
  } catch {
    // a link, a folder or an endless file is not a prompt
    return false;
  }
}

function writePrompt({ composition, files }: OpenTask): void {
  replaceFile(promptOf(files), composition.prompt, { limit: MAX_PROMPT_BYTES });
}

function promptOf({ folder }: OpenTask['files']): string {
  return join(folder, 'prompt.md');
}

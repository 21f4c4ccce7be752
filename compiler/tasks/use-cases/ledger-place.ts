import { join } from 'node:path';
import type { StateFolder } from '../../capabilities/use-cases/state-folder.ts';

/** The ledger of a repository. */
export function ledgerFile({ tasks }: Pick<StateFolder, 'tasks'>): string {
  return join(tasks, 'ledger.db');
}

/** The bytes of a task that was spawned. */
export function specFile(tasks: string, digest: string): string {
  return join(tasks, 'specs', `${digest}.toml`);
}

/** The most bytes of a composed prompt that are written, and read again. */
export const MAX_PROMPT_BYTES = 4 * 1024 * 1024;

/** The bytes of a prompt that an agent was spawned with. */
export function promptFile(tasks: string, digest: string): string {
  return join(tasks, 'prompts', `${digest}.md`);
}

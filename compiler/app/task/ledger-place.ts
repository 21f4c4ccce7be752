import { join } from 'node:path';
import type { TasksFolder } from '../capability/tasks-folder.ts';

/** The ledger of a repository. */
export function ledgerFile({ tasks }: Pick<TasksFolder, 'tasks'>): string {
  return join(tasks, 'ledger.db');
}

import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { asOnlyWriter, clearScratch } from '../../io/files/only-writer.ts';
import type { StateFolder } from './state-folder.ts';

/** The folder that is written. */
export type StatePlace = Pick<StateFolder, 'tasks'>;

/**
 * Writes files of the tasks' folder while no other command does, after what killed ones left there is removed.
 *
 * @throws file_locked, output_failed
 */
export function writeState<T>({ tasks }: StatePlace, work: () => T): T {
  return asOnlyWriter(tasks, work, withFolders);
}

/** Removes what killed commands left, unless another command writes now. @throws output_failed */
export function clearState({ tasks }: StatePlace): void {
  clearScratch(tasks, withFolders);
}

/** A host ends the gate after half a minute. */
const LONG_MS = 3_600_000;

/** Removes what gates left that were killed: they take no lock, as they start before each call, and none lives long. */
export function clearGate({ tasks }: StatePlace, now: Date): void {
  for (const folder of withFolders(tasks)) {
    for (const path of readdirSync(folder).flatMap((it) => (HALF.test(it) ? [join(folder, it)] : []))) {
      const stat = statSync(path, { throwIfNoEntry: false });
      if (stat !== undefined && now.getTime() - stat.mtimeMs > LONG_MS) rmSync(path, { force: true });
    }
  }
}

/** As the gate names what it has not finished: after the file, and its process. */
const HALF = /^\.[0-9a-f]{64}\.\d+$/;

/** The folder and those in it, which have no folders. */
function withFolders(tasks: string): string[] {
  const folders = readdirSync(tasks, { withFileTypes: true }).filter((it) => it.isDirectory());
  return [tasks, ...folders.map((it) => join(tasks, it.name))];
}

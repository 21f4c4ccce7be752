import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { StateFolder } from '../../capabilities/use-cases/state-folder.ts';
import { takeLock } from '../../io/files/lock.ts';
import { messageOf, VadeError } from '../../schema/errors.ts';

/**
 * Keeps other processes from spawning or cleaning the same agent. The kernel releases it when the process ends, however
 * it does.
 *
 * @returns releases it @throws file_locked, output_failed
 */
export function holdAgent({ tasks }: Pick<StateFolder, 'tasks'>, agent: string): () => void {
  const folder = join(tasks, 'locks');
  let release: (() => void) | null;
  try {
    mkdirSync(folder, { recursive: true });
    release = takeLock(join(folder, agent));
  } catch (error) {
    throw new VadeError('output_failed', `${folder} cannot be written: ${messageOf(error)}`);
  }
  if (release === null) throw new VadeError('file_locked', `another process is busy with the agent ${agent}`);
  return release;
}

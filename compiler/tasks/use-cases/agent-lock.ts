import { join } from 'node:path';
import type { StateFolder } from '../../capabilities/use-cases/state-folder.ts';
import { mustLock } from '../../io/files/only-writer.ts';

/**
 * Keeps other processes from spawning or cleaning the same agent. The kernel releases it when the process ends, however
 * it does.
 *
 * @returns releases it @throws file_locked, output_failed
 */
export function holdAgent({ tasks }: Pick<StateFolder, 'tasks'>, agent: string): () => void {
  return mustLock(join(tasks, 'locks', agent), `another process is busy with the agent ${agent}`);
}

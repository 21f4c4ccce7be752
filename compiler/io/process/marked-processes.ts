import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { orNull } from '../../schema/or-null.ts';

/** Maximum time in which killed processes must end. */
const GRACE_MS = 2000;
const PAUSE_MS = 10;

/** Processes start others while they are looked for: it is asked again until there is none. */
const ROUNDS = 10;

/** Ends every process whose environment carries a mark as `VADE_RUN`. */
export function endMarked(mark: string): void {
  for (let round = 0; round < ROUNDS; round++) {
    const found = markedProcesses(mark);
    if (found.length === 0) return;
    // a process that has ended in the meantime, or belongs to another user, is skipped
    for (const pid of found) orNull(() => process.kill(pid, 'SIGKILL'));
  }
}

/** Ends every marked process, and waits until the last is gone: one that was killed takes a moment to end. */
export async function endedMarked(mark: string): Promise<void> {
  for (let waited = 0; waited < GRACE_MS && markedProcesses(mark).length > 0; waited += PAUSE_MS) {
    endMarked(mark);
    await setTimeout(PAUSE_MS);
  }
}

/** The processes that carry a mark; none where the system does not show environments. */
export function markedProcesses(mark: string): number[] {
  const wanted = `VADE_RUN=${mark}`;
  const names = orNull(() => readdirSync('/proc')) ?? [];
  return names
    .filter((it) => /^\d+$/.test(it))
    .map(Number)
    .filter((pid) => {
      if (pid === process.pid) return false;
      const environment = orNull(() => readFileSync(`/proc/${pid}/environ`, 'latin1')) ?? '';
      // one that has ended, and waits for its parent, has none
      return environment.split('\0').includes(wanted);
    });
}

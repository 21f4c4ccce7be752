/** Means of watching a folder. */
export interface Looking {
  /** Changes whenever the folder may have changed. @throws for one that cannot be listed */
  readonly stamp: () => string;
  /** Milliseconds from any start. */
  readonly clock: () => number;
  /** Rejects when the session ends. */
  readonly wait: (ms: number) => Promise<unknown>;
}

/** Between two looks; more if a look takes long, so that it never takes more than a twentieth of the time. */
const PAUSE_MS = 200;
const COST = 20;

/** A folder has come to rest when it is the same after this time; a checkout of thousands of files is one change. */
const REST_MS = 60;

/** A folder that never rests is compiled all the same. */
const MOST_LOOKS = 50;

/**
 * Waits until a folder has changed and come to rest. It is polled instead of watched: a watcher loses
 * events when thousands come at once, needs a handle for each folder, says nothing on some file systems, and can die.
 *
 * @param known the stamp of the last reading
 * @returns the stamp to read at
 */
export async function nextChange(known: string, looking: Looking): Promise<string> {
  for (;;) {
    const began = looking.clock();
    const seen = look(looking);
    if (seen !== known) return rested(seen, looking);
    await looking.wait(Math.max(PAUSE_MS, COST * (looking.clock() - began)));
  }
}

async function rested(first: string, looking: Looking): Promise<string> {
  let seen = first;
  for (let looks = 0; looks < MOST_LOOKS; looks++) {
    await looking.wait(REST_MS);
    const now = look(looking);
    if (now === seen) break;
    seen = now;
  }
  return seen;
}

/** A folder that cannot be listed has a stamp too: who reads it reports why. */
export function look({ stamp }: Pick<Looking, 'stamp'>): string {
  try {
    return stamp();
  } catch (error) {
    return String(error);
  }
}

import type { AuditSums } from '../../compiler/schema/audit/sums.ts';

/** Capacity in bytes. */
const CAPACITY = 32 * 1024 * 1024;

interface CachedSums {
  readonly state: string;
  readonly sums: readonly AuditSums[];
  readonly bytes: number;
}

/** A cache of daily sums; keeps the most recently used. */
export class SumsCache {
  readonly #entries = new Map<string, CachedSums>();
  #bytes = 0;

  /** Null if absent, or if the day has changed. */
  find(key: string, state: string): readonly AuditSums[] | null {
    const found = this.#entries.get(key);
    if (found?.state !== state) return null;
    this.#entries.delete(key);
    this.#entries.set(key, found);
    return found.sums;
  }

  keep(key: string, state: string, sums: readonly AuditSums[]): void {
    this.#drop(key);
    const bytes = sums.reduce((all, it) => all + weightOf(it), 200);
    this.#entries.set(key, { state, sums, bytes });
    this.#bytes += bytes;
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= CAPACITY) return;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    this.#bytes -= this.#entries.get(key)?.bytes ?? 0;
    this.#entries.delete(key);
  }
}

/** Estimated bytes per list entry; names are short. */
const ENTRY_BYTES = 120;

function weightOf({ heartbeats, missed_names, units, ranks }: AuditSums): number {
  const entries = missed_names.length + units.length + ranks.length;
  return heartbeats.length + entries * ENTRY_BYTES + 500;
}

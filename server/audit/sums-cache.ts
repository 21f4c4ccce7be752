import type { AuditSums } from '../../compiler/schema/audit/sums.ts';

/** What all that is kept may weigh, in bytes. */
const MOST = 32 * 1024 * 1024;

interface CachedSums {
  readonly state: string;
  readonly sums: readonly AuditSums[];
  readonly bytes: number;
}

/** Sums of whole days; those that were asked for last stay. */
export class SumsCache {
  readonly #kept = new Map<string, CachedSums>();
  #bytes = 0;

  /** Null if they are not there, or the day is not what it was. */
  find(key: string, state: string): readonly AuditSums[] | null {
    const found = this.#kept.get(key);
    if (found?.state !== state) return null;
    this.#kept.delete(key);
    this.#kept.set(key, found);
    return found.sums;
  }

  keep(key: string, state: string, sums: readonly AuditSums[]): void {
    this.#drop(key);
    const bytes = sums.reduce((all, it) => all + weightOf(it), 200);
    this.#kept.set(key, { state, sums, bytes });
    this.#bytes += bytes;
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= MOST) return;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    this.#bytes -= this.#kept.get(key)?.bytes ?? 0;
    this.#kept.delete(key);
  }
}

/** Names are short: so many bytes for each entry of a list. */
const ENTRY_BYTES = 120;

function weightOf({ heartbeats, missed_names, units, ranks, newest_misses }: AuditSums): number {
  const entries = missed_names.length + units.length + ranks.length + newest_misses.length;
  return heartbeats.length + entries * ENTRY_BYTES + 500;
}

import { HEARTBEAT, HEARTBEAT_BYTES, HEARTBEAT_DIGEST, type AuditSums } from '../../schema/audit/sums.ts';

/** The bits of a heartbeat's flags; the bits above them hold the best rank of a used unit. */
const FLAGS = 0xff;

/** Heartbeats by their ID, each counted once; notes may come in any order. */
export class Heartbeats {
  readonly #known = new Map<string, number>();

  get size(): number {
    return this.#known.size;
  }

  /** @param best the best rank at which a used unit was loaded; 0 if none was */
  note(id: string, flags: number, best: number): void {
    const known = this.#known.get(id) ?? 0;
    const before = known >> 8;
    const rank = before === 0 || best === 0 ? before + best : Math.min(before, best);
    this.#known.set(id, (known & FLAGS) | flags | (rank << 8));
  }

  /** Adds the heartbeats of stored sums, whose IDs are digests. */
  noteAll({ agent_id, heartbeats }: AuditSums): void {
    const records = Buffer.from(heartbeats.buffer, heartbeats.byteOffset, heartbeats.byteLength);
    for (let at = 0; at < records.length; at += HEARTBEAT_BYTES) {
      const digest = records.toString('latin1', at, at + HEARTBEAT_DIGEST);
      const flags = records[at + HEARTBEAT_DIGEST] ?? 0;
      this.note(`${agent_id} ${digest}`, flags, records[at + HEARTBEAT_DIGEST + 1] ?? 0);
    }
  }

  count(flag: keyof typeof HEARTBEAT): number {
    return this.#countIf((it) => (it & HEARTBEAT[flag]) !== 0);
  }

  /** The heartbeats that used a unit which was loaded among the first k. */
  hits(k: number): number {
    return this.#countIf((it) => it >> 8 > 0 && it >> 8 <= k);
  }

  #countIf(test: (known: number) => boolean): number {
    let count = 0;
    for (const it of this.#known.values()) if (test(it)) count += 1;
    return count;
  }
}

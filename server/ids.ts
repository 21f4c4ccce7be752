import { randomFillSync } from 'node:crypto';
import { ulid } from 'ulid';

/** Random bytes are drawn in bulk: one system call per character would cost more than the rest of an answer. */
const pool = Buffer.alloc(4096);
let used = pool.length;

/**
 * A sortable id.
 *
 * @param now milliseconds since 1970
 */
export function newUlid(now: number): string {
  return ulid(now, draw);
}

/** A number in [0, 1); a byte has more entropy than the five bits of a character. */
function draw(): number {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const byte = pool[used] ?? 0;
  used += 1;
  return byte / 256;
}

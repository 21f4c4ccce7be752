import { randomFillSync } from 'node:crypto';
import { ulid } from 'ulid';

/** Drawn at once: asked for every letter, the system's random source would cost more than the rest of an answer. */
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

/** A number from 0 up to 1; a byte tells more than the five bits that a letter takes. */
function draw(): number {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const byte = pool[used] ?? 0;
  used += 1;
  return byte / 256;
}

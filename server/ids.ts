import { randomFillSync } from 'node:crypto';
import { ulid } from 'ulid';

/** Random bytes are drawn in bulk: one system call per character would cost more than the rest of an answer. */
const pool = Buffer.alloc(4096);
let used = pool.length;

/** The start of so many random bytes in the pool. */
function take(bytes: number): number {
  if (used + bytes > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += bytes;
  return used - bytes;
}

/** Unpredictable hex digits, two for each byte. */
export function randomHex(bytes: number): string {
  const start = take(bytes);
  return pool.toString('hex', start, start + bytes);
}

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
  return (pool[take(1)] ?? 0) / 256;
}

import { messageOf } from '../../../compiler/schema/errors.ts';

/** Words of git for data that it cannot read; it speaks English here. */
const DAMAGE =
  /corrupt|inflate|mismatch|does not match|\bbad\b|\binvalid\b|not a (?:valid|git|tree|commit)|(?:unable|failed|could not|can't|cannot) (?:to )?(?:read|load|parse|unpack|traverse|find)|missing|not found|too small|non-monotonic|unknown (?:revision|object)|premature end/i;

/** Words for what a machine lacks for a while, or another process does. */
const PASSING =
  /out of memory|cannot allocate|too many open files|resource temporarily|no space left|permission denied|read-only|another process|\bSIG[A-Z]+\b/i;

/** Whether git failed because its data is damaged, so that no retry helps. */
export function isHistoryDamage(error: unknown): boolean {
  const said = messageOf(error);
  return /^git /.test(said) && DAMAGE.test(said) && !PASSING.test(said);
}

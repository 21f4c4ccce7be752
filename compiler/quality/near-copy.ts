import { terms } from '../recall/signals/lexical.ts';

/** From this cosine on two texts say nearly the same: of their vectors, or of their sets of stems. */
export const NEAR = 0.7;

/** The same for sets of stems, squared and in hundredths: integers alone decide. */
const NEAR_SQUARED = 49;

/** The words of a text that carry meaning, as stems. */
export const stemsIn = (text: string): ReadonlySet<string> => new Set(terms(text, false));

/** Whether two texts have nearly the same stems, whatever their order. */
export function isNearCopy(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  if (a.size === 0 || b.size === 0) return false;
  let common = 0;
  for (const it of a) if (b.has(it)) common++;
  return 100 * common * common >= NEAR_SQUARED * a.size * b.size;
}

import { CHARACTERS_PER_TOKEN } from '../schema/limits.ts';

/** Characters beyond the sixteenth bit have two places in a string. */
const PAIRS = /[\ud800-\udbff]/g;

/** An estimate of the tokens of a JSON value, from the characters of its text. */
export function tokensOf(value: unknown): number {
  const text = JSON.stringify(value);
  return Math.ceil((text.length - (text.match(PAIRS)?.length ?? 0)) / CHARACTERS_PER_TOKEN);
}

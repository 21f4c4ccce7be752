/** A set of ASCII characters: 1 at the code of each. */
export type Characters = Uint8Array;

/** The ASCII characters that a pattern of one character matches. */
export function charactersOf(pattern: RegExp): Characters {
  return Uint8Array.from({ length: 0x80 }, (_, code) => (pattern.test(String.fromCharCode(code)) ? 1 : 0));
}

/**
 * Whether a text has so many characters of a set in a row. Every window of that length is read from its end, so that
 * the first other character in it tells where the next one begins: most of a text is never looked at, and nothing
 * twice.
 */
export function hasRun(text: string, characters: Characters, length: number): boolean {
  for (let end = length - 1; end < text.length;) {
    let at = end;
    while (at > end - length && characters[text.charCodeAt(at)] === 1) at--;
    if (at === end - length) return true;
    end = at + length;
  }
  return false;
}

import fc from 'fast-check';

const [FIRST_SURROGATE, SURROGATES, LAST] = [0xd800, 0x800, 0x10ffff];

function indexOf(character: unknown): number {
  const code = typeof character === 'string' ? character.codePointAt(0) : undefined;
  if (code === undefined || String.fromCodePoint(code) !== character) throw new Error('it is not one character');
  return code < FIRST_SURROGATE ? code : code - SURROGATES;
}

/**
 * Any character, as the unit of a string. The unit `binary` of fast-check builds a table of all million characters
 * first, which takes a second and 100 MB in each process of tests.
 */
export const anyCharacter = fc
  .integer({ min: 0, max: LAST - SURROGATES })
  .map((at) => String.fromCodePoint(at < FIRST_SURROGATE ? at : at + SURROGATES), indexOf);

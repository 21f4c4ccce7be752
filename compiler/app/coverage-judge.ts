import type { Gate } from '../gardens/threads/coverage-judge.ts';

/** The judge of the coverage gate (§21.8.3), with the lexicon that comes with the compiler. */
export const judgeCoverage: Gate['judge'] = async (garden, units, encode, now) => {
  // the parser of English takes long to load, and a compile that reuses every garden judges none
  const { readLexicon } = await import('../io/models/lexicon.ts');
  const { measureCoverage } = await import('../quality/unit-coverage/coverage.ts');
  return measureCoverage(garden, units, { encode, lexicon: readLexicon().lexicon }, now);
};

import type { Gate } from '../gardens/threads/coverage-judge.ts';
import type { KeptResults } from '../schema/kept-results.ts';

/** The judge of the coverage gate (§21.8.3), with the compiler's lexicon. @param kept paraphrases of earlier runs */
export const coverageJudge =
  (kept: KeptResults | null): Gate['judge'] =>
  async (garden, units, encode, now) => {
    // the parser of English takes long to load, and a compile that reuses every garden judges none
    const { readLexicon } = await import('../io/models/lexicon.ts');
    const { measureCoverage } = await import('../quality/unit-coverage/coverage.ts');
    return measureCoverage(garden, units, { encode, lexicon: readLexicon().lexicon, kept }, now);
  };

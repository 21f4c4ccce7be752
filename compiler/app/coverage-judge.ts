import type { Gate } from '../build/coverage-judge.ts';

/** The judge of the coverage gate (§21.8.3), with the lexicon that comes with the compiler. */
export async function openJudge(): Promise<Gate['judge']> {
  const { readLexicon } = await import('../io/models/lexicon.ts');
  const { measureCoverage } = await import('../quality/coverage/coverage.ts');
  return (garden, units, encode, now) =>
    measureCoverage(garden, units, { encode, lexicon: readLexicon().lexicon }, now);
}

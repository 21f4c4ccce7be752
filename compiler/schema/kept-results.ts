import type { ZodType } from 'zod';

/** Work whose result follows from one text alone, for this program. */
export type KeptWork = 'yaml' | 'markdown' | 'security' | 'tokens' | 'drafts' | 'graph' | 'compile';

/**
 * Results of earlier runs of the same program: work that was done once need not be done again. A compile gives the same
 * bytes with and without them.
 */
export interface KeptResults {
  /**
   * The result of some work.
   *
   * @param inputs all that the result follows from
   * @returns null if it is not known, or has another form
   */
  readonly find: <T>(work: KeptWork, inputs: string, schema: ZodType<T>) => T | null;
  /** Keeps a result, which must be plain JSON. */
  readonly keep: (work: KeptWork, inputs: string, result: unknown) => void;
}

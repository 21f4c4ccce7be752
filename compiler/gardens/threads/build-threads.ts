import type { IndexedUnit, IndexFiles } from '../../recall/index/search-index.ts';
import type { CoverageQuestion, Judged } from './coverage-judge.ts';
import type { PastText } from './past-texts.ts';

/** Units to index, as plain data that another thread can take. */
export interface IndexQuestion {
  readonly units: readonly IndexedUnit[];
  /** The name of the model; null without vectors. */
  readonly model: string | null;
  /** Of the garden's language; null in English. */
  readonly functionWords: readonly string[] | null;
  /** Whether the index gets a graph. */
  readonly hasGraph: boolean;
}

/** Questions that a thread can be asked, by name, and its answers. */
export interface ThreadWork {
  readonly judge: (question: CoverageQuestion) => Promise<Judged>;
  readonly index: (question: IndexQuestion) => Promise<IndexFiles>;
  /** Whether each text breaks a rule of class security. */
  readonly screen: (texts: readonly PastText[]) => Promise<boolean[]>;
}

/** Work that no thread takes is done by the caller. */
type Offered<Work extends (question: never) => Promise<unknown>> = (
  question: Parameters<Work>[0],
) => Promise<Awaited<ReturnType<Work>> | null>;

/**
 * Threads that work beside a compile of many gardens; they give the same results. Null if the work is better done here:
 * every thread has enough to do, or none has the model.
 */
export type BuildThreads = { readonly [Name in keyof ThreadWork]: Offered<ThreadWork[Name]> } & {
  /**
   * The number of questions that they take at once; a caller with more in work than that is never left without work.
   */
  readonly room: number;
  readonly end: () => Promise<void>;
};

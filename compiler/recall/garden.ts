import type { Fact } from '../model/fact.ts';
import type { SearchIndex } from './searchindex.ts';

/** What recall works on: one agent's units with the shared ones, in the order of the index. */
export interface RecallGarden {
  readonly index: SearchIndex;
  readonly facts: readonly Fact[];
  /** Text of a legacy file by path, where a unit has one. */
  readonly fallbacks: ReadonlyMap<string, string>;
}

export interface RecallContext {
  /** The instant of the recall, ISO 8601; recorded, so that it can be replayed. */
  readonly now: string;
  /** The intent's vector, where the index has vectors. */
  readonly query: Int8Array | null;
  readonly explain: boolean;
}

import type { Fact } from '../schema/bundle/fact.ts';
import type { SearchIndex } from './index/search-index.ts';

/** What recall, preloads and explanations ask of a fact; who wrote it and when is the bundle's to tell. */
export type RecallFact = Pick<
  Fact,
  'name' | 'uri' | 'version' | 'content' | 'digest' | 'tokens' | 'valid_until' | 'delivery' | 'fallback'
>;

/** The part of a fact that a garden in memory keeps. */
export function recallFact(fact: Fact): RecallFact {
  const { name, uri, version, content, digest, tokens, valid_until, delivery, fallback } = fact;
  return { name, uri, version, content, digest, tokens, valid_until, delivery, fallback };
}

/** What recall works on: one agent's units with the shared ones, in the order of the index. */
export interface RecallGarden {
  readonly index: SearchIndex;
  readonly facts: readonly RecallFact[];
  /** Text of a legacy file by path, where a unit has one. */
  readonly fallbacks: ReadonlyMap<string, string>;
  /** Until when each fact is in force, in milliseconds since 1970; `-Infinity` for one that was never written. */
  readonly until: Float64Array;
  /** Units whose fact is not in force for ever. */
  readonly passing: Int32Array;
  readonly guaranteed: readonly number[];
  /** Units that are hardly ever found, and are lifted for it (§21.5.5). */
  readonly lifted: Int32Array;
  /** Units whose fact an administrator took out since the garden was compiled (DESIGN §7). */
  readonly withdrawn: ReadonlySet<number>;
}

/** Works out once what every recall asks of the facts. */
export function readyGarden(
  index: SearchIndex,
  facts: readonly RecallFact[],
  fallbacks: ReadonlyMap<string, string>,
  critical: ReadonlySet<string> = new Set(),
): RecallGarden {
  const until = Float64Array.from(facts, ({ content, valid_until }) => {
    if (content === '') return -Infinity;
    return valid_until === null ? Infinity : Date.parse(valid_until);
  });
  const units = [...facts.keys()];
  return {
    index,
    facts,
    fallbacks,
    until,
    passing: Int32Array.from(units.filter((unit) => until[unit] !== Infinity)),
    guaranteed: units.filter((unit) => facts[unit]?.delivery.guarantee_load === true),
    lifted: Int32Array.from(units.filter((unit) => critical.has(facts[unit]?.name ?? ''))),
    withdrawn: new Set(),
  };
}

/** The same garden without the facts that were taken out. */
export function withoutWithdrawn(garden: RecallGarden, isWithdrawn: (fact: RecallFact) => boolean): RecallGarden {
  const units = [...garden.facts.keys()];
  return { ...garden, withdrawn: new Set(units.filter((unit) => isWithdrawn(garden.facts[unit] as RecallFact))) };
}

/** The facts that were not taken out, expired ones among them. */
export function factsLeft({ facts, withdrawn }: RecallGarden): RecallFact[] {
  return facts.filter((_, unit) => !withdrawn.has(unit));
}

export interface RecallContext {
  /** The instant of the recall, ISO 8601; recorded, so that it can be replayed. */
  readonly now: string;
  /** The intent's vector, where the index has vectors. */
  readonly query: Int8Array | null;
  readonly explain: boolean;
}

import type { Fact } from '../schema/bundle/fact.ts';
import { isPlaceholder } from '../schema/source/placeholders.ts';
import { gardenFiles, type GardenFiles } from './files/garden-files.ts';
import type { SearchIndex } from './index/search-index.ts';

/** The members of a fact that recall, preloads and explanations need; provenance remains in the bundle. */
export type RecallFact = Pick<
  Fact,
  'name' | 'uri' | 'version' | 'content' | 'digest' | 'tokens' | 'valid_until' | 'delivery' | 'fallback' | 'skill'
>;

/** The part of a fact that a garden keeps in memory. */
export function recallFact(fact: Fact): RecallFact {
  const { name, uri, version, content, digest, tokens, valid_until, delivery, fallback, skill } = fact;
  return { name, uri, version, content, digest, tokens, valid_until, delivery, fallback, ...(skill && { skill }) };
}

/** The input of recall: one agent's units and the shared ones, in the order of the index. */
export interface RecallGarden {
  readonly index: SearchIndex;
  readonly facts: readonly RecallFact[];
  /** Texts of legacy files by path. */
  readonly fallbacks: ReadonlyMap<string, string>;
  /** The end of each fact's validity in milliseconds since 1970; `-Infinity` for a unit without a fact. */
  readonly until: Float64Array;
  /** Units without a fact, or with one that expires. */
  readonly expiring: Int32Array;
  readonly guaranteed: readonly number[];
  /** Files that its units are about. */
  readonly files: GardenFiles;
  /** Critical units, which get a boost because they are hardly ever found (§21.5.5). */
  readonly boosted: Int32Array;
  /** Units whose text is as `init` wrote it. */
  readonly unwritten: readonly number[];
  /** Units with a fact that administrators withdrew after the compile (DESIGN §7). */
  readonly withdrawn: ReadonlySet<number>;
}

/** Precomputes what every recall needs of the facts. */
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
    expiring: Int32Array.from(units.filter((unit) => until[unit] !== Infinity)),
    guaranteed: units.filter((unit) => facts[unit]?.delivery.guarantee_load === true),
    files: gardenFiles(facts),
    boosted: Int32Array.from(units.filter((unit) => critical.has(facts[unit]?.name ?? ''))),
    unwritten: units.filter((unit) => isPlaceholder(facts[unit]?.content ?? '')),
    withdrawn: new Set(),
  };
}

/** The same garden without the withdrawn facts. */
export function withoutWithdrawn(garden: RecallGarden, isWithdrawn: (fact: RecallFact) => boolean): RecallGarden {
  const units = [...garden.facts.keys()];
  return { ...garden, withdrawn: new Set(units.filter((unit) => isWithdrawn(garden.facts[unit] as RecallFact))) };
}

/** The facts that are not withdrawn, including expired ones. */
export function factsLeft({ facts, withdrawn }: RecallGarden): RecallFact[] {
  return facts.filter((_, unit) => !withdrawn.has(unit));
}

export interface RecallContext {
  /** The instant of the recall, ISO 8601; recorded, so that it can be replayed. */
  readonly now: string;
  /** The intent's vector, if the index has vectors. */
  readonly query: Int8Array | null;
  readonly explain: boolean;
}

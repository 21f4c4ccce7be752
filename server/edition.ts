import type { Queries } from '../compiler/edge/encoder.ts';
import type { Gardens } from './gardens.ts';

/**
 * One bundle in service. A request is answered from one edition from its beginning to its end, whatever is activated
 * meanwhile (DESIGN §8).
 */
export interface Edition {
  readonly gardens: Gardens;
  readonly queries: Queries;
  /** Whether its freshness statement holds; null where it has none. */
  readonly isFresh: () => boolean | null;
}

/** Which edition answers for whom, now. */
export interface Rollout {
  readonly current: () => Edition;
  /** The edition for an agent, by id or short name: its canary's, where it has one. */
  readonly editionFor: (agent: string) => Edition;
}

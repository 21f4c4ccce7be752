import type { RecallGarden } from '../../recall/recall-garden.ts';
import type { Remedy } from '../../schema/report/siblings.ts';
import { stemsOf } from '../paraphrase/stems.ts';

/** Competition of two units: the share that each takes of the other's intents, and whether they share words. */
export interface Contest {
  readonly steals: number;
  readonly back: number;
  readonly shares: boolean;
}

/** If both take at least this share from each other, the units should be merged. */
const MOSTLY = 0.5;

/** Proposes what to do about two units that compete. */
export function createRemedies({ facts }: RecallGarden): (unit: number, rival: number, contest: Contest) => Remedy {
  const triggers = facts.map(({ delivery }) => new Set(delivery.load_triggers.intents.map(stemsOf)));
  return (unit, rival, { steals, back, shares }) => {
    if ([...(triggers[unit] ?? [])].some((it) => triggers[rival]?.has(it))) return 'same_trigger';
    if (steals >= MOSTLY && back >= MOSTLY) return 'merge';
    return shares ? 'reword' : 'set_apart';
  };
}

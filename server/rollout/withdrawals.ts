import type { LoadedGarden } from '../../compiler/io/bundle/load-garden.ts';
import { withoutWithdrawn } from '../../compiler/recall/recall-garden.ts';
import type { FactVersion } from '../../compiler/schema/bundle/fact.ts';
import { isWithdrawn } from '../../compiler/trust/withdrawal.ts';

/** Facts withdrawn while a bundle is served (DESIGN §7). A withdrawn fact stays withdrawn. */
export interface Withdrawn {
  /** As `series digest`. */
  readonly keys: ReadonlySet<string>;
  readonly add: (keys: ReadonlySet<string>) => void;
  /** The garden without its withdrawn facts. */
  readonly removeWithdrawn: (garden: LoadedGarden) => LoadedGarden;
  /** Removes the text of a withdrawn fact. */
  readonly withhold: <T extends FactVersion>(fact: T | null) => T | null;
}

export function createWithdrawn(): Withdrawn {
  const keys = new Set<string>();
  const isOut = (fact: Pick<FactVersion, 'uri' | 'digest'>) => isWithdrawn(keys, fact);
  return {
    keys,
    add: (more) => {
      for (const key of more) keys.add(key);
    },
    removeWithdrawn: (garden) => ({ ...garden, recall: withoutWithdrawn(garden.recall, isOut) }),
    withhold: (fact) => (fact && isOut(fact) ? { ...fact, content: '', withheld: 'withdrawn' } : fact),
  };
}

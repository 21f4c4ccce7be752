import type { JudgedUnit } from '../quality/coverage/judged-unit.ts';
import type { RecallGarden } from '../recall/recall-garden.ts';
import type { Encoder } from '../recall/signals/semantic.ts';
import type { Diversity, UnitCoverage } from '../schema/bundle/coverage.ts';

/** What judges how well units are found; handed in. */
export interface Gate {
  /** Names the generator of paraphrases, and everything that it is made of. */
  readonly generator: string;
  readonly judge: (
    garden: RecallGarden,
    units: readonly JudgedUnit[],
    encoder: Encoder | null,
    now: string,
  ) => Promise<{ units: UnitCoverage[]; diversity: Diversity }>;
  /** `--skip-coverage-gate`: failures pass where administrators allowed it. */
  readonly skip: boolean;
}

import type { JudgedUnit } from '../quality/coverage/judged-unit.ts';
import type { RecallGarden } from '../recall/recall-garden.ts';
import type { Encoder } from '../recall/signals/semantic.ts';
import type { Diversity, UnitCoverage } from '../schema/bundle/coverage.ts';

/** A port that evaluates how well recall finds units. */
export interface Gate {
  /** Names the generator of paraphrases and its dependencies. */
  readonly generator: string;
  readonly judge: (
    garden: RecallGarden,
    units: readonly JudgedUnit[],
    encoder: Encoder | null,
    now: string,
  ) => Promise<{ units: UnitCoverage[]; diversity: Diversity }>;
  /** `--skip-coverage-gate`: failures pass if administrators approved it. */
  readonly skip: boolean;
}

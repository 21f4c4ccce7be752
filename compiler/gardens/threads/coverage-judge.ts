import type { JudgedUnit } from '../../quality/unit-coverage/judged-unit.ts';
import type { RecallFact, RecallGarden } from '../../recall/recall-garden.ts';
import type { Encoder } from '../../recall/signals/semantic.ts';
import type { Diversity, UnitCoverage } from '../../schema/bundle/coverage.ts';

/** Findings of the coverage gate on the units of a garden. */
export interface Judged {
  readonly units: UnitCoverage[];
  readonly diversity: Diversity;
}

/** A garden to judge, as plain data that another thread can take. */
export interface CoverageQuestion {
  /** The files of the index, by path. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** By name, as the index has them. */
  readonly facts: readonly RecallFact[];
  readonly units: readonly JudgedUnit[];
  /** The name of the model; null without vectors. */
  readonly model: string | null;
  /** ISO 8601 */
  readonly now: string;
}

/** A port that evaluates how well recall finds units. */
export interface Gate {
  /** Names the generator of paraphrases and its dependencies. */
  readonly generator: string;
  readonly judge: (
    garden: RecallGarden,
    units: readonly JudgedUnit[],
    encoder: Encoder | null,
    now: string,
  ) => Promise<Judged>;
  /** `--skip-coverage-gate`: failures pass if administrators approved it. */
  readonly skip: boolean;
}

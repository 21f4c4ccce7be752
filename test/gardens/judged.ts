import type { Gate } from '../../compiler/gardens/threads/coverage-judge.ts';
import { GENERATOR } from '../../compiler/schema/bundle/generator-version.ts';
import { unitCoverage } from '../support/unit-coverage.ts';

export interface Judge extends Gate {
  /** How many gardens were judged. */
  readonly calls: () => number;
}

/** A gate whose judge finds every unit but these, and counts what it is asked. */
export function judge(failing: readonly string[] = [], over: Partial<Gate> = {}): Judge {
  let calls = 0;
  const found = (name: string) => (failing.includes(name) ? 0.5 : 1);
  return {
    generator: GENERATOR,
    skip: false,
    judge: (_garden, units) => {
      calls += 1;
      const judged = units.map(({ name }) =>
        unitCoverage(name, { found: 10 * found(name), coverage_pct: found(name) }),
      );
      return Promise.resolve({ units: judged, diversity: { words: 1, syntax: 1 } });
    },
    ...over,
    calls: () => calls,
  };
}

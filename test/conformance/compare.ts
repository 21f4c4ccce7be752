import { namesIn, type Baseline } from './baseline.ts';
import { isMet, isMissed, type Run, type Status } from './checks.ts';

/** A check by its name, `scenario/check`, as it came out under one revision. */
interface Found {
  readonly name: string;
  readonly revision: string;
  readonly status: Status;
  readonly errorMessage: string;
}

export interface Surprise {
  readonly what: 'not met' | 'met' | 'twice' | 'unknown';
  readonly name: string;
  /** For people. */
  readonly told: string;
}

/** Differences from the baseline, in both directions; nothing if all is as expected. */
export function surprises(runs: readonly Run[], baseline: Baseline): Surprise[] {
  const accepted = namesIn(baseline);
  const found = runs.flatMap(foundIn);
  const known = new Set(found.map(({ name }) => name));
  const twice = accepted.filter((name, at) => accepted.indexOf(name) !== at);
  return [
    ...twice.map((name) => ({ what: 'twice', name, told: 'is in the baseline twice' }) as const),
    ...[...new Set(accepted)]
      .filter((name) => !known.has(name))
      .map((name) => ({ what: 'unknown', name, told: 'is in the baseline, and the suite has no such check' }) as const),
    ...found.flatMap((it) => surprise(it, accepted.includes(it.name))),
  ];
}

function foundIn({ revision, scenario, checks }: Run): Found[] {
  return checks.map(({ id, status, errorMessage }) => ({ name: `${scenario}/${id}`, revision, status, errorMessage }));
}

function surprise({ name, revision, status, errorMessage }: Found, isAccepted: boolean): Surprise[] {
  if (isMissed(status) && !isAccepted)
    return [{ what: 'not met', name, told: `is not met under ${revision} (${status}): ${errorMessage}` }];
  if (isMet(status) && isAccepted)
    return [{ what: 'met', name, told: `is met under ${revision}: take it out of the baseline` }];
  return [];
}

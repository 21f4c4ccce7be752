import { changeOf, reasonOf, type Accepted } from './accepted.ts';
import type { Judged } from './judged.ts';

/** Percent that the nearest tests have to kill, of each room. */
const LEAST = 90;

export interface Score {
  readonly mutants: number;
  readonly killed: number;
  /** Killed of all that were tried; nothing is left out of it, accepted survivors neither. */
  readonly percent: number;
}

export function scoreOf(judged: readonly Judged[]): Score {
  const killed = judged.filter((it) => it.killed !== null).length;
  return { mutants: judged.length, killed, percent: judged.length === 0 ? 100 : (100 * killed) / judged.length };
}

/** Why a run fails: a room below the least score, or an accepted survivor that is none. */
export function failsOf(scores: readonly Score[], stale: readonly Accepted[]): string[] {
  const low = scores.filter(({ percent }) => percent < LEAST).length;
  return [
    ...(low > 0 ? [`${low} of ${scores.length} rooms below ${LEAST} %`] : []),
    ...(stale.length > 0 ? [`${stale.length} entries of accepted.yaml without a survivor`] : []),
  ];
}

/** Survivors, one a line: place, mutator, change, and the reason or what is missing. */
export function survivorsOf(judged: readonly Judged[], accepted: readonly Accepted[]): string[] {
  return judged
    .filter(({ killed }) => killed === null)
    .map(({ mutant, reached }) => {
      const { path, line, column, mutator } = mutant;
      const reason = reasonOf(mutant, accepted) ?? (reached ? 'no reason yet' : 'no reason yet, and no test runs it');
      return `${path}:${line}:${column} ${mutator}: ${changeOf(mutant)} (${reason})`;
    });
}

/** The report as Markdown. */
export function reportOf(
  rooms: ReadonlyMap<string, readonly Judged[]>,
  accepted: readonly Accepted[],
  stale: readonly Accepted[],
): string {
  const rows = [...rooms, ['all', [...rooms.values()].flat()] as const].map(([name, judged]) => {
    const { mutants, killed, percent } = scoreOf(judged);
    const open = judged.filter((it) => it.killed === null && reasonOf(it.mutant, accepted) === null).length;
    return `| ${name} | ${mutants} | ${killed} | ${mutants - killed - open} | ${open} | ${percent.toFixed(1)} % |`;
  });
  return [
    '| room | mutants | killed | accepted | open | score |',
    '| --- | --: | --: | --: | --: | --: |',
    ...rows,
    '',
    ...[...rooms.values()].flatMap((judged) => survivorsOf(judged, accepted)).map((it) => `- ${it}`),
    ...stale.map(({ file, line, change }) => `- stale: ${file}: ${line}: ${change}`),
    '',
  ].join('\n');
}

import { hash } from 'node:crypto';
import {
  HEARTBEAT,
  HEARTBEAT_BYTES,
  HEARTBEAT_DIGEST,
  type AuditDay,
  type AuditSums,
} from '../../../compiler/schema/audit/sums.ts';

/**
 * One row of a store's sums: what it tells of (`h` a heartbeat, `o` others, `r` a rank, `m` a missed name, `u` a unit,
 * `n` a newest miss), of which agent, its name, and its figures.
 */
export type SumsRow = readonly [what: string, agent: string, name: string | number | null, ...figures: number[]];

/** The figures of an `h` row, in the order of its columns; three flags and the best rank follow. */
const FIGURES = [
  ...(['rows', 'recalls', 'aborted', 'unclosed', 'silent', 'unused', 'events', 'used', 'missed'] as const),
  ...(['used_of_recalls', 'unnamed', 'tokens', 'misses'] as const),
];

type Figure = (typeof FIGURES)[number];
type Growing = { -readonly [K in keyof AuditSums]: AuditSums[K] extends readonly (infer T)[] ? T[] : AuditSums[K] };

/** Sums as rows tell them, by agent. */
export function sumsOf(rows: Iterable<SumsRow>): AuditSums[] {
  const sums = new Map<string, Growing & { readonly records: Buffer[] }>();
  const of = (agent: string) => {
    const known = sums.get(agent) ?? { ...emptySums(agent), records: [] };
    sums.set(agent, known);
    return known;
  };
  for (const [what, agent, name, ...figures] of rows) add(of(agent), what, name, figures);
  return [...sums.values()].map(({ records, ...it }) => ({
    ...it,
    heartbeats: new Uint8Array(Buffer.concat(records)),
  }));
}

function add(
  sums: Growing & { readonly records: Buffer[] },
  what: string,
  name: string | number | null,
  figures: readonly number[],
): void {
  const [first = 0, second = 0] = figures;
  if (what === 'h') {
    for (const [i, figure] of FIGURES.entries()) sums[figure] += figures[i] ?? 0;
    sums.records.push(recordOf(String(name), figures.slice(FIGURES.length)));
  } else if (what === 'o') {
    sums.rows += first;
    sums.by_others += first;
  } else if (what === 'r') sums.ranks.push([Number(name), first]);
  else if (what === 'm') {
    sums.missed_names.push([String(name), first]);
    sums.more_missed = second;
  } else if (what === 'u') sums.units.push([String(name), first, second]);
  else sums.newest_misses.push([first, Number(name)]);
}

function recordOf(id: string, [using = 0, compared = 0, woken = 0, best = 0]: readonly number[]): Buffer {
  const record = Buffer.alloc(HEARTBEAT_BYTES);
  hash('sha256', id, 'buffer').copy(record, 0, 0, HEARTBEAT_DIGEST);
  record[HEARTBEAT_DIGEST] = using * HEARTBEAT.using + compared * HEARTBEAT.compared + woken * HEARTBEAT.woken;
  // no figure is told of ranks beyond fifty
  record[HEARTBEAT_DIGEST + 1] = Math.min(255, best);
  return record;
}

function emptySums(agent_id: string): Growing {
  const figures = Object.fromEntries(FIGURES.map((it) => [it, 0])) as Record<Figure, number>;
  return {
    agent_id,
    by_others: 0,
    ...figures,
    more_missed: 0,
    ranks: [],
    missed_names: [],
    units: [],
    newest_misses: [],
    heartbeats: new Uint8Array(),
  };
}

/** How many entries of a kind a store has of an agent and a day, and the places of the first and last. */
export interface Counted {
  readonly agent_id: string;
  readonly day: number;
  readonly after_cut: number;
  readonly rows: number;
  readonly first: number;
  readonly last: number;
}

/**
 * Days with their state. An answer is closed within 24 hours of it, by the clock of any instance: closings of the day
 * before and of the two days after belong to a day's state. Entries are only ever added, or dropped from the beginning,
 * so that their number with the first and last place says whether they are the same.
 */
export function daysOf(recalls: readonly Counted[], closings: readonly Counted[]): AuditDay[] {
  const closed = new Map(closings.map((it) => [`${it.agent_id} ${it.day}`, stateOf(it)]));
  return recalls.map((it) => {
    const { agent_id, day, after_cut, rows } = it;
    const around = [-1, 0, 1, 2].map((days) => closed.get(`${agent_id} ${day + days}`) ?? '');
    return { agent_id, day, after_cut: after_cut === 1, rows, state: [stateOf(it), ...around].join(';') };
  });
}

function stateOf({ rows, first, last }: Counted): string {
  return `${rows},${first},${last}`;
}

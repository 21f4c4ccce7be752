import { hash } from 'node:crypto';
import type { Arrival } from '../../../compiler/schema/audit/arrival.ts';
import {
  DAY_MS,
  HEARTBEAT,
  HEARTBEAT_BYTES,
  HEARTBEAT_DIGEST,
  type ArrivalSums,
  type AuditDay,
  type AuditSums,
} from '../../../compiler/schema/audit/sums.ts';

/**
 * One row of a store's sums: its kind (`h` a heartbeat, `f` finds, `o` rows of other callers, `r` a rank, `m` a missed
 * name, `u` a unit), the agent, a name, and the figures.
 */
export type SumsRow = readonly [kind: string, agent: string, name: string | number | null, ...figures: number[]];

/** The figures of an `h` row, in column order; three flags and the best rank follow. */
const FIGURES = [
  ...(['rows', 'recalls', 'aborted', 'unclosed', 'silent', 'unused', 'events', 'used', 'missed'] as const),
  ...(['unnamed', 'tokens'] as const),
];

/** The figures of an `f` row. */
const FINDS = ['used_of_finds', 'found_first', 'found_by_choice', 'not_found'] as const;

type Figure = (typeof FIGURES)[number] | (typeof FINDS)[number];
type MutableSums = { -readonly [K in keyof AuditSums]: AuditSums[K] extends readonly (infer T)[] ? T[] : AuditSums[K] };

/** Collects rows into sums by agent. */
export function sumsOf(rows: Iterable<SumsRow>): AuditSums[] {
  const sums = new Map<string, MutableSums & { readonly records: Buffer[] }>();
  const of = (agent: string) => {
    const known = sums.get(agent) ?? { ...emptySums(agent), records: [] };
    sums.set(agent, known);
    return known;
  };
  for (const [kind, agent, name, ...figures] of rows) add(of(agent), kind, name, figures);
  return [...sums.values()].map(({ records, ...it }) => ({
    ...it,
    heartbeats: new Uint8Array(Buffer.concat(records)),
  }));
}

function add(
  sums: MutableSums & { readonly records: Buffer[] },
  kind: string,
  name: string | number | null,
  figures: readonly number[],
): void {
  const [first = 0, second = 0] = figures;
  if (kind === 'h') {
    for (const [i, figure] of FIGURES.entries()) sums[figure] += figures[i] ?? 0;
    sums.records.push(recordOf(String(name), figures.slice(FIGURES.length)));
  } else if (kind === 'f') {
    for (const [i, figure] of FINDS.entries()) sums[figure] += figures[i] ?? 0;
  } else if (kind === 'o') {
    sums.rows += first;
    sums.by_others += first;
  } else if (kind === 'r') sums.ranks.push([Number(name), first]);
  else if (kind === 'm') {
    sums.missed_names.push([String(name), first]);
    sums.more_missed = second;
  } else sums.units.push([String(name), first, second]);
}

function recordOf(id: string, [using = 0, compared = 0, woken = 0, best = 0]: readonly number[]): Buffer {
  const record = Buffer.alloc(HEARTBEAT_BYTES);
  hash('sha256', id, 'buffer').copy(record, 0, 0, HEARTBEAT_DIGEST);
  record[HEARTBEAT_DIGEST] = using * HEARTBEAT.using + compared * HEARTBEAT.compared + woken * HEARTBEAT.woken;
  // one byte is enough, because no figure uses ranks above fifty
  record[HEARTBEAT_DIGEST + 1] = Math.min(255, best);
  return record;
}

function emptySums(agent_id: string): MutableSums {
  const figures = Object.fromEntries([...FIGURES, ...FINDS].map((it) => [it, 0])) as Record<Figure, number>;
  return {
    agent_id,
    by_others: 0,
    ...figures,
    more_missed: 0,
    ranks: [],
    missed_names: [],
    units: [],
    heartbeats: new Uint8Array(),
  };
}

/** A row of a store's sums of arrivals: `pages` as in their bodies. */
export type ArrivalRow = Omit<ArrivalSums, 'pages'> & { readonly pages: string };

export function arrivalSums({ pages, ...row }: ArrivalRow): ArrivalSums {
  return { ...row, pages: (JSON.parse(pages) as Arrival['pages']).map((it) => it.name) };
}

/** Number of entries of one type for an agent and a day, with the `seq` of the first and the last. */
export interface DayCount {
  readonly agent_id: string;
  readonly day: number;
  readonly after_cut: number;
  readonly rows: number;
  readonly first: number;
  readonly last: number;
}

/** The days around a window that are part of the state of its days. */
export interface Around {
  readonly recalls: readonly DayCount[];
  readonly closings: readonly DayCount[];
}

/** A recall is followed within 24 hours, and closed within 24 hours, by the clock of any instance. */
const FOLLOWED = [-1, 0, 1, 2];
const CLOSED = [...FOLLOWED, 3];

/** The window that includes the days around another. */
export function windowAround({ since, until }: { readonly since: number; readonly until: number }) {
  return { since: since - 2 * DAY_MS, until: until + 4 * DAY_MS, cut: 0 };
}

/**
 * Days with their state, which changes if the entries of the day, the recalls that follow them, or the closings of
 * either change. Entries are only appended, or dropped from the start, so number, first and last `seq` identify them.
 */
export function daysOf(days: readonly DayCount[], { recalls, closings }: Around): AuditDay[] {
  const followed = statesOf(recalls);
  const closed = statesOf(closings);
  return days.map((it) => {
    const { agent_id, day, after_cut, rows } = it;
    const around = [
      ...FOLLOWED.map((days) => followed(agent_id, day + days)),
      ...CLOSED.map((days) => closed(agent_id, day + days)),
    ];
    return { agent_id, day, after_cut: after_cut === 1, rows, state: [stateOf(it), ...around].join(';') };
  });
}

function statesOf(days: readonly DayCount[]): (agent: string, day: number) => string {
  const states = new Map(days.map((it) => [`${it.agent_id} ${it.day}`, stateOf(it)]));
  return (agent, day) => states.get(`${agent} ${day}`) ?? '';
}

function stateOf({ rows, first, last }: DayCount): string {
  return `${rows},${first},${last}`;
}

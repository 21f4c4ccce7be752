import { setImmediate } from 'node:timers/promises';
import { rollingSince, type SumsPlace } from '../../compiler/quality/metrics/tally.ts';
import {
  DAY_MS,
  HEARTBEAT_BYTES,
  type ArrivalSums,
  type AuditDay,
  type AuditSums,
} from '../../compiler/schema/audit/sums.ts';
import { refusalOf } from './failures.ts';
import type { SumsReader } from './records/log.ts';
import { SumsCache } from './sums-cache.ts';

/** Limits of one aggregation. */
export interface ReadingLimits {
  readonly ms: number;
  /** Heartbeats in memory, about 80 bytes each. */
  readonly heartbeats: number;
  /** Aborted once the caller no longer waits. */
  readonly signal?: AbortSignal | undefined;
}

/** An operation times out after ten seconds. */
export const READING: ReadingLimits = { ms: 8500, heartbeats: 1_000_000 };

/** For commands. */
export const UNLIMITED: ReadingLimits = { ms: Infinity, heartbeats: Infinity };

/** Rows per aggregation query: other queries run in between. */
const SLICE = 10_000;

/** Rows in a window; times in milliseconds since 1970. */
export interface AuditWindow {
  /** An agent's id; null for all. */
  readonly agent: string | null;
  readonly since: number;
  readonly until: number;
  /** The window of the figures, if rows beyond its end are read. */
  readonly figuresWindow?: { readonly since: number; readonly until: number };
  /** The measured agents: the entity URI by agent id. */
  readonly entities: Readonly<Record<string, string>>;
}

/** The result of reading: if not `complete`, rows before `from` were not read. */
export interface ReadBack {
  readonly rows: number;
  readonly complete: boolean;
  readonly from: number;
}

/** Receives the aggregated rows. */
export interface ReadingSink {
  readonly addSums: (sums: AuditSums, place: SumsPlace) => void;
  readonly addArrivals?: (sums: ArrivalSums) => void;
  /** Called for every agent, including unmeasured ones. */
  readonly addRows?: (agentId: string, rows: number) => void;
}

type Source = Pick<SumsReader, 'days' | 'sums' | 'arrivals'>;

/**
 * Reads an audit backwards, aggregated by its database, the newest day first. At its time or memory limit it stops
 * after a whole day or a whole slice of one, so the figures are complete from some instant on. Days are cached until
 * rows are added or dropped, so that a repeated call gets further.
 *
 * @throws recall_backend_unavailable if the audit cannot be read, or the caller no longer waits; audit_unverified
 */
export async function readBack(
  source: Source,
  reading: AuditWindow,
  sink: ReadingSink,
  limits = READING,
): Promise<ReadBack> {
  const { entities, since, until } = reading;
  const cut = rollingSince(reading.figuresWindow ?? reading);
  const stop = stopFor(limits);
  let rows = 0;
  let heartbeats = 0;
  let from = until;
  const add = (sums: AuditSums, place: SumsPlace) => {
    sink.addSums(sums, place);
    rows += sums.rows;
    heartbeats += sums.heartbeats.length / HEARTBEAT_BYTES;
  };
  try {
    for (const it of await source.arrivals({ entities, since, until }, stop.signal)) sink.addArrivals?.(it);
    for await (const part of partsOf(source, reading, cut, stop.signal)) {
      from = part.until;
      for await (const slice of slicesOf(source, part, stop.signal)) {
        for (const it of slice.sums) add(it, part);
        from = slice.since;
        if (heartbeats >= limits.heartbeats) return { rows, complete: from <= since, from };
      }
      for (const it of part.days) sink.addRows?.(it.agent_id, it.rows);
      rows += part.days.filter((it) => !(it.agent_id in reading.entities)).reduce((all, it) => all + it.rows, 0);
    }
    return { rows, complete: true, from: since };
  } catch (error) {
    if (limits.signal?.aborted === true || !stop.signal.aborted) throw refusalOf(error, 'read');
    return { rows, complete: false, from };
  } finally {
    stop.end();
  }
}

/** Aborted at the time limit, or when the caller no longer waits. */
function stopFor({ ms, signal }: ReadingLimits) {
  const over = new AbortController();
  const giveUp = () => {
    over.abort();
  };
  const timer = Number.isFinite(ms) ? setTimeout(giveUp, ms) : undefined;
  const end = () => {
    clearTimeout(timer);
  };
  return { signal: signal ? AbortSignal.any([signal, over.signal]) : over.signal, end };
}

/** A day, or the part of it in the window or after the start of its last seven days. */
interface Part extends SumsPlace {
  readonly since: number;
  readonly until: number;
  readonly isWhole: boolean;
  readonly days: readonly AuditDay[];
  readonly entities: AuditWindow['entities'];
}

/** The newest first, in groups that double, so that a long window delays no other query. */
async function* partsOf(source: Source, reading: AuditWindow, cut: number, signal: AbortSignal): AsyncGenerator<Part> {
  const { agent, since } = reading;
  let until = reading.until;
  let days = 1;
  while (until > since) {
    const from = Math.max(since, (Math.ceil(until / DAY_MS) - days) * DAY_MS);
    const found = await source.days({ agent, since: from, until, cut }, signal);
    for (const part of groupsOf(found)) yield partOf(part, reading, cut);
    until = from;
    days *= 2;
  }
}

/** Agents grouped by day, or by part of a day. */
function groupsOf(days: readonly AuditDay[]): AuditDay[][] {
  const groups = new Map<string, AuditDay[]>();
  for (const it of days) {
    const key = `${it.day} ${String(it.after_cut)}`;
    const group = groups.get(key);
    if (group) group.push(it);
    else groups.set(key, [it]);
  }
  return [...groups.values()];
}

function partOf(days: readonly AuditDay[], { since, until, entities }: AuditWindow, cut: number): Part {
  const { day = 0, after_cut = false } = days[0] ?? {};
  const begin = day * DAY_MS;
  const end = (day + 1) * DAY_MS;
  const from = Math.max(begin, since, after_cut ? cut : 0);
  const to = Math.min(end, until, after_cut ? Infinity : cut);
  return {
    since: from,
    until: to,
    isWhole: from === begin && to === end,
    days,
    entities,
    day: new Date(begin).toISOString().slice(0, 10),
    rolling: after_cut,
  };
}

interface Slice {
  readonly since: number;
  readonly sums: readonly AuditSums[];
}

const caches = new WeakMap<Source, SumsCache>();

/** Cached figures of a part come last: until then the figures are complete only for what was read. */
async function* slicesOf(source: Source, part: Part, signal: AbortSignal): AsyncGenerator<Slice> {
  const cache = caches.get(source) ?? new SumsCache();
  caches.set(source, cache);
  const keyOf = ({ agent_id, day }: AuditDay) => JSON.stringify([agent_id, part.entities[agent_id], day]);
  const wanted = part.days.filter((it) => it.agent_id in part.entities);
  const known = part.isWhole ? wanted.flatMap((it) => cache.find(keyOf(it), it.state) ?? []) : [];
  const isKnown = new Set(known.map((it) => it.agent_id));
  const missing = wanted.filter((it) => !isKnown.has(it.agent_id));
  const read: AuditSums[] = [];
  for await (const slice of readSlices(source, part, missing, signal)) {
    read.push(...slice.sums);
    if (known.length === 0) yield slice;
  }
  if (known.length > 0) yield { since: part.since, sums: [...known, ...read] };
  if (!part.isWhole) return;
  for (const it of missing) {
    const own = read.filter(({ agent_id }) => agent_id === it.agent_id);
    if (own.length > 0) cache.keep(keyOf(it), it.state, own);
  }
}

async function* readSlices(
  source: Source,
  part: Part,
  missing: readonly AuditDay[],
  signal: AbortSignal,
): AsyncGenerator<Slice> {
  const rows = missing.reduce((all, it) => all + it.rows, 0);
  if (rows === 0) return;
  const entities = Object.fromEntries(missing.map(({ agent_id }) => [agent_id, part.entities[agent_id] ?? '']));
  const width = Math.ceil((part.until - part.since) / Math.ceil(rows / SLICE));
  for (let until = part.until; until > part.since; until -= width) {
    const since = Math.max(part.since, until - width);
    const sums = await source.sums({ entities, since, until }, signal);
    // lets recalls run in between
    await setImmediate();
    signal.throwIfAborted();
    yield { since, sums };
  }
}

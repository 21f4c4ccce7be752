import type { Answered } from '../model/answered.ts';
import {
  MISS_ALERT,
  MISS_ALERT_EVENTS,
  ROLLING_DAYS,
  type AtK,
  type Figures,
  type MetricsDay,
} from '../model/metrics.ts';
import { share } from './share.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** What figures are told from: everything of an answer but what was asked. */
export type Told = Pick<
  Answered,
  | 'agent_id'
  | 'asked_by'
  | 'kind'
  | 'aborted'
  | 'heartbeat_id'
  | 'heartbeat_source'
  | 'loaded_chunks'
  | 'tokens'
  | 'created_at'
  | 'closing'
>;

/** Used and missed units of some answers, summed up; `found` has the used ones within each depth. */
interface Sums {
  recalls: number;
  events: number;
  used: number;
  missed: number;
  usedOfRecalls: number;
  readonly found: number[];
}

/** Sums the answers of one agent, or of many, in any order; nothing of an answer is kept but its heartbeat. */
export class Tally {
  readonly #depths: readonly number[];
  readonly #rollingSince: number;
  readonly #all: Sums;
  readonly #rolling: Sums;
  readonly #days = new Map<string, Sums>();
  #aborted = 0;
  readonly #excluded = { by_others: 0, unclosed: 0, silent: 0, unused: 0 };
  readonly #heartbeats = new Set<string>();
  readonly #using = new Set<string>();
  readonly #hits: readonly Set<string>[];

  /** @param window milliseconds since 1970 */
  constructor(depths: readonly number[], window: { readonly since: number; readonly until: number }) {
    this.#depths = depths;
    this.#rollingSince = Math.max(window.since, window.until - 1 - ROLLING_DAYS * DAY_MS);
    this.#all = noSums(depths);
    this.#rolling = noSums(depths);
    this.#hits = depths.map(() => new Set());
  }

  /** @param own whether the agent itself asked */
  add(told: Told, own: boolean): void {
    if (!own) {
      this.#excluded.by_others += 1;
      return;
    }
    this.#heartbeats.add(heartbeatOf(told));
    if (told.aborted) this.#aborted += 1;
    const sums = [this.#all, this.#dayOf(told), ...(told.created_at >= this.#rollingSince ? [this.#rolling] : [])];
    if (told.kind === 'recall') for (const it of sums) it.recalls += 1;
    const said = saidOf(told);
    if (said === null) {
      if (told.kind === 'recall') this.#excluded[told.closing === null ? 'unclosed' : 'silent'] += 1;
      return;
    }
    const { used, missed } = said;
    for (const it of sums) {
      it.events += 1;
      it.used += used.size;
      it.missed += missed.size;
    }
    if (told.kind === 'recall') this.#addUsed(told, used, sums);
  }

  /** Recall@k and Hit@k are of what was ranked for an intent; preloads are owed, whatever they are good for. */
  #addUsed(told: Told, used: ReadonlySet<string>, sums: readonly Sums[]): void {
    if (used.size === 0) {
      this.#excluded.unused += 1;
      return;
    }
    const heartbeat = heartbeatOf(told);
    this.#using.add(heartbeat);
    for (const it of sums) it.usedOfRecalls += used.size;
    const ranks = told.loaded_chunks.filter((it) => used.has(it.name)).map((it) => it.rank);
    for (const [i, k] of this.#depths.entries()) {
      const found = ranks.filter((rank) => rank <= k).length;
      for (const it of sums) it.found[i] = (it.found[i] ?? 0) + found;
      if (found > 0) this.#hits[i]?.add(heartbeat);
    }
  }

  #dayOf({ created_at }: Told): Sums {
    const day = new Date(created_at).toISOString().slice(0, 10);
    const sums = this.#days.get(day) ?? noSums(this.#depths);
    this.#days.set(day, sums);
    return sums;
  }

  /** The figures, all but those of tokens. */
  figures(): Omit<Figures, 'tokens'> {
    const [missRate, rollingRate] = [missRateOf(this.#all), missRateOf(this.#rolling)];
    const { events } = this.#rolling;
    return {
      recalls: this.#all.recalls,
      heartbeats: this.#heartbeats.size,
      aborted: this.#aborted,
      excluded: { ...this.#excluded },
      at: this.#depths.map((k, i) => this.#atDepth(k, i)),
      miss_rate: missRate,
      events: this.#all.events,
      rolling: { since: new Date(this.#rollingSince).toISOString(), miss_rate: rollingRate, events },
      alert: events >= MISS_ALERT_EVENTS && isAbove(this.#rolling, MISS_ALERT),
      days: this.#toldDays(),
    };
  }

  #atDepth(k: number, i: number): AtK {
    return {
      k,
      recall: share(this.#all.found[i] ?? 0, this.#all.usedOfRecalls),
      hit: share(this.#hits[i]?.size ?? 0, this.#using.size),
    };
  }

  #toldDays(): MetricsDay[] {
    const days = [...this.#days].sort(([a], [b]) => (a < b ? -1 : 1));
    return days.map(([day, sums]) => {
      const first = new Date(Date.parse(day) - (ROLLING_DAYS - 1) * DAY_MS).toISOString().slice(0, 10);
      const recent = days.filter(([it]) => it >= first && it <= day).map(([, it]) => it);
      const rolling = missRateOf({ used: total(recent, 'used'), missed: total(recent, 'missed') });
      const recall_at = this.#depths.map((k, i) => ({ k, recall: share(sums.found[i] ?? 0, sums.usedOfRecalls) }));
      return { day, recalls: sums.recalls, events: sums.events, miss_rate: missRateOf(sums), rolling, recall_at };
    });
  }
}

/** Two agents' heartbeats are two, whatever their ids are. */
function heartbeatOf({ agent_id, heartbeat_id }: Told): string {
  return `${agent_id} ${heartbeat_id}`;
}

/** What an agent said of an answer, each name once; null where it said nothing. */
export function saidOf({ closing }: Pick<Told, 'closing'>) {
  if (closing === null || closing.used_chunks.length + closing.missed_chunks.length === 0) return null;
  return { used: new Set(closing.used_chunks), missed: new Set(closing.missed_chunks) };
}

/** |missed| / (|used| + |missed|); null of nothing. */
function missRateOf({ used, missed }: Pick<Sums, 'used' | 'missed'>): number | null {
  return share(missed, used + missed);
}

/** Unrounded: what is only rounded down to a threshold is above it. */
function isAbove({ used, missed }: Sums, rate: number): boolean {
  return missed / (used + missed) > rate;
}

function total(sums: readonly Sums[], of: 'used' | 'missed'): number {
  return sums.reduce((all, it) => all + it[of], 0);
}

function noSums(depths: readonly number[]): Sums {
  return { recalls: 0, events: 0, used: 0, missed: 0, usedOfRecalls: 0, found: depths.map(() => 0) };
}

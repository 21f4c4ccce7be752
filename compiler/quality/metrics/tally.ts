import {
  MISS_ALERT,
  MISS_ALERT_EVENTS,
  ROLLING_DAYS,
  type AtK,
  type Figures,
  type MetricsDay,
} from '../../schema/api/metrics.ts';
import type { AuditedAnswer } from '../../schema/audit/answered.ts';
import { DAY_MS, HEARTBEAT, type AuditSums } from '../../schema/audit/sums.ts';
import { Heartbeats } from './heartbeats.ts';
import { share } from './share.ts';

/** The parts of an answer from which figures are computed: not the intent. */
export type AnswerNotes = Pick<
  AuditedAnswer,
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

/** The position of sums in a window. */
export interface SumsPlace {
  /** ISO 8601, UTC. */
  readonly day: string;
  /** Whether it is within the last seven days. */
  readonly rolling: boolean;
}

/** Used and missed units of some answers, summed up; `found` has the used ones within each depth. */
interface Sums {
  recalls: number;
  events: number;
  used: number;
  missed: number;
  usedOfRecalls: number;
  readonly found: number[];
}

/**
 * Sums up the answers of one agent, or of many, in any order: one by one, or as sums of a store. Of an answer it keeps
 * only the heartbeat.
 */
export class Tally {
  readonly #depths: readonly number[];
  readonly #rollingSince: number;
  readonly #all: Sums;
  readonly #rolling: Sums;
  readonly #days = new Map<string, Sums>();
  #aborted = 0;
  readonly #excluded = { by_others: 0, unclosed: 0, silent: 0, unused: 0 };
  readonly #tokens = { unnamed: 0, spent: 0 };
  readonly heartbeats = new Heartbeats();

  /** @param window milliseconds since 1970 */
  constructor(depths: readonly number[], window: { readonly since: number; readonly until: number }) {
    this.#depths = depths;
    this.#rollingSince = rollingSince(window);
    this.#all = noSums(depths);
    this.#rolling = noSums(depths);
  }

  /** @param own whether the agent itself sent the request */
  add(answer: AnswerNotes, own: boolean): void {
    if (!own) {
      this.#excluded.by_others += 1;
      return;
    }
    this.#addHeartbeat(answer);
    if (answer.aborted) this.#aborted += 1;
    const sums = [this.#all, this.#dayOf(answer), ...(answer.created_at >= this.#rollingSince ? [this.#rolling] : [])];
    if (answer.kind === 'recall') for (const it of sums) it.recalls += 1;
    const usage = usageOf(answer);
    if (usage === null) {
      if (answer.kind === 'recall') this.#excluded[answer.closing === null ? 'unclosed' : 'silent'] += 1;
      return;
    }
    const { used, missed } = usage;
    for (const it of sums) {
      it.events += 1;
      it.used += used.size;
      it.missed += missed.size;
    }
    if (answer.kind === 'recall') this.#addUsed(answer, used, sums);
  }

  /** A recall without a named heartbeat belongs to none: its tokens are compared with nothing. */
  #addHeartbeat(answer: AnswerNotes): void {
    const { agent_id, heartbeat_id, heartbeat_source, kind, aborted, tokens } = answer;
    const isNamed = heartbeat_source !== 'generated';
    if (!isNamed) this.#tokens.unnamed += 1;
    else if (!aborted) this.#tokens.spent += tokens;
    const ranks = usedRanks(answer);
    const flags = [
      ranks === null ? 0 : HEARTBEAT.using,
      isNamed && !aborted ? HEARTBEAT.compared : 0,
      // §21.1.5 S2: an aborted wake-up loaded nothing, not even the stub
      isNamed && !aborted && kind === 'heartbeat' ? HEARTBEAT.woken : 0,
    ];
    const best = ranks === null || ranks.length === 0 ? 0 : Math.min(...ranks);
    // heartbeats of two agents are different even if their IDs are equal
    this.heartbeats.note(
      `${agent_id} ${heartbeat_id}`,
      flags.reduce((all, it) => all | it),
      best,
    );
  }

  /** Recall@k and Hit@k count only units that were ranked for an intent; preloads come without ranking. */
  #addUsed(answer: AnswerNotes, used: ReadonlySet<string>, sums: readonly Sums[]): void {
    if (used.size === 0) {
      this.#excluded.unused += 1;
      return;
    }
    for (const it of sums) it.usedOfRecalls += used.size;
    const ranks = usedRanks(answer) ?? [];
    for (const [i, k] of this.#depths.entries()) {
      const found = ranks.filter((rank) => rank <= k).length;
      for (const it of sums) it.found[i] = (it.found[i] ?? 0) + found;
    }
  }

  /** Adds the sums that a store has of a day, or of a part of one. */
  addSums(sums: AuditSums, { day, rolling }: SumsPlace): void {
    this.#excluded.by_others += sums.by_others;
    if (sums.rows === sums.by_others) return;
    for (const why of ['unclosed', 'silent', 'unused'] as const) this.#excluded[why] += sums[why];
    this.#aborted += sums.aborted;
    this.#tokens.unnamed += sums.unnamed;
    this.#tokens.spent += sums.tokens;
    this.heartbeats.noteAll(sums);
    for (const it of [this.#all, this.#day(day), ...(rolling ? [this.#rolling] : [])]) {
      for (const what of ['recalls', 'events', 'used', 'missed'] as const) it[what] += sums[what];
      it.usedOfRecalls += sums.used_of_recalls;
      for (const [i, k] of this.#depths.entries()) {
        const found = sums.ranks.filter(([rank]) => rank <= k).reduce((all, [, times]) => all + times, 0);
        it.found[i] = (it.found[i] ?? 0) + found;
      }
    }
  }

  /** Tokens of the answers of named heartbeats, and the number of answers without one. */
  tokens(): { readonly unnamed: number; readonly spent: number } {
    return this.#tokens;
  }

  #dayOf({ created_at }: AnswerNotes): Sums {
    return this.#day(new Date(created_at).toISOString().slice(0, 10));
  }

  #day(day: string): Sums {
    const sums = this.#days.get(day) ?? noSums(this.#depths);
    this.#days.set(day, sums);
    return sums;
  }

  /** All figures except those of tokens. */
  figures(): Omit<Figures, 'tokens'> {
    const missRate = missRateOf(this.#all);
    const rollingRate = missRateOf(this.#rolling);
    const { events } = this.#rolling;
    return {
      recalls: this.#all.recalls,
      heartbeats: this.heartbeats.size,
      aborted: this.#aborted,
      excluded: { ...this.#excluded },
      at: this.#depths.map((k, i) => this.#atDepth(k, i)),
      miss_rate: missRate,
      events: this.#all.events,
      rolling: { since: new Date(this.#rollingSince).toISOString(), miss_rate: rollingRate, events },
      alert: events >= MISS_ALERT_EVENTS && isAbove(this.#rolling, MISS_ALERT),
      days: this.#dayFigures(),
    };
  }

  #atDepth(k: number, i: number): AtK {
    return {
      k,
      recall: share(this.#all.found[i] ?? 0, this.#all.usedOfRecalls),
      hit: share(this.heartbeats.hits(k), this.heartbeats.count('using')),
    };
  }

  #dayFigures(): MetricsDay[] {
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

/** The start of the last seven days of a window, in milliseconds since 1970. */
export function rollingSince({ since, until }: { readonly since: number; readonly until: number }): number {
  return Math.max(since, until - 1 - ROLLING_DAYS * DAY_MS);
}

/** Ranks of the used units of a recall; null if it used nothing, or is no recall. */
function usedRanks(answer: AnswerNotes): number[] | null {
  const used = answer.kind === 'recall' ? usageOf(answer)?.used : undefined;
  if (used === undefined || used.size === 0) return null;
  return answer.loaded_chunks.filter((it) => used.has(it.name)).map((it) => it.rank);
}

/** The units that an agent reported as used or missed, each name once; null without a report. */
export function usageOf({ closing }: Pick<AnswerNotes, 'closing'>) {
  if (closing === null || closing.used_chunks.length + closing.missed_chunks.length === 0) return null;
  return { used: new Set(closing.used_chunks), missed: new Set(closing.missed_chunks) };
}

/** |missed| / (|used| + |missed|); null if both are empty. */
function missRateOf({ used, missed }: Pick<Sums, 'used' | 'missed'>): number | null {
  return share(missed, used + missed);
}

/** Unrounded: a rate that only rounding lowers to the threshold is above it. */
function isAbove({ used, missed }: Sums, rate: number): boolean {
  return missed / (used + missed) > rate;
}

function total(sums: readonly Sums[], of: 'used' | 'missed'): number {
  return sums.reduce((all, it) => all + it[of], 0);
}

function noSums(depths: readonly number[]): Sums {
  return { recalls: 0, events: 0, used: 0, missed: 0, usedOfRecalls: 0, found: depths.map(() => 0) };
}

import {
  MISS_ALERT,
  MISS_ALERT_EVENTS,
  PAGES_NAMED,
  ROLLING_DAYS,
  type Arrivals,
  type AtK,
  type Figures,
  type Finds,
  type MetricsDay,
} from '../../schema/api/metrics.ts';
import { DAY_MS, type ArrivalSums, type AuditSums } from '../../schema/audit/sums.ts';
import { Heartbeats } from './heartbeats.ts';
import { share } from './share.ts';

/** The position of sums in a window. */
export interface SumsPlace {
  /** ISO 8601, UTC. */
  readonly day: string;
  /** Whether it is within the last seven days. */
  readonly rolling: boolean;
}

const COUNTS = [
  ...(['recalls', 'events', 'used', 'missed'] as const),
  ...(['used_of_finds', 'found_first', 'found_by_choice', 'not_found'] as const),
];

/** Counts of some answers; `found` has the used units of finds within each depth. */
type Sums = Record<(typeof COUNTS)[number], number> & { readonly found: number[] };

/** Adds up the sums that a store has of one agent, or of many, in any order. */
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
  readonly arrivals = new ArrivalTally();

  /** @param window milliseconds since 1970 */
  constructor(depths: readonly number[], window: { readonly since: number; readonly until: number }) {
    this.#depths = depths;
    this.#rollingSince = rollingSince(window);
    this.#all = noSums(depths);
    this.#rolling = noSums(depths);
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
      for (const what of COUNTS) it[what] += sums[what];
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
      finds: findsOf(this.#all),
      arrivals: this.arrivals.figures(),
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
      recall: share(this.#all.found[i] ?? 0, this.#all.used_of_finds),
      hit: share(this.heartbeats.hits(k), this.heartbeats.count('using')),
    };
  }

  #dayFigures(): MetricsDay[] {
    const days = [...this.#days].sort(([a], [b]) => (a < b ? -1 : 1));
    return days.map(([day, sums]) => {
      const first = new Date(Date.parse(day) - (ROLLING_DAYS - 1) * DAY_MS).toISOString().slice(0, 10);
      const recent = days.filter(([it]) => it >= first && it <= day).map(([, it]) => it);
      const rolling = missRateOf({ used: total(recent, 'used'), missed: total(recent, 'missed') });
      const recall_at = this.#depths.map((k, i) => ({ k, recall: share(sums.found[i] ?? 0, sums.used_of_finds) }));
      return { day, recalls: sums.recalls, events: sums.events, miss_rate: missRateOf(sums), rolling, recall_at };
    });
  }
}

/** Adds up what hooks gave. */
class ArrivalTally {
  readonly #times = { pages: 0, names: 0, nothing: 0, file: 0, start: 0, subagent: 0, tokens: 0 };
  readonly #pages = new Map<string, number>();

  add({ event, pages, name, tokens, times }: ArrivalSums): void {
    const brought = pages.length > 0 ? 'pages' : name === null ? 'nothing' : 'names';
    this.#times[event === 'prompt' ? brought : event] += times;
    if (event === 'prompt') this.#times.tokens += tokens;
    for (const it of pages) this.#pages.set(it, (this.#pages.get(it) ?? 0) + times);
  }

  figures(): Arrivals {
    const { file: files, start: starts, subagent: subagents, tokens, ...prompts } = this.#times;
    const all = prompts.pages + prompts.names + prompts.nothing;
    const pages = [...this.#pages].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).slice(0, PAGES_NAMED);
    const tokens_a_prompt = all === 0 ? null : Math.round((tokens / all) * 10) / 10;
    const named = pages.map(([name, times]) => ({ name, times }));
    return { prompts, files, starts, subagents, tokens_a_prompt, pages: named };
  }
}

/** The start of the last seven days of a window, in milliseconds since 1970. */
export function rollingSince({ since, until }: { readonly since: number; readonly until: number }): number {
  return Math.max(since, until - 1 - ROLLING_DAYS * DAY_MS);
}

/** Shares of the ways in which agents found the units that they used. */
function findsOf({ found_first, found_by_choice, not_found }: Sums): Finds {
  const reported = found_first + found_by_choice + not_found;
  const [first, choice, none] = [found_first, found_by_choice, not_found].map((it) => share(it, reported));
  return { reported, first: first ?? null, choice: choice ?? null, none: none ?? null };
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
  const counts = Object.fromEntries(COUNTS.map((it) => [it, 0])) as Record<(typeof COUNTS)[number], number>;
  return { ...counts, found: depths.map(() => 0) };
}

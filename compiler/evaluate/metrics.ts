import {
  LIMITATION,
  MISS_ALERT,
  MISS_ALERT_EVENTS,
  RELEVANT_LEAST,
  type AgentMetrics,
  type AtK,
  type GuaranteedMetrics,
} from '../model/metrics.ts';

/** A recall or a heartbeat as the audit tells it, with what its agent said of it. */
export interface AuditedAnswer {
  readonly kind: 'recall' | 'heartbeat';
  readonly heartbeat_id: string;
  /** Names of the loaded units, by rank. */
  readonly loaded: readonly string[];
  readonly used: readonly string[];
  readonly missed: readonly string[];
  readonly closed: boolean;
  readonly tokens: number;
}

/** What the figures are of. */
export interface Measured {
  readonly agent_id: string;
  /** Instants, ISO 8601. */
  readonly since: string;
  readonly until: string;
  /** Depths that units are looked for in. */
  readonly depths: readonly number[];
  /** Guaranteed units of the agent. */
  readonly guaranteed: readonly string[];
  /** Tokens of everything that the agent may load. */
  readonly eagerTokens: number;
}

/**
 * The live metrics of one agent (§21.5.3). What was never closed, and what was closed without a word, is counted and
 * left out; a recall that used nothing but missed something is a miss.
 */
export function measureAgent(answers: readonly AuditedAnswer[], measured: Measured): AgentMetrics {
  const { depths, guaranteed, eagerTokens, ...of } = measured;
  const recalls = answers.filter((it) => it.kind === 'recall');
  const closed = recalls.filter((it) => it.closed);
  const told = closed.filter((it) => it.used.length + it.missed.length > 0);
  const heartbeats = new Set(answers.map((it) => it.heartbeat_id)).size;
  const missRate = missRateOf(told);
  return {
    ...of,
    recalls: recalls.length,
    heartbeats,
    excluded: { unclosed: recalls.length - closed.length, silent: closed.length - told.length },
    at: depths.map((k) => atDepth(told, k)),
    miss_rate: missRate,
    events: told.length,
    alert: told.length >= MISS_ALERT_EVENTS && (missRate ?? 0) > MISS_ALERT,
    missed: countMissed(told),
    guaranteed: guaranteed.map((name) => relevanceOf(name, told)),
    tokens: tokensOf(answers, heartbeats * eagerTokens),
    limitation: LIMITATION,
  };
}

/** |missed| / (|used| + |missed|) over all of them. */
export function missRateOf(told: readonly Pick<AuditedAnswer, 'used' | 'missed'>[]): number | null {
  const used = sum(told.map((it) => it.used.length));
  const missed = sum(told.map((it) => it.missed.length));
  return share(missed, used + missed);
}

function atDepth(told: readonly AuditedAnswer[], k: number): AtK {
  const found = (it: AuditedAnswer) => it.used.filter((name) => it.loaded.slice(0, k).includes(name)).length;
  const using = told.filter((it) => it.used.length > 0);
  const hits = new Set(using.filter((it) => found(it) > 0).map((it) => it.heartbeat_id));
  return {
    k,
    recall: share(sum(using.map(found)), sum(using.map((it) => it.used.length))),
    hit: share(hits.size, new Set(using.map((it) => it.heartbeat_id)).size),
  };
}

function countMissed(told: readonly AuditedAnswer[]): AgentMetrics['missed'] {
  const times = new Map<string, number>();
  for (const name of told.flatMap((it) => it.missed)) times.set(name, (times.get(name) ?? 0) + 1);
  return [...times]
    .map(([name, count]) => ({ name, times: count }))
    .sort((a, b) => b.times - a.times || (a.name < b.name ? -1 : 1));
}

function relevanceOf(name: string, told: readonly AuditedAnswer[]): GuaranteedMetrics {
  const brought = told.filter((it) => it.loaded.includes(name));
  const relevant = share(brought.filter((it) => it.used.includes(name)).length, brought.length);
  return { name, recalled: brought.length, relevant, warning: relevant !== null && relevant < RELEVANT_LEAST };
}

function tokensOf(answers: readonly AuditedAnswer[], eager: number): AgentMetrics['tokens'] {
  const lazy = sum(answers.map((it) => it.tokens));
  return { lazy, eager, saved: eager === 0 ? null : (share(Math.max(0, eager - lazy), eager) ?? 0) };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, it) => all + it, 0);
}

/** To four places; null of nothing. */
function share(part: number, all: number): number | null {
  return all === 0 ? null : Math.round((part / all) * 10_000) / 10_000;
}

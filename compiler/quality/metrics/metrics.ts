import type { MetricsWindow } from '../../schema/api/metrics-query.ts';
import {
  LIMITATION,
  MISSED_NAMED,
  RELEVANT_LEAST,
  type AgentMetrics,
  type Figures,
  type GuaranteedMetrics,
  type Recertification,
} from '../../schema/api/metrics.ts';
import type { ArrivalSums, AuditSums } from '../../schema/audit/sums.ts';
import { share } from './share.ts';
import { Tally, type SumsPlace } from './tally.ts';

/** The garden as it is now, with which the figures of its agent are compared. */
export interface Measured {
  readonly agent: string;
  readonly agent_id: string;
  /** The entity URI with which it sends requests. */
  readonly entity: string;
  readonly guaranteed: readonly string[];
  /** Names of everything that it may load. */
  readonly units: ReadonlySet<string>;
  /** Tokens of all of them loaded at once, see `eagerTokens` in measured-garden.ts. */
  readonly eagerTokens: number;
  readonly stubTokens: number;
  readonly recertify: Recertification | null;
}

/** Accumulates the sums of a store, in any order. */
export interface MetricsAccumulator {
  readonly addSums: (sums: AuditSums, place: SumsPlace) => void;
  readonly addArrivals: (sums: ArrivalSums) => void;
  readonly result: () => AgentMetrics;
}

/**
 * The live metrics of one agent (§21.5.3). Recalls that were never closed, or were closed without a report, are counted
 * separately and are in no figure. A recall that used nothing but missed something is a miss.
 */
export function createMetrics(measured: Measured, window: MetricsWindow): MetricsAccumulator {
  const tally = new Tally(window.depths, window);
  let unsummed = 0;
  const missed = new Map<string, number>();
  const guaranteed = measured.guaranteed.map((name) => ({ name, recalled: 0, used: 0 }));
  const addSums = (sums: AuditSums, place: SumsPlace) => {
    tally.addSums(sums, place);
    for (const [name, times] of sums.missed_names) missed.set(name, (missed.get(name) ?? 0) + times);
    // a lower bound: sums do not name these units, so the same unit may be in the sums of two days
    unsummed = Math.max(unsummed, sums.more_missed);
    for (const it of guaranteed) addUnit(it, sums);
  };
  const addArrivals = (sums: ArrivalSums) => {
    tally.arrivals.add(sums);
  };
  const { agent, agent_id, recertify } = measured;
  const result = (): AgentMetrics => ({
    agent,
    agent_id,
    ...instants(window),
    ...tally.figures(),
    tokens: tokensOf(tally, measured),
    missed: namedMisses(missed, measured.units),
    more_missed: Math.max(0, missed.size - MISSED_NAMED) + unsummed,
    guaranteed: guaranteed.map(relevance),
    recertify,
    limitation: LIMITATION,
  });
  return { addSums, addArrivals, result };
}

function addUnit(counted: { readonly name: string; recalled: number; used: number }, { units }: AuditSums): void {
  const [, recalled = 0, used = 0] = units.find(([name]) => name === counted.name) ?? [];
  counted.recalled += recalled;
  counted.used += used;
}

/** A window as it is reported: `until` is exclusive internally, and reported as the last instant inside. */
export function instants({ since, until }: Pick<MetricsWindow, 'since' | 'until'>) {
  return { since: new Date(since).toISOString(), until: new Date(until - 1).toISOString() };
}

function namedMisses(missed: ReadonlyMap<string, number>, units: ReadonlySet<string>): AgentMetrics['missed'] {
  return [...missed]
    .map(([name, times]) => ({ name, times, exists: units.has(name) }))
    .sort((a, b) => b.times - a.times || (a.name < b.name ? -1 : 1))
    .slice(0, MISSED_NAMED);
}

function relevance({ name, recalled, used }: { name: string; recalled: number; used: number }): GuaranteedMetrics {
  // unrounded: a value that only rounding lifts to the threshold is below it
  const warning = recalled > 0 && used / recalled < RELEVANT_LEAST;
  return { name, recalled, relevant: share(used, recalled), warning };
}

/**
 * Lazy compared with eager loading, per heartbeat. A recall without a named heartbeat would count as a heartbeat of its
 * own, with the cost of all units: it is left out, and counted separately. If the audit has no wake-up of a named
 * heartbeat, the agent still read its stub.
 */
function tokensOf(tally: Tally, { eagerTokens, stubTokens }: Measured): Figures['tokens'] {
  const { heartbeats } = tally;
  const { unnamed, spent } = tally.tokens();
  const named = heartbeats.count('compared');
  const stubs = (named - heartbeats.count('woken')) * stubTokens;
  return compared(named, unnamed, spent + stubs, named * eagerTokens);
}

/** The saved share is never negative: if lazy loading costs more, it is 0. */
export function compared(heartbeats: number, unnamed: number, lazy: number, eager: number): Figures['tokens'] {
  return { heartbeats, unnamed, lazy, eager, saved: eager === 0 ? null : share(Math.max(0, eager - lazy), eager) };
}

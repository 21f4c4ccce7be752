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
import type { AuditSums } from '../../schema/audit/sums.ts';
import { share } from './share.ts';
import { saidOf, Tally, type SumsPlace, type AnswerNotes } from './tally.ts';

/** What the figures of an agent are held against: its garden, as it is now. */
export interface Measured {
  readonly agent: string;
  readonly agent_id: string;
  /** Entity URI that it asks as. */
  readonly entity: string;
  readonly guaranteed: readonly string[];
  /** Names of everything that it may load. */
  readonly units: ReadonlySet<string>;
  /** Of all of that loaded at once, as `eagerTokens` of eager-tokens.ts has it. */
  readonly eagerTokens: number;
  readonly stubTokens: number;
  readonly recertify: Recertification | null;
}

/** What is measured, as it is told row by row, or as a store has added it up; either may come in any order. */
export interface Measuring {
  readonly add: (told: AnswerNotes) => void;
  readonly addSums: (sums: AuditSums, place: SumsPlace) => void;
  readonly isOwn: (told: AnswerNotes) => boolean;
  readonly result: () => AgentMetrics;
}

/**
 * The live metrics of one agent (§21.5.3). What was never closed, and what was closed without a word, is counted and
 * left out; a recall that used nothing but missed something is a miss.
 */
export function measuring(measured: Measured, window: MetricsWindow): Measuring {
  const tally = new Tally(window.depths, window);
  let unsummed = 0;
  const missed = new Map<string, number>();
  const guaranteed = measured.guaranteed.map((name) => ({ name, recalled: 0, used: 0 }));
  const isOwn = ({ closing, asked_by }: AnswerNotes) => closing !== null || asked_by === measured.entity;
  const add = (told: AnswerNotes) => {
    const own = isOwn(told);
    tally.add(told, own);
    if (!own) return;
    const said = saidOf(told);
    for (const name of said?.missed ?? []) missed.set(name, (missed.get(name) ?? 0) + 1);
    if (said === null || told.kind !== 'recall') return;
    for (const it of guaranteed) {
      if (!told.loaded_chunks.some((chunk) => chunk.name === it.name)) continue;
      it.recalled += 1;
      if (said.used.has(it.name)) it.used += 1;
    }
  };
  const addSums = (sums: AuditSums, place: SumsPlace) => {
    tally.addSums(sums, place);
    for (const [name, times] of sums.missed_names) missed.set(name, (missed.get(name) ?? 0) + times);
    // as many at least: which names they are, and whether they are the same on two days, is not known
    unsummed = Math.max(unsummed, sums.more_missed);
    for (const it of guaranteed) addUnit(it, sums);
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
  return { add, addSums, isOwn, result };
}

function addUnit(counted: { readonly name: string; recalled: number; used: number }, { units }: AuditSums): void {
  const [, recalled = 0, used = 0] = units.find(([name]) => name === counted.name) ?? [];
  counted.recalled += recalled;
  counted.used += used;
}

/** The metrics of rows that are at hand. */
export function measureAgent(rows: readonly AnswerNotes[], measured: Measured, window: MetricsWindow): AgentMetrics {
  const it = measuring(measured, window);
  for (const told of rows) it.add(told);
  return it.result();
}

/** A window as it is told; `until` is exclusive inside, and shown as the instant of the question. */
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
  // unrounded: what is only rounded up to the threshold is below it
  const warning = recalled > 0 && used / recalled < RELEVANT_LEAST;
  return { name, recalled, relevant: share(used, recalled), warning };
}

/**
 * Lazy against eager loading, heartbeat by heartbeat. A recall whose heartbeat nobody named would count as a heartbeat
 * of its own, with all units for it alone: it is left out, and counted. Where a named one has no wake-up in the audit,
 * its agent had read its stub all the same.
 */
function tokensOf(tally: Tally, { eagerTokens, stubTokens }: Measured): Figures['tokens'] {
  const { heartbeats } = tally;
  const { unnamed, spent } = tally.tokens();
  const named = heartbeats.count('compared');
  const stubs = (named - heartbeats.count('woken')) * stubTokens;
  return compared(named, unnamed, spent + stubs, named * eagerTokens);
}

/** Never more saved than there was: where lazy loading costs more, nothing is. */
export function compared(heartbeats: number, unnamed: number, lazy: number, eager: number): Figures['tokens'] {
  return { heartbeats, unnamed, lazy, eager, saved: eager === 0 ? null : share(Math.max(0, eager - lazy), eager) };
}

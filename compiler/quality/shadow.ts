import type { AuditedAnswer } from '../schema/audit/answered.ts';
import type { StageFigures } from '../schema/bundle/evidence.ts';
import type { Shadow, ShadowHeartbeat } from '../schema/report/shadow.ts';
import { hasReport, missedIn } from './agent-report.ts';
import { share } from './metrics/share.ts';

/** The parts of an answer that the comparison uses. */
export type ShadowedAnswer = Pick<
  AuditedAnswer,
  | 'kind'
  | 'aborted'
  | 'heartbeat_id'
  | 'heartbeat_source'
  | 'asked_by'
  | 'loaded_chunks'
  | 'tokens'
  | 'created_at'
  | 'closing'
>;

/** The agent whose heartbeats are compared. */
export interface ShadowedAgent {
  /** Its entity URI: requests of others do not count. */
  readonly entity: string;
  /** Names of everything it can recall. */
  readonly units: ReadonlySet<string>;
  readonly costs: ShadowCosts;
}

/** The costs of one heartbeat apart from its recalls, in tokens. */
interface ShadowCosts {
  /** All units and the stub, as eager loading loads them. */
  readonly everything: number;
  /** The boot stub, for heartbeats without a wake-up in the audit. */
  readonly stub: number;
  readonly manifest: number;
}

/** Lazy compared with eager loading, over a window. */
export interface Shadowed {
  /** Newest first. */
  readonly heartbeats: readonly ShadowHeartbeat[];
  readonly totals: Pick<
    Shadow,
    | 'heartbeats'
    | 'recalls'
    | 'by_others'
    | 'miss_rate'
    | 'used'
    | 'missed'
    | 'coverage'
    | 'tokens'
    | 'regressions'
    | 'unknown'
  >;
  readonly figures: StageFigures;
}

/**
 * Compares what heartbeats loaded with what eager loading would have loaded (§21.6.2). A recall whose heartbeat ID was
 * generated belongs to no heartbeat, but counts for the miss rate.
 *
 * @param until milliseconds since 1970; later closings are ignored
 */
export function shadow(answers: readonly ShadowedAnswer[], until: number, agent: ShadowedAgent): Shadowed {
  const { entity, units, costs } = agent;
  const own = answers.filter((it) => it.asked_by === entity);
  const known = own.map((it) => (it.closing && it.closing.at < until ? it : { ...it, closing: null }));
  const heartbeats = [...byHeartbeat(known)].map(([id, group]) => compare(id, group, costs, units)).sort(newestFirst);
  const recalls = known.filter((it) => it.kind === 'recall');
  const events = recalls.filter(hasReport);
  const figures: StageFigures = {
    heartbeats: heartbeats.filter((it) => it.judged).length,
    recalls: recalls.length,
    events: events.length,
    used: sum(events.map(({ closing }) => closing?.used_chunks.length ?? 0)),
    missed: sum(events.map(({ closing }) => (closing ? missedIn(closing) : 0))),
    tokens: { lazy: sum(heartbeats.map((it) => it.tokens.lazy)), eager: heartbeats.length * costs.everything },
  };
  const totals = summarise(heartbeats, recalls, figures, agent);
  return { heartbeats, figures, totals: { ...totals, by_others: answers.length - own.length } };
}

/** The answers of each named heartbeat, in order. */
function byHeartbeat(answers: readonly ShadowedAnswer[]): Map<string, ShadowedAnswer[]> {
  const groups = new Map<string, ShadowedAnswer[]>();
  for (const it of answers) {
    if (it.heartbeat_source === 'generated' || it.aborted) continue;
    const group = groups.get(it.heartbeat_id);
    if (group) group.push(it);
    else groups.set(it.heartbeat_id, [it]);
  }
  return groups;
}

function compare(
  heartbeat_id: string,
  answers: readonly ShadowedAnswer[],
  { everything, stub }: ShadowCosts,
  units: ReadonlySet<string>,
): ShadowHeartbeat {
  const loaded = new Set(answers.flatMap((it) => it.loaded_chunks.map(({ name }) => name)));
  const missed = new Set(answers.flatMap(({ closing }) => closing?.missed_chunks ?? []));
  const wanted = new Set([...missed, ...answers.flatMap(({ closing }) => closing?.used_chunks ?? [])]);
  const woken = answers.some((it) => it.kind === 'heartbeat');
  const first = answers.reduce((earliest, it) => Math.min(earliest, it.created_at), Number.MAX_SAFE_INTEGER);
  return {
    heartbeat_id,
    at: new Date(first).toISOString(),
    recalls: answers.filter((it) => it.kind === 'recall').length,
    judged: answers.some(hasReport),
    tokens: { eager: everything, lazy: sum(answers.map((it) => it.tokens)) + (woken ? 0 : stub) },
    wanted: wanted.size,
    brought: [...wanted].filter((name) => loaded.has(name)).length,
    regressions: [...missed].filter((name) => units.has(name) && !loaded.has(name)).sort(),
  };
}

function summarise(
  heartbeats: readonly ShadowHeartbeat[],
  recalls: readonly ShadowedAnswer[],
  { events, used, missed, tokens }: StageFigures,
  { units, costs: { stub, manifest, everything } }: ShadowedAgent,
): Omit<Shadowed['totals'], 'by_others'> {
  const judged = heartbeats.filter((it) => it.judged);
  const closed = recalls.filter(({ closing }) => closing !== null).length;
  const strangers = recalls.flatMap(({ closing }) => closing?.missed_chunks ?? []).filter((name) => !units.has(name));
  return {
    heartbeats: {
      total: heartbeats.length,
      judged: judged.length,
      regressed: heartbeats.filter((it) => it.regressions.length > 0).length,
    },
    recalls: {
      total: recalls.length,
      unattributed: recalls.filter((it) => it.heartbeat_source === 'generated').length,
      unclosed: recalls.length - closed,
      silent: closed - events,
      events,
    },
    miss_rate: share(missed, used + missed),
    used,
    missed,
    coverage: share(sum(judged.map((it) => it.brought)), sum(judged.map((it) => it.wanted))),
    tokens: { ...tokens, share: share(tokens.lazy, tokens.eager), stub, manifest, everything },
    regressions: count(heartbeats.flatMap((it) => it.regressions)),
    unknown: [...new Set(strangers)].sort(),
  };
}

function newestFirst(a: ShadowHeartbeat, b: ShadowHeartbeat): number {
  return b.at < a.at ? -1 : b.at > a.at ? 1 : a.heartbeat_id < b.heartbeat_id ? -1 : 1;
}

function count(names: readonly string[]): Shadow['regressions'] {
  const times = new Map<string, number>();
  for (const name of names) times.set(name, (times.get(name) ?? 0) + 1);
  return [...times]
    .map(([name, heartbeats]) => ({ name, heartbeats }))
    .sort((a, b) => b.heartbeats - a.heartbeats || (a.name < b.name ? -1 : 1));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, it) => all + it, 0);
}

import { rollingSince } from '../../../compiler/quality/metrics/tally.ts';
import type { AuditedAnswer } from '../../../compiler/schema/audit/answered.ts';
import { DAY_MS, type AuditSums } from '../../../compiler/schema/audit/sums.ts';
import type { ReadingSink } from '../../../server/audit/read.ts';
import { sumsOf, type SumsRow } from '../../../server/audit/records/sums-rows.ts';

/** The parts of an answer that are summed up. */
export type Answer = Pick<
  AuditedAnswer,
  | ('seq' | 'agent_id' | 'asked_by' | 'kind' | 'aborted' | 'heartbeat_id' | 'heartbeat_source' | 'request')
  | ('loaded_chunks' | 'tokens' | 'created_at' | 'closing' | 'first')
>;

interface Window {
  readonly since: number;
  readonly until: number;
}

/** Gives a sink what a store sums up of a window's answers, one by one and in plain words: its SQL has to agree. */
export function addAnswers(
  sink: ReadingSink,
  answers: readonly Answer[],
  { since, until, entities }: Window & { readonly entities: Readonly<Record<string, string>> },
): void {
  const cut = rollingSince({ since, until });
  const inWindow = answers.filter((it) => it.created_at >= since && it.created_at < until);
  for (const [part, own] of groupBy(inWindow, (it) => `${dayOf(it)} ${it.created_at >= cut}`)) {
    const [day = ''] = part.split(' ');
    for (const [agent, rows] of groupBy(own, (it) => it.agent_id)) {
      const entity = entities[agent];
      if (entity !== undefined)
        sink.addSums(sumsOfAnswers(rows, answers, entity), { day, rolling: part.endsWith('true') });
      sink.addRows?.(agent, rows.length);
    }
  }
}

const dayOf = ({ created_at }: Answer) => new Date(Math.floor(created_at / DAY_MS) * DAY_MS).toISOString().slice(0, 10);

function groupBy<T>(all: readonly T[], keyOf: (it: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const it of all) groups.set(keyOf(it), [...(groups.get(keyOf(it)) ?? []), it]);
  return groups;
}

/** @param all answers among which those are that follow */
function sumsOfAnswers(rows: readonly Answer[], all: readonly Answer[], entity: string): AuditSums {
  const agent = rows[0]?.agent_id ?? '';
  const [own, others] = [rows.filter((it) => isOwn(it, entity)), rows.filter((it) => !isOwn(it, entity))];
  const finds = new Map(own.map((it) => [it, findOf(it, all)]));
  const missed = groupBy(own.flatMap(missedNames), (name) => name);
  const units = groupBy(own.filter(isReported).flatMap(loadsOf), ({ name }) => name);
  const [sums] = sumsOf([
    ...own.map((it) => heartbeatRow(it, finds.get(it) ?? NOTHING)),
    ...own.map((it) => findRow(agent, finds.get(it) ?? NOTHING)),
    ...others.map((): SumsRow => ['o', agent, null, 1]),
    ...[...finds.values()].flatMap(({ ranks }) => ranks.map((rank): SumsRow => ['r', agent, rank, 1])),
    ...[...missed].map(([name, times]): SumsRow => ['m', agent, name, times.length, 0]),
    ...[...units].map(([name, of]): SumsRow => ['u', agent, name, of.length, of.filter((it) => it.isUsed).length]),
  ]);
  if (sums === undefined) throw new TypeError('no rows, no sums');
  return sums;
}

const isOwn = ({ closing, asked_by }: Answer, entity: string) => closing !== null || asked_by === entity;
const usedIn = ({ closing }: Answer) => new Set(closing?.used_chunks);
const missedNames = ({ closing }: Answer) => [...new Set(closing?.missed_chunks)];
const missedCount = (it: Answer) => Math.max(missedNames(it).length, it.closing?.nothing_fits === true ? 1 : 0);
const isReported = (it: Answer) => it.kind === 'recall' && usedIn(it).size + missedCount(it) > 0;
const loadsOf = (it: Answer) => it.loaded_chunks.map(({ name }) => ({ name, isUsed: usedIn(it).has(name) }));

/** How the agent of a find came to what it used. */
interface Found {
  readonly used: number;
  /** The best rank of each unit that it used and loaded. */
  readonly ranks: readonly number[];
  readonly how: 'first' | 'choice' | 'none' | null;
}

const NOTHING: Found = { used: 0, ranks: [], how: null };

/** A recall, unless it follows another one, with those that follow it. */
function findOf(root: Answer, all: readonly Answer[]): Found {
  if (root.kind !== 'recall') return NOTHING;
  const followers = all.filter((it) => it.first?.seq === root.seq);
  const first = root.first === null ? [root] : [];
  const used = new Set([...first, ...followers].flatMap((it) => [...usedIn(it)]));
  const loaded = (of: readonly Answer[]) => of.flatMap((it) => it.loaded_chunks.filter(({ name }) => used.has(name)));
  const ranks = [...groupBy(loaded([...first, ...followers]), ({ name }) => name).values()].map((it) =>
    Math.min(...it.map(({ rank }) => rank)),
  );
  const isChosen = followers.some((it) => loaded([it]).some(({ name }) => hintsOf(it).includes(name)));
  const isMissed = [...first, ...followers].some((it) => missedCount(it) > 0);
  const how = isChosen ? 'choice' : loaded(first).length > 0 ? 'first' : used.size === 0 && isMissed ? 'none' : null;
  return { used: used.size, ranks, how };
}

const hintsOf = ({ request }: Answer) => (JSON.parse(request) as { manifest_hint?: string[] }).manifest_hint ?? [];

function findRow(agent: string, { used, how }: Found): SumsRow {
  return ['f', agent, null, used, ...(['first', 'choice', 'none'] as const).map((it) => Number(how === it))];
}

function heartbeatRow(it: Answer, find: Found): SumsRow {
  const isRecall = it.kind === 'recall';
  const isNamed = it.heartbeat_source !== 'generated';
  const [used, missed] = [usedIn(it).size, missedCount(it)];
  const isCompared = isNamed && !it.aborted;
  const counts = [
    ...[true, isRecall, it.aborted, isRecall && it.closing === null],
    ...[isRecall && it.closing !== null && used + missed === 0, isRecall && used === 0 && missed > 0],
    ...[used + missed > 0, used, missed, !isNamed, isCompared ? it.tokens : 0],
    ...[find.used > 0, isCompared, isCompared && !isRecall, find.ranks.length > 0 ? Math.min(...find.ranks) : 0],
  ];
  return ['h', it.agent_id, it.heartbeat_id, ...counts.map(Number)];
}

import type { RecallGarden } from '../recall/recall-garden.ts';
import { recall } from '../recall/recall.ts';
import type { ComputedRecall } from '../schema/api/recall.ts';
import type { Verdict } from '../schema/report/replay-report.ts';
import { digestOfTexts } from '../trust/canonical.ts';
import type { QueryOf } from './probes.ts';

/** A recall as the audit recorded it, with all that a replay needs. */
export interface LoggedRecall {
  readonly id: string;
  readonly request: ComputedRecall;
  /** The instant for which it was answered, ISO 8601. */
  readonly now: string;
  readonly bundle_revision: string;
  /** Names of the loaded units, in order. */
  readonly loaded: readonly string[];
  readonly answer_digest: string;
  /** Names of the candidates, in order; null if they are not compared. */
  readonly candidates: readonly string[] | null;
  readonly tokens: number;
  readonly used: readonly string[];
  readonly missed: readonly string[];
}

export interface Replayed {
  readonly id: string;
  readonly verdict: Verdict;
  /** Units that only the new answer has, and units that only the recorded answer has. */
  readonly gained: readonly string[];
  readonly dropped: readonly string[];
  /** Tokens of the new answer minus tokens of the recorded one. */
  readonly tokens: number;
}

/** Repeats a recorded recall on the same garden or a newer one (§21.3.4: the answer is deterministic). */
export async function replay(garden: RecallGarden, logged: LoggedRecall, queryOf: QueryOf): Promise<Replayed> {
  const { id, request, now } = logged;
  const answer = recall(garden, request, { now, query: await queryOf(request.intent), explain: false });
  const names = answer.chunks.map((it) => it.name);
  const gained = names.filter((name) => !logged.loaded.includes(name));
  const dropped = logged.loaded.filter((name) => !names.includes(name));
  const isSameText = equal(names, logged.loaded) && digestOfTexts(answer.content_digests) === logged.answer_digest;
  const named = (answer.candidates ?? []).map((it) => it.name);
  const identical = isSameText && (logged.candidates === null || equal(named, logged.candidates));
  const verdict = identical ? 'identical' : judge(logged, gained, dropped);
  return { id, verdict, gained, dropped, tokens: answer.total_tokens - logged.tokens };
}

/** Judges a change by the units that the agent reported as used or missed. */
function judge({ used, missed }: LoggedRecall, gained: readonly string[], dropped: readonly string[]): Verdict {
  if (gained.length + dropped.length === 0) return 'same_units';
  const wanted = new Set([...used, ...missed]);
  const change = gained.filter((it) => wanted.has(it)).length - dropped.filter((it) => wanted.has(it)).length;
  return change > 0 ? 'better' : change < 0 ? 'worse' : 'different';
}

function equal(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((it, i) => it === b[i]);
}

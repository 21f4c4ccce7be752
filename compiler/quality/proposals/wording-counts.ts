import { factsLeft, type RecallGarden } from '../../recall/recall-garden.ts';
import type { AuditedAnswer } from '../../schema/audit/answered.ts';
import type { ArrivalSums } from '../../schema/audit/sums.ts';
import type { Unproposed } from '../../schema/report/probe-candidate.ts';
import { hasReport } from '../agent-report.ts';
import { readRequest } from '../logged-recall.ts';
import { MAX_REDACTED } from '../redact/redact.ts';

/** One wording of agents, with the results of its recalls. Not redacted: it must not be shown. */
export interface CountedWording {
  readonly intent: string;
  times: number;
  /** Recalls that missed a unit. */
  missed: number;
  /** Recalls whose unit the agent chose from the candidates of the answer before. */
  chosen: number;
  /** Number of recalls that used or missed each unit. */
  readonly wanted: Map<string, number>;
  readonly recalls: string[];
}

/** Counts of closed recalls, by wording. */
export interface WordingCounts {
  readonly add: (answered: AuditedAnswer) => void;
  /** Counts a prompt for which only names came, as recalls that missed the first of them: a person decides. */
  readonly addPrompt: (prompt: ArrivalSums) => void;
  /** Sorted by wording. */
  readonly wordings: () => readonly CountedWording[];
  readonly skip: (why: Unproposed, times: number) => void;
  readonly skipped: () => Partial<Record<Unproposed, number>>;
}

/** Maximum number of audit IDs that are reported for one wording. */
const MAX_RECALLS = 3;

/** Counts what agents asked, and which units of the garden they used or missed. */
export function createWordingCounts(garden: RecallGarden): WordingCounts {
  const units = new Set(factsLeft(garden).map(({ name }) => name));
  const guaranteed = new Set(garden.guaranteed.map((unit) => garden.facts[unit]?.name ?? ''));
  const byIntent = new Map<string, CountedWording>();
  const skips = new Map<Unproposed, number>();
  const skip = (why: Unproposed, times: number) => void skips.set(why, (skips.get(why) ?? 0) + times);
  return {
    skip,
    skipped: () => Object.fromEntries([...skips].sort(([a], [b]) => (a < b ? -1 : 1))),
    wordings: () => [...byIntent.values()].sort((a, b) => (a.intent < b.intent ? -1 : 1)),
    add: (answered) => {
      const why = unusable(answered);
      if (why !== null) {
        skip(why, 1);
        return;
      }
      const { id, closing } = answered;
      const known = (names: readonly string[] = []) => names.filter((it) => units.has(it));
      const used = known(closing?.used_chunks);
      const missed = known(closing?.missed_chunks);
      const wanted = new Set([...used, ...missed].filter((it) => !guaranteed.has(it)));
      if (wanted.size === 0) {
        skip(used.length + missed.length > 0 ? 'guaranteed' : 'unit_unknown', 1);
        return;
      }
      const isMissed = missed.some((it) => wanted.has(it));
      count(wordingIn(byIntent, intentOf(answered)), { id, wanted, isMissed, isChosen: isChosen(answered, wanted) });
    },
    addPrompt: ({ id, text, name, times }) => {
      const [intent, wanted] = [text ?? '', name ?? ''];
      if (intent.length > MAX_REDACTED) skip('too_long', times);
      else if (!units.has(wanted)) skip('unit_unknown', times);
      else {
        const missed = { intent, times, missed: times, chosen: 0, wanted: new Map([[wanted, times]]), recalls: [id] };
        addTo(wordingIn(byIntent, intent), missed);
      }
    },
  };
}

/** The wording of an intent, counted from zero if it is new. */
function wordingIn(byIntent: Map<string, CountedWording>, intent: string): CountedWording {
  const wording = byIntent.get(intent) ?? { intent, times: 0, missed: 0, chosen: 0, wanted: new Map(), recalls: [] };
  byIntent.set(intent, wording);
  return wording;
}

/** Why an entry proposes nothing, apart from its units. */
function unusable(answered: AuditedAnswer): Unproposed | null {
  if (answered.kind === 'heartbeat') return 'heartbeat';
  if (answered.closing === null) return 'unclosed';
  if (!hasReport(answered)) return 'silent';
  const intent = intentOf(answered);
  if (intent === '') return 'intent_gone';
  return intent.length > MAX_REDACTED ? 'too_long' : null;
}

/** The agent's own intent, from its first recall: a recall that chooses a candidate repeats no more than its name. */
function intentOf({ intent, first }: AuditedAnswer): string {
  return first?.intent ?? intent;
}

/** Whether the agent used a unit that it chose: the words of its intent did not lead there. */
function isChosen({ first, request, loaded_chunks }: AuditedAnswer, wanted: ReadonlySet<string>): boolean {
  if (first === null) return false;
  const hints = readRequest(request, 'any')?.manifest_hint ?? [];
  return loaded_chunks.some(({ name }) => hints.includes(name) && wanted.has(name));
}

interface CountedRecall {
  readonly id: string;
  readonly wanted: ReadonlySet<string>;
  readonly isMissed: boolean;
  readonly isChosen: boolean;
}

function count(wording: CountedWording, { id, wanted, isMissed, isChosen }: CountedRecall): void {
  wording.times += 1;
  if (isMissed) wording.missed += 1;
  if (isChosen) wording.chosen += 1;
  for (const name of wanted) wording.wanted.set(name, (wording.wanted.get(name) ?? 0) + 1);
  if (wording.recalls.length < MAX_RECALLS) wording.recalls.push(id);
}

/** Adds the counts of one wording to another with the same meaning. */
export function addTo(wording: CountedWording, other: CountedWording): void {
  wording.times += other.times;
  wording.missed += other.missed;
  wording.chosen += other.chosen;
  for (const [name, times] of other.wanted) wording.wanted.set(name, (wording.wanted.get(name) ?? 0) + times);
  wording.recalls.push(...other.recalls.slice(0, MAX_RECALLS - wording.recalls.length));
}

import { factsLeft, type RecallGarden } from '../../recall/recall-garden.ts';
import type { AuditedAnswer } from '../../schema/audit/answered.ts';
import type { Unproposed } from '../../schema/report/probe-candidate.ts';
import { MAX_REDACTED } from '../redact/redact.ts';

/** One wording, as agents said it, with what came of it. Raw: nobody is to read it. */
export interface AskedWording {
  readonly intent: string;
  times: number;
  /** Recalls that missed a unit. */
  missed: number;
  /** How many of them used or missed each unit. */
  readonly wanted: Map<string, number>;
  readonly recalls: string[];
}

/** What closed recalls say, wording by wording. */
export interface WordingCounts {
  readonly take: (answered: AuditedAnswer) => void;
  /** By the wording. */
  readonly asked: () => readonly AskedWording[];
  readonly leaveOut: (why: Unproposed, times: number) => void;
  readonly leftOut: () => Partial<Record<Unproposed, number>>;
}

/** Audit ids that are told of one wording. */
const TOLD = 3;

/** Gathers what agents asked, and which units of the garden they used or missed then. */
export function openWordingCounts(garden: RecallGarden): WordingCounts {
  const units = new Set(factsLeft(garden).map(({ name }) => name));
  const guaranteed = new Set(garden.guaranteed.map((unit) => garden.facts[unit]?.name ?? ''));
  const asked = new Map<string, AskedWording>();
  const left = new Map<Unproposed, number>();
  const leaveOut = (why: Unproposed, times: number) => void left.set(why, (left.get(why) ?? 0) + times);
  return {
    leaveOut,
    leftOut: () => Object.fromEntries([...left].sort(([a], [b]) => (a < b ? -1 : 1))),
    asked: () => [...asked.values()].sort((a, b) => (a.intent < b.intent ? -1 : 1)),
    take: (answered) => {
      const why = unusable(answered);
      if (why !== null) {
        leaveOut(why, 1);
        return;
      }
      const { intent, id, closing } = answered;
      const known = (names: readonly string[] = []) => names.filter((it) => units.has(it));
      const used = known(closing?.used_chunks);
      const missed = known(closing?.missed_chunks);
      const wanted = new Set([...used, ...missed].filter((it) => !guaranteed.has(it)));
      if (wanted.size === 0) {
        leaveOut(used.length + missed.length > 0 ? 'guaranteed' : 'unit_unknown', 1);
        return;
      }
      const own = asked.get(intent) ?? { intent, times: 0, missed: 0, wanted: new Map<string, number>(), recalls: [] };
      asked.set(intent, own);
      count(
        own,
        wanted,
        missed.some((it) => wanted.has(it)),
        id,
      );
    },
  };
}

/** Why nothing can be told from an entry, whatever its units are. */
function unusable({ kind, closing, intent }: AuditedAnswer): Unproposed | null {
  if (kind === 'heartbeat') return 'heartbeat';
  if (closing === null) return 'unclosed';
  if (closing.used_chunks.length + closing.missed_chunks.length === 0) return 'silent';
  if (intent === '') return 'intent_gone';
  return intent.length > MAX_REDACTED ? 'too_long' : null;
}

function count(asked: AskedWording, wanted: ReadonlySet<string>, isMissed: boolean, id: string): void {
  asked.times += 1;
  if (isMissed) asked.missed += 1;
  for (const name of wanted) asked.wanted.set(name, (asked.wanted.get(name) ?? 0) + 1);
  if (asked.recalls.length < TOLD) asked.recalls.push(id);
}

/** Adds what came of one wording to another that says the same. */
export function addTo(asked: AskedWording, other: AskedWording): void {
  asked.times += other.times;
  asked.missed += other.missed;
  for (const [name, times] of other.wanted) asked.wanted.set(name, (asked.wanted.get(name) ?? 0) + times);
  asked.recalls.push(...other.recalls.slice(0, TOLD - asked.recalls.length));
}

import {
  VERDICTS,
  type ReplayedRecall,
  type ReplayReport,
  type ReplayTally,
  type Unreplayable,
  type Verdict,
} from '../schema/report/replay-report.ts';

/** A recall that was asked again, with what is counted of it. */
export interface Counted extends ReplayedRecall {
  readonly agent_id: string;
  /** Tokens that it cost then. */
  readonly before: number;
  /** Whether the bundle that answered now is the one that answered then. */
  readonly isProof: boolean;
}

/** Counts a replay as it goes; what it holds does not grow with the audit. */
export interface Counting {
  readonly count: (recall: Counted) => void;
  readonly skip: (why: Unreplayable) => void;
  readonly report: (revision: string | null) => ReplayReport;
  /** Recalls that the same bundle answers otherwise now, as far as they are listed. */
  readonly differing: () => readonly ReplayedRecall[];
}

/** @param listed how many recalls are told one by one, of each verdict; 0 for all */
export function openCounting(listed: number): Counting {
  const limit = listed === 0 ? Infinity : listed;
  const total = emptyTally();
  const agents = new Map<string, Mutable<ReplayTally> & { agent: string; agent_id: string }>();
  const skipped = new Map<Unreplayable, number>();
  const told = new Map<Verdict, ReplayedRecall[]>(VERDICTS.map((it) => [it, []]));
  const differing: ReplayedRecall[] = [];
  const proof = { replayed: 0, differing: 0 };
  let changes = 0;
  return {
    count: ({ agent_id, before, isProof, ...recall }) => {
      const { agent, verdict, tokens } = recall;
      const own = agents.get(agent_id) ?? { agent, agent_id, ...emptyTally() };
      agents.set(agent_id, own);
      for (const tally of [total, own]) add(tally, verdict, before, tokens);
      if (isProof) proof.replayed += 1;
      if (verdict === 'identical' && tokens === 0) return;
      changes += 1;
      keep(told.get(verdict), recall, limit);
      if (!isProof) return;
      proof.differing += 1;
      keep(differing, recall, limit);
    },
    skip: (why) => void skipped.set(why, (skipped.get(why) ?? 0) + 1),
    differing: () => differing,
    report: (revision) => {
      const changed = [...told.values()].flat().slice(0, limit);
      return {
        revision,
        total,
        proof: { ...proof },
        not_replayed: Object.fromEntries([...skipped].sort(([a], [b]) => (a < b ? -1 : 1))),
        changed,
        omitted: changes - changed.length,
        read: total.replayed + [...skipped.values()].reduce((all, it) => all + it, 0),
        agents: [...agents.values()].sort((a, b) => (a.agent < b.agent ? -1 : 1)),
      };
    },
  };
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

function emptyTally(): Mutable<ReplayTally> {
  const none = { worse: 0, different: 0, same_units: 0, better: 0, identical: 0 };
  return { replayed: 0, ...none, tokens: { before: 0, after: 0, change: 0 } };
}

function add(tally: Mutable<ReplayTally>, verdict: Verdict, before: number, change: number): void {
  tally.replayed += 1;
  tally[verdict] += 1;
  tally.tokens.before += before;
  tally.tokens.after += before + change;
  tally.tokens.change += change;
}

function keep(list: ReplayedRecall[] | undefined, recall: ReplayedRecall, limit: number): void {
  if (list && list.length < limit) list.push(recall);
}

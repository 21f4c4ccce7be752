import {
  VERDICTS,
  type ReplayedRecall,
  type ReplayReport,
  type ReplayTally,
  type Unreplayable,
  type Verdict,
} from '../schema/report/replay-report.ts';

/** A replayed recall, with the figures to count. */
export interface CountedRecall extends ReplayedRecall {
  readonly agent_id: string;
  /** The tokens of the recorded answer. */
  readonly before: number;
  /** Whether the replay used the bundle that gave the recorded answer. */
  readonly isProof: boolean;
}

/** Counts a replay recall by recall; with a limit, its memory does not grow with the audit. */
export interface ReplayCounter {
  readonly count: (recall: CountedRecall) => void;
  readonly skip: (why: Unreplayable) => void;
  readonly report: (revision: string | null) => ReplayReport;
  /** Recalls that the same bundle now answers differently, up to the limit. */
  readonly differing: () => readonly ReplayedRecall[];
}

/** @param listed how many changed recalls are listed, for each verdict; 0 for all */
export function createReplayCounter(listed: number): ReplayCounter {
  const limit = listed === 0 ? Infinity : listed;
  const total = emptyTally();
  const agents = new Map<string, Mutable<ReplayTally> & { agent: string; agent_id: string }>();
  const skipped = new Map<Unreplayable, number>();
  const listedBy = new Map<Verdict, ReplayedRecall[]>(VERDICTS.map((it) => [it, []]));
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
      append(listedBy.get(verdict), recall, limit);
      if (!isProof) return;
      proof.differing += 1;
      append(differing, recall, limit);
    },
    skip: (why) => void skipped.set(why, (skipped.get(why) ?? 0) + 1),
    differing: () => differing,
    report: (revision) => {
      const changed = [...listedBy.values()].flat().slice(0, limit);
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

function append(list: ReplayedRecall[] | undefined, recall: ReplayedRecall, limit: number): void {
  if (list && list.length < limit) list.push(recall);
}

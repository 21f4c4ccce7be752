import { VadeError } from '../../../compiler/schema/errors.ts';
import type { NewCommit } from '../git/commit-stream.ts';
import { judged } from './judged.ts';
import type { StateCopy } from './mirror.ts';
import type { ApplyMutation, Mutation, StoreChange, KeptMutation } from './mutation.ts';
import { messageWith, type KeptRequest } from './request-trailers.ts';

/** The outcome of one mutation. */
export type WriteOutcome = { readonly written: KeptMutation } | { readonly error: unknown };

/** A batch that the state has already. */
export interface Batch {
  /** One for each mutation that changes something, in order. */
  readonly commits: readonly NewCommit[];
  /**
   * Names the commits.
   *
   * @param ids one for each commit
   * @param tip the commit of answers that changed nothing
   */
  readonly conclude: (ids: readonly string[], tip: string) => readonly WriteOutcome[];
}

type Applied = { readonly change: StoreChange; readonly request: KeptRequest | null } | WriteOutcome;

/** Applies mutations one after the other, each to the result of the one before it; a refused one changes nothing. */
export function batchOf(
  mutations: readonly Mutation[],
  mirror: StateCopy,
  { owner, apply }: { readonly owner: string; readonly apply: ApplyMutation },
): Batch {
  const applied: Applied[] = [];
  const commits: NewCommit[] = [];
  for (const mutation of mutations) {
    const one = applyOne(mutation, mirror, owner, apply);
    applied.push(one);
    if (!('change' in one) || one.change.writes.size === 0) continue;
    commits.push(commitOf(one, mutation));
    for (const [path, bytes] of one.change.writes) mirror.files.write(path, bytes);
  }
  const conclude: Batch['conclude'] = (ids, tip) => {
    let next = 0;
    return applied.map((it, i) => {
      if (!('change' in it)) return it;
      const { change, request } = it;
      const commit = change.writes.size > 0 ? (ids[next++] ?? tip) : tip;
      if (request) mirror.requests.keep({ ...request, commit, at: mutations[i]?.now ?? 0 });
      return { written: { answer: change.answer, commit, isReplay: false } };
    });
  };
  return { commits, conclude };
}

function applyOne(mutation: Mutation, { files, requests }: StateCopy, owner: string, apply: ApplyMutation): Applied {
  const { subject, key, now } = mutation;
  try {
    const known = key && requests.find(key, now);
    if (known) return { written: { ...known, isReplay: true } };
    const held = { files: files.of(subject), owner };
    const change = judged(() => apply(mutation, held));
    const [path = '-'] = change.writes.keys();
    return { change, request: key && { ...key, path, answer: change.answer } };
  } catch (error) {
    // the state failed, and with it the batch: no mutation is to blame
    if (!(error instanceof VadeError)) throw error;
    return { error };
  }
}

function commitOf(
  { change, request }: Extract<Applied, { readonly change: StoreChange }>,
  { author, now }: Mutation,
): NewCommit {
  return {
    author,
    message: messageWith(change.message, request),
    at: Math.floor(now / 1000),
    writes: change.writes,
  };
}

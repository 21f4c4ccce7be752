import { basename } from 'node:path';
import { stateFolder, type StateFolder } from '../../capabilities/use-cases/state-folder.ts';
import { clearGate, clearState } from '../../capabilities/use-cases/state-writer.ts';
import { VadeError } from '../../schema/errors.ts';
import { instant } from '../../schema/primitives.ts';
import type { Signer } from '../../trust/dsse.ts';
import type { Arguments } from '../../world/flags/flag.ts';
import { orchestratorKey } from '../../world/trust-keys.ts';
import type { World } from '../../world/world.ts';
import { openLedger, type Ledger } from '../ledger/open-ledger.ts';
import type { LedgerEntry, SpawnRow } from '../schema/ledger-row.ts';
import { isSealed } from '../sealed-plan.ts';
import {
  orphanWorktrees,
  removeWorktree,
  type WorktreePlace,
  baseCommit,
  isWorktree,
} from '../worktree/add-worktree.ts';
import { mergeCommits } from '../worktree/merge.ts';
import { privateGit } from '../worktree/private-git.ts';
import { runFolder } from '../worktree/run-folder.ts';
import { takeSnapshot } from '../worktree/snapshot.ts';
import { holdAgent } from './agent-lock.ts';
import { begunSpawns, forgetSpawn } from './begun-spawns.ts';
import type { TASK_CLEAN } from './flags.ts';
import { ledgerFile } from './ledger-place.ts';
import { noteRepository } from './note-repository.ts';
import { unbind } from './withdraw-agent.ts';

export type CleanFlags = Arguments<typeof TASK_CLEAN>;

/** Agents by the action that was, or would be, taken. */
export interface Cleaned {
  readonly removed: readonly string[];
  /** With work that main does not have, and why that is known. */
  readonly kept: readonly { readonly agent_id: string; readonly why: string }[];
}

/** One worktree that may go. */
interface Candidate {
  readonly agent_id: string;
  readonly worktree: WorktreePlace;
  readonly base: string;
  /** Whether the ledger has it; one without a row is left over from a spawn that was killed. */
  readonly isRecorded: boolean;
  /** Its spawn was interrupted: it was never reported, so nobody has worked there. */
  readonly isBegun?: true;
}

/**
 * Removes worktrees and bindings of agents. Work that main does not have is kept, unless it is to be discarded. Killed
 * at any point, it is finished by the next run.
 *
 * @throws agent_not_found, ledger_unreadable, file_locked, signing_key_required
 */
export async function cleanAgents(flags: CleanFlags, world: World): Promise<Cleaned> {
  const place = await stateFolder(flags.repo, undefined, world);
  noteRepository(place, world);
  const orchestrator = orchestratorKey(flags.key, world);
  // stops the processes that killed runs left behind
  runFolder().remove();
  if (!flags['dry-run']) clearAll(place, world);
  const ledger = openLedger(ledgerFile(place));
  const removed: string[] = [];
  const kept: { agent_id: string; why: string }[] = [];
  try {
    const { found, foreign } = candidates(flags.agent, place, ledger, orchestrator);
    for (const agent_id of foreign) kept.push({ agent_id, why: 'this orchestrator did not seal its row' });
    for (const it of found) {
      const why = await clean(it, { flags, place, ledger, orchestrator, now: world.now() }).catch(keptBy);
      if (why === null) removed.push(it.agent_id);
      else kept.push({ agent_id: it.agent_id, why });
    }
  } finally {
    ledger.close();
  }
  return { removed, kept };
}

function clearAll(place: StateFolder, world: World): void {
  clearState(place);
  clearGate(place, world.now());
}

interface CleanMeans {
  readonly flags: CleanFlags;
  readonly place: StateFolder;
  readonly ledger: Ledger;
  readonly orchestrator: Signer;
  readonly now: Date;
}

/** A damaged worktree must not stop the removal of the others. */
function keptBy(error: unknown): string {
  if (error instanceof VadeError && error.code === 'output_failed') return error.message;
  throw error;
}

/** @returns why it is kept; null if it is gone @throws output_failed if it cannot be removed */
async function clean(
  { agent_id, worktree, base, isRecorded, isBegun }: Candidate,
  means: CleanMeans,
): Promise<string | null> {
  const { flags, place, ledger, orchestrator, now } = means;
  const release = holdAgent(place, agent_id);
  try {
    const unmerged = isBegun ? null : await unmergedWork(worktree, base, flags.main);
    if (unmerged !== null && !flags.discard) return unmerged;
    if (flags['dry-run']) return null;
    // unbind first, so that the agent can no longer act
    unbind(place, worktree.path);
    removeWorktree(worktree);
    forgetSpawn(place, agent_id);
    if (!isRecorded) return null;
    const at = instant(Math.floor(now.getTime() / 1000));
    const discarded = unmerged !== null;
    ledger.append({ format: 1, kind: 'clean', agent_id, at, worktree: worktree.path, discarded }, orchestrator);
    return null;
  } finally {
    release();
  }
}

/**
 * The worktrees that may be removed. A row that the orchestrator did not seal could name any folder of the machine, so
 * it names none.
 *
 * @throws agent_not_found
 */
function candidates(agent: string | undefined, place: StateFolder, ledger: Ledger, by: Signer) {
  const { repository } = place;
  const spawned = agent === undefined ? ledger.uncleaned() : [agent];
  const recorded = spawned.map((it) => ({ it, candidate: candidateOf(ledger.rowsOf(it), it, place, by) }));
  const isUnknown = (name: string) => agent === undefined && ledger.rowsOf(name).length === 0;
  const begun = begunSpawns(place)
    .filter((it) => isUnknown(it.agent))
    .map(({ agent: agent_id, path }) => left(agent_id, { path, repository }, { base: '', isBegun: true }));
  const orphans = orphanWorktrees(repository)
    .filter(({ name }) => isUnknown(name) && !begun.some((it) => it.agent_id === name))
    .map(({ name, path, base }) => left(name, { path, repository }, { base }));
  return {
    found: [...recorded.flatMap(({ candidate }) => candidate ?? []), ...begun, ...orphans],
    foreign: recorded.filter(({ candidate }) => candidate === null).map(({ it }) => it),
  };
}

function left(agent_id: string, worktree: WorktreePlace, more: Pick<Candidate, 'base' | 'isBegun'>): Candidate {
  return { agent_id, worktree, isRecorded: false, ...more };
}

function candidateOf(rows: readonly LedgerEntry[], agent: string, place: StateFolder, by: Signer): Candidate | null {
  const entry = rows.find((it) => it.row.kind === 'spawn');
  if (entry === undefined) throw new VadeError('agent_not_found', `the ledger has no agent ${agent}`);
  const { worktree, base } = entry.row as SpawnRow;
  const isOurs = isSealed(entry, { keyid: by.keyid, pem: by.publicPem }) && basename(worktree) === agent;
  if (!isOurs) return null;
  return { agent_id: agent, worktree: { path: worktree, repository: place.repository }, base, isRecorded: true };
}

/** The commit of the snapshot is never kept; git takes smaller numbers for something else than seconds. */
const SOME_TIME = 1_000_000_000;

/**
 * The work of a worktree that main does not have: files that differ from its base, and that a merge would still change
 * in main. Files that the base commit ignores do not count.
 *
 * @param main a commit that has the merged work
 * @returns a sentence for people; null if nothing would be lost
 * @throws ref_not_found, repository_unreadable
 */
export async function unmergedWork(place: WorktreePlace, base: string, main: string): Promise<string | null> {
  if (!isWorktree(place)) return null;
  const run = runFolder();
  try {
    const git = await privateGit(place.repository, run.path);
    const options = { worktree: place.path, base, folder: run.path, title: 'what is left', at: SOME_TIME };
    const { changes, refusals, commit } = await takeSnapshot(git, options);
    const [refused] = refusals;
    if (refused !== undefined) return `${refused.path} cannot be committed`;
    if (changes.length === 0) return null;
    const into = await baseCommit(place.repository, main);
    const merged = await mergeCommits(git, into, commit);
    const before = (await git.text(['rev-parse', `${into}^{tree}`])).trim();
    if ('tree' in merged && merged.tree === before) return null;
    return `${changes.length} files differ from what ${main} has, such as ${changes[0]?.path ?? ''}`;
  } finally {
    run.remove();
  }
}

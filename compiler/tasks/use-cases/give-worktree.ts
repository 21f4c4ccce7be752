import { existsSync, rmSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { z } from 'zod';
import { promptKey } from '../../capabilities/gate/caller.ts';
import { ORCHESTRATOR_FILE } from '../../capabilities/gate/disk-store.ts';
import { writeState } from '../../capabilities/use-cases/state-writer.ts';
import { createFile, replaceFile } from '../../io/files/durable.ts';
import { readIfThere } from '../../io/files/file.ts';
import { VadeError } from '../../schema/errors.ts';
import { sha256 } from '../../trust/canonical.ts';
import type { Arguments } from '../../world/flags/flag.ts';
import { openLedger, type Ledger } from '../ledger/open-ledger.ts';
import type { Plan } from '../schema/plan.ts';
import { openPlan, type OrchestratorKey } from '../sealed-plan.ts';
import type { TASK_WORKTREE } from './flags.ts';
import { ledgerFile, MAX_PROMPT_BYTES, promptFile } from './ledger-place.ts';
import { pinnedKey } from './pinned-key.ts';

/**
 * The input of a WorktreeCreate hook, which a host writes; the host takes the output of the hook as the worktree's
 * path.
 */
const WorktreeEvent = z.looseObject({
  hook_event_name: z.literal('WorktreeCreate'),
  session_id: z.string().min(1).max(256),
  cwd: z.string().min(1).max(4096),
});

export type GiveFlags = Arguments<typeof TASK_WORKTREE>;

/** The worktree that a host is given, and for whom. */
export interface GivenWorktree {
  readonly agent_id: string;
  readonly worktree: string;
}

/**
 * Gives a host the worktree of the agent that its session is starting. The event names the session and no agent; the
 * gate has noted the prompts that the session started agents with. Two different ones at once could be mixed up, and an
 * agent would work under the binding of another: both are refused, and started again one after the other.
 *
 * @throws argument_invalid, agent_not_found, call_denied, bundle_unverified, ledger_unreadable
 */
export function giveWorktree(text: string, flags: GiveFlags): GivenWorktree {
  const { tasks } = flags;
  if (!isAbsolute(tasks))
    throw new VadeError('argument_invalid', '--tasks is not an absolute folder', { flag: 'tasks' });
  if (!existsSync(ledgerFile({ tasks }))) throw nobody();
  const { session_id } = eventOf(text);
  const key = pinnedKey({ tasks });
  if (key?.keyid !== flags.orchestrator) {
    throw new VadeError('bundle_unverified', `${ORCHESTRATOR_FILE} is not the key that the hook names`);
  }
  const ledger = openLedger(ledgerFile({ tasks }));
  try {
    const give = () => giveTo(session_id, flags, waitingIn(ledger, tasks, key));
    return flags['dry-run'] ? give() : writeState({ tasks }, give);
  } finally {
    ledger.close();
  }
}

function eventOf(text: string): { readonly session_id: string } {
  try {
    return WorktreeEvent.parse(JSON.parse(text));
  } catch {
    throw new VadeError('argument_invalid', 'standard input is not a WorktreeCreate event');
  }
}

interface Waiting {
  readonly plan: Plan;
  /** Of its prompt, as the gate notes it. */
  readonly key: string;
}

/** Agents at work whose worktree nobody was given, the oldest first. */
function waitingIn(ledger: Ledger, tasks: string, key: OrchestratorKey): Waiting[] {
  const waiting = ledger.living().filter((it) => !existsSync(givenFile(tasks, it)));
  return waiting.flatMap((agent) => {
    const sealed = ledger.plan(agent);
    const plan = sealed && openPlan(sealed, key);
    const prompt = plan && promptOf(tasks, plan);
    return plan && prompt !== null ? [{ plan, key: promptKey(prompt) }] : [];
  });
}

function promptOf(tasks: string, { prompt }: Plan): string | null {
  const bytes = readIfThere(promptFile(tasks, prompt), MAX_PROMPT_BYTES, 'refuse');
  return bytes !== null && sha256(bytes) === prompt ? bytes.toString('utf8') : null;
}

function giveTo(session: string, flags: GiveFlags, waiting: readonly Waiting[]): GivenWorktree {
  const { tasks, 'dry-run': isDry } = flags;
  const noted = join(tasks, 'starts', sha256(session));
  const starts = (readIfThere(noted, 65_536, 'refuse')?.toString('utf8') ?? '').split('\n');
  const wanted = new Set(starts.filter((it) => waiting.some(({ key }) => key === it)));
  if (wanted.size > 1) {
    if (!isDry) rmSync(noted, { force: true });
    throw new VadeError('call_denied', 'this session starts several agents at once: start them one at a time');
  }
  const [start] = wanted;
  for (const { plan, key } of waiting) {
    if (key !== start) continue;
    const given = { agent_id: plan.agent_id, worktree: plan.worktree };
    if (isDry) return given;
    if (!claim(tasks, plan.agent_id)) continue;
    starts.splice(starts.indexOf(start), 1);
    replaceFile(noted, starts.join('\n'));
    return given;
  }
  throw nobody();
}

function nobody(): VadeError {
  const suggestion = 'vade task spawn prints the call that starts an agent; copy its prompt word for word';
  return new VadeError('agent_not_found', 'no spawned agent matches the prompt of this session', { suggestion });
}

function givenFile(tasks: string, agent: string): string {
  return join(tasks, 'given', agent);
}

/** Whether nobody was given this worktree before: of two processes one gets it. */
function claim(tasks: string, agent: string): boolean {
  try {
    createFile(givenFile(tasks, agent), '', { folders: true });
    return true;
  } catch (error) {
    if (error instanceof VadeError && error.code === 'already_exists') return false;
    throw error;
  }
}

import { replaceFile } from '../../../io/files/durable.ts';
import { instant } from '../../../schema/primitives.ts';
import { sha256 } from '../../../trust/canonical.ts';
import { openLedger } from '../../ledger/open-ledger.ts';
import type { Plan } from '../../schema/plan.ts';
import { sealPlan } from '../../sealed-plan.ts';
import { ledgerFile, promptFile } from '../ledger-place.ts';
import { ROLE, TRIAL, type Trial } from './trial.ts';

const NO_COMMIT = '0'.repeat(40);

/**
 * Writes what a spawn leaves for the agent of a trial besides its binding: its prompt, and a row with its sealed plan.
 *
 * @returns the prompt
 */
export function spawnTrialAgent(trial: Trial, now: Date): string {
  const prompt = `A trial of hooks: ${trial.key}\n`;
  replaceFile(promptFile(trial.tasks, sha256(prompt)), prompt, { folders: true });
  const at = instant(Math.floor(now.getTime() / 1000));
  const plan = planOf(trial, sha256(prompt), at);
  const { agent_id, parent, worktree, base } = plan;
  const document = (text: string) => ({ digest: sha256(text), text });
  const ledger = openLedger(ledgerFile(trial));
  try {
    ledger.append(
      {
        format: 1,
        kind: 'spawn',
        at,
        agent_id,
        parent,
        worktree,
        base,
        task: TRIAL,
        plan: document(sealPlan(plan, trial.orchestrator).toString('utf8')),
        spec: sha256(''),
        git_state: document('{}'),
      },
      trial.orchestrator,
    );
  } finally {
    ledger.close();
  }
  return prompt;
}

function planOf({ worktree }: Trial, prompt: string, created_at: string): Plan {
  return {
    format: 1,
    task: { id: TRIAL, digest: sha256('') },
    role: { name: ROLE, digest: sha256('') },
    bundle: { revision: '', root_digest: sha256('') },
    agent_id: TRIAL,
    parent: null,
    spawns: [],
    worktree,
    base: NO_COMMIT,
    escalation: 'fail-fast',
    parameters: {},
    checks: [],
    obeyed_allowed: [],
    guard: {},
    bypasses: [],
    fragments: [],
    prompt,
    created_at,
  };
}

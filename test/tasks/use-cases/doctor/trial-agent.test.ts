import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openLedger } from '../../../../compiler/tasks/ledger/open-ledger.ts';
import { isSealed, openPlan } from '../../../../compiler/tasks/sealed-plan.ts';
import { spawnTrialAgent } from '../../../../compiler/tasks/use-cases/doctor/trial-agent.ts';
import { createTrial } from '../../../../compiler/tasks/use-cases/doctor/trial.ts';
import { sha256 } from '../../../../compiler/trust/canonical.ts';
import { tempFolder } from '../../../support/folder.ts';

test('the agent of a trial waits for its worktree as a spawned one does, by its prompt and its sealed plan', () => {
  const trial = createTrial(tempFolder());
  const prompt = spawnTrialAgent(trial, new Date('2026-11-23T12:00:00.999Z'));
  expect(readFileSync(join(trial.tasks, 'prompts', `${sha256(prompt)}.md`), 'utf8')).toBe(prompt);
  const key = { keyid: trial.key, pem: trial.orchestrator.publicPem };
  const ledger = openLedger(join(trial.tasks, 'ledger.db'));
  const [entry, ...more] = ledger.rowsOf('trial');
  const plan = openPlan(ledger.plan('trial') ?? Buffer.alloc(0), key);
  expect([ledger.living(), more]).toEqual([['trial'], []]);
  ledger.close();
  const at = '2026-11-23T12:00:00Z';
  const { worktree } = trial;
  expect(entry === undefined ? null : [isSealed(entry, key), entry.row]).toMatchObject([
    true,
    { kind: 'spawn', at, task: 'trial', parent: null, worktree, base: '0'.repeat(40), spec: sha256('') },
  ]);
  expect(plan).toMatchObject({
    ...{ agent_id: 'trial', worktree, prompt: sha256(prompt), created_at: at, role: { name: 'edit-local' } },
    ...{ task: { id: 'trial' }, bundle: { revision: '' }, escalation: 'fail-fast' },
    ...{ spawns: [], checks: [], obeyed_allowed: [], bypasses: [], fragments: [], parent: null },
  });
});

import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { RecallRequest } from '../../../compiler/schema/api/recall.ts';
import { VadeError } from '../../../compiler/schema/errors.ts';
import { digestOfTexts, sha256 } from '../../../compiler/trust/canonical.ts';
import type { CallContext } from '../../../server/auth/authorize.ts';
import { heartbeat } from '../../../server/operations/heartbeat.ts';
import { recallInstruction } from '../../../server/operations/recall.ts';
import type { Snapshot } from '../../../server/rollout/snapshot.ts';
import { approvalOf, approve, limits } from '../../support/approvals.ts';
import { unitFile } from '../../support/repository.ts';
import { flipByte } from '../damage.ts';
import { CTO_ID } from '../deployment.ts';
import { snapshotFrom, recording, type Recording } from '../recording.ts';
import { related, type Related } from '../relations.ts';

const END = '2026-06-01T00:00:00Z';
const NOW = Date.parse(END) - 1000;

let deployment: Related;
let snapshot: Snapshot;
let book: Recording;

beforeAll(async () => {
  deployment = await related({
    change: (repo, ann) => {
      const unit = (name: string, more: string) =>
        repo.write(`instructions/agents/cto/${name}.md`, unitFile(`About ${name}`, [`do ${name}`], more));
      const lapsing = `required_by_task_types: [issue_assigned]\nvalid_until: ${END}\n`;
      unit('posture', 'required_by_task_types: [issue_assigned]\n');
      unit('triage', lapsing);
      limits(repo, `guarantee_load: true\nrequired_by_task_types: [routine_fired]\nvalid_until: ${END}\n`);
      approve(repo, 'limits', approvalOf(repo), ann);
    },
  });
  snapshot = snapshotFrom(deployment, NOW);
});

beforeEach(() => {
  book = recording();
});

const contextOf = (wake_reason: string, from = snapshot): CallContext => ({
  agent: 'cto',
  snapshot: from,
  identity: {
    holder: { kind: 'agent', agent: CTO_ID },
    id: `jwt:${CTO_ID}`,
    heartbeat: { heartbeat_id: 'run_1', session_start: NOW - 5000, wake_reason },
    at: NOW,
  },
});
const wake = (reason: string, now = NOW, isDown = false, from = snapshot) =>
  heartbeat(book.call(contextOf(reason, from), now, isDown), { profile: 'generic' });
const codeOf = async (promise: Promise<unknown>) => {
  const error: unknown = await promise.catch((thrown: unknown) => thrown);
  return error instanceof VadeError ? error.code : error;
};

describe('§21.1.5 heartbeats in the audit', () => {
  test('a heartbeat is recorded with its units, tagged task_type_preload, and all inputs for a replay', async () => {
    const { audit_token, preloads, total_tokens: tokens } = await wake('issue_assigned');
    expect(book.records).toEqual([
      {
        ...{ files: [], follows: null, candidates: [] },
        kind: 'heartbeat',
        aborted: false,
        agent_id: CTO_ID,
        asked_by: 'acme/agent/cto',
        heartbeat_id: 'run_1',
        heartbeat_source: 'verified',
        session_start: NOW - 5000,
        wake_reason: 'issue_assigned',
        intent: '',
        request: '{"profile":"generic"}',
        loaded_chunks: ['posture', 'triage'].map((name, i) => ({
          ...{ name, source: 'task_type_preload', rank: i + 1, version: 'v1' },
        })),
        answer_digest: digestOfTexts(preloads.map((it) => sha256(it.content))),
        left_out: [],
        tokens,
        warnings: [],
        bundle_revision: snapshot.gardens.bundle.revision,
        now: new Date(NOW).toISOString(),
        audit_token,
        created_at: NOW,
      },
    ]);
  });

  test('an unavailable preload is recorded with the warning', async () => {
    const { warnings } = await wake('issue_assigned', Date.parse(END));
    expect(warnings).toEqual(['preload_unit_unavailable']);
    expect(book.records).toMatchObject([{ warnings, left_out: [{ name: 'triage', outcome: 'expired' }] }]);
  });

  test('S2: an aborted heartbeat is recorded with its error, and without loaded units', async () => {
    expect(await codeOf(wake('routine_fired', Date.parse(END)))).toBe('guaranteed_unit_unavailable');
    const left_out = [{ name: 'limits', outcome: 'expired' }];
    const nothing = { loaded_chunks: [], answer_digest: digestOfTexts([]), tokens: 0 };
    expect(book.records).toMatchObject([
      { kind: 'heartbeat', aborted: true, warnings: ['guaranteed_unit_unavailable'], left_out, ...nothing },
    ]);
  });

  test('a heartbeat with an unknown wake reason, or of a garden that does not verify, is recorded', async () => {
    expect((await wake('unheard_of')).preloads).toEqual([]);
    const broken = snapshotFrom(deployment, NOW);
    flipByte(deployment.bundle, 'cto', 'facts.json');
    expect(await codeOf(wake('issue_assigned', NOW, false, broken))).toBe('recall_backend_unavailable');
    expect(book.records).toMatchObject([
      { agent_id: CTO_ID, wake_reason: 'unheard_of', warnings: [], loaded_chunks: [] },
      { agent_id: CTO_ID, wake_reason: 'issue_assigned', warnings: ['recall_backend_unavailable'], loaded_chunks: [] },
    ]);
  });
});

describe('§21.3.4 a failed audit stops no heartbeat', () => {
  test('a heartbeat that cannot be recorded is answered with the warning audit_write_failed', async () => {
    const { warnings, preloads } = await wake('issue_assigned', NOW, true);
    expect([warnings, preloads.length, book.lost.length]).toEqual([['audit_write_failed'], 2, 1]);
  });

  test('an aborted heartbeat that cannot be recorded keeps its own error', async () => {
    expect(await codeOf(wake('routine_fired', Date.parse(END), true))).toBe('guaranteed_unit_unavailable');
    expect(book.lost.length).toBe(1);
  });
});

describe('DESIGN §6.10 a recall within a heartbeat', () => {
  test('a recall belongs to the heartbeat of its token, not to that of its header', async () => {
    const options = { explain: false, heartbeat: 'claimed' };
    const request = RecallRequest.parse({ intent: 'do triage' });
    await recallInstruction(book.call(contextOf('manual'), NOW), request, options);
    const verified = { heartbeat_id: 'run_1', heartbeat_source: 'verified', session_start: NOW - 5000 };
    expect(book.records).toMatchObject([{ kind: 'recall', wake_reason: 'manual', ...verified }]);
  });
});

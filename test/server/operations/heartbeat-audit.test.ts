import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { RecallRequest } from '../../../compiler/schema/api/recall.ts';
import { VadeError } from '../../../compiler/schema/errors.ts';
import { sha256 } from '../../../compiler/trust/canonical.ts';
import type { CallContext } from '../../../server/auth/authorize.ts';
import { heartbeat } from '../../../server/operations/heartbeat.ts';
import { recallInstruction } from '../../../server/operations/recall.ts';
import type { Snapshot } from '../../../server/rollout/snapshot.ts';
import { approvalOf, approve, limits } from '../../support/approvals.ts';
import { unitFile } from '../../support/repository.ts';
import { flipByte } from '../damage.ts';
import { CTO_ID } from '../deployment.ts';
import { editionFrom, recording, type Recording } from '../recording.ts';
import { related, type Related } from '../relations.ts';

const END = '2026-06-01T00:00:00Z';
const NOW = Date.parse(END) - 1000;

let place: Related;
let snapshot: Snapshot;
let book: Recording;

beforeAll(async () => {
  place = await related({
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
  snapshot = editionFrom(place, NOW);
});

beforeEach(() => {
  book = recording();
});

const asked = (wake_reason: string, from = snapshot): CallContext => ({
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
  heartbeat(book.call(asked(reason, from), now, isDown), { profile: 'generic' });
const codeOf = async (promise: Promise<unknown>) => {
  const error: unknown = await promise.catch((thrown: unknown) => thrown);
  return error instanceof VadeError ? error.code : error;
};

describe('§21.1.5 every heartbeat is in the audit', () => {
  test('with its units, tagged task_type_preload, and all that it can be replayed from', async () => {
    const { audit_token, preloads, total_tokens: tokens } = await wake('issue_assigned');
    expect(book.kept).toEqual([
      {
        id: 'audevent_id0',
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
        content_digests: preloads.map((it) => sha256(it.content)),
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

  test('a unit that could not be had is named, with the warning', async () => {
    const { warnings } = await wake('issue_assigned', Date.parse(END));
    expect(warnings).toEqual(['preload_unit_unavailable']);
    expect(book.kept).toMatchObject([{ warnings, left_out: [{ name: 'triage', outcome: 'expired' }] }]);
  });

  test('S2: one that was aborted too, with the error, and with nothing loaded', async () => {
    expect(await codeOf(wake('routine_fired', Date.parse(END)))).toBe('guaranteed_unit_unavailable');
    const left_out = [{ name: 'limits', outcome: 'expired' }];
    const nothing = { loaded_chunks: [], content_digests: [], tokens: 0 };
    expect(book.kept).toMatchObject([
      { kind: 'heartbeat', aborted: true, warnings: ['guaranteed_unit_unavailable'], left_out, ...nothing },
    ]);
  });

  test('one of an unknown wake reason is kept as any, and so is one of a garden that does not verify', async () => {
    expect((await wake('unheard_of')).preloads).toEqual([]);
    const broken = editionFrom(place, NOW);
    flipByte(place.bundle, 'cto', 'facts.json');
    expect(await codeOf(wake('issue_assigned', NOW, false, broken))).toBe('recall_backend_unavailable');
    expect(book.kept).toMatchObject([
      { agent_id: CTO_ID, wake_reason: 'unheard_of', warnings: [], loaded_chunks: [] },
      { agent_id: CTO_ID, wake_reason: 'issue_assigned', warnings: ['recall_backend_unavailable'], loaded_chunks: [] },
    ]);
  });
});

describe('§21.3.4 an audit that is down stops no heartbeat', () => {
  test('it is told in a warning', async () => {
    const { warnings, preloads } = await wake('issue_assigned', NOW, true);
    expect([warnings, preloads.length, book.lost.length]).toEqual([['audit_write_failed'], 2, 1]);
  });

  test('and one that is aborted ends with its own error', async () => {
    expect(await codeOf(wake('routine_fired', Date.parse(END), true))).toBe('guaranteed_unit_unavailable');
    expect(book.lost.length).toBe(1);
  });
});

describe('DESIGN §6.10 a recall within a heartbeat', () => {
  test('is of the heartbeat that the token vouches for, whatever a header claims', async () => {
    const options = { explain: false, heartbeat: 'claimed' };
    const request = RecallRequest.parse({ intent: 'do triage' });
    await recallInstruction(book.call(asked('manual'), NOW), request, options);
    const verified = { heartbeat_id: 'run_1', heartbeat_source: 'verified', session_start: NOW - 5000 };
    expect(book.kept).toMatchObject([{ kind: 'recall', wake_reason: 'manual', ...verified }]);
  });
});

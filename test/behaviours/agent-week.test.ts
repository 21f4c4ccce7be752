import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { capsuleOf } from '../continuity/capsules.ts';
import { serving, type Serving } from '../server/continuity/serving.ts';
import { httpClient } from '../server/doors.ts';
import type { Who } from '../server/running.ts';

type Json = Readonly<Record<string, unknown>>;

const THREAD = { subject_kind: 'thread', subject_id: 'release-42' } as const;
const TASK = { subject_kind: 'task', subject_id: 'migrate' } as const;
const USER = { subject_kind: 'user', subject_id: 'jane' } as const;

const clock = { at: 0 };
const on = (time: string) => {
  clock.at = Date.parse(time);
  return time;
};

let server: Serving;
let session: Client | null = null;

beforeAll(async () => {
  on('2026-11-23T08:00:00Z');
  server = await serving(undefined, { now: () => clock.at });
});

afterAll(async () => {
  await session?.close();
});

/** An agent's host starts a session: nothing of the last one is left. */
async function start(who: Who): Promise<void> {
  await session?.close();
  session = await httpClient(server, who, '/v1/mcp');
}

/** A call of the session's model. */
async function call(name: string, given: object): Promise<Json> {
  if (!session) throw new Error('no session');
  const { isError, content, structuredContent } = await session.callTool({ name, arguments: { ...given } });
  if (isError) throw new Error(JSON.stringify(content));
  return structuredContent as Json;
}

/** An operation without a tool of its own. */
const other = (operation: string, input: object) => call(operation, input);

/** The same over HTTP, as a program of another agent calls. */
async function http(who: Who, method: string, path: string, json?: object): Promise<Json> {
  const answer = await server.ask(who, method, path, json === undefined ? {} : { json });
  expect(answer.code).toBeUndefined();
  return answer.json();
}

/** Texts of a startup view alone, as the host shows them to an agent. */
const given = ({ startup_summary }: Json) => startup_summary as Readonly<Record<string, Json | null>>;

interface Items {
  readonly items: readonly Json[];
}

interface ScheduleContext {
  readonly due: Items;
  readonly upcoming: Items;
}

const titlesOf = ({ items }: Items) => items.map((it) => it['title']);

describe('an agent’s week', () => {
  test('on Monday it works: it recalls its instructions, and keeps what matters of what it does', async () => {
    await start('cto');
    const { chunks, audit_token } = await call('recall_instruction', { intent: 'hand over' });
    expect((chunks as { name: string }[]).map(({ name }) => name)).toContain('wrap-up');
    await call('close_recall', { audit_token, used_chunks: ['wrap-up'] });
    const now = { updated_at: on('2026-11-23T16:00:00Z'), verified_at: '2026-11-23T16:00:00Z' };
    const thread = {
      ...capsuleOf({ ...THREAD, ...now }, { drift_signals: ['support asks for a date twice a day'] }),
      thread_descriptor: { label: 'Release 42', keywords: ['release'], lifecycle: 'active' },
    };
    expect(await call('upsert_capsule', { ...THREAD, capsule: thread })).toMatchObject({ created: true });
    await call('upsert_capsule', {
      ...TASK,
      capsule: capsuleOf({ ...TASK, ...now }, { open_loops: ['dry run is due'] }),
    });
    const stable_preferences = [{ tag: 'timezone', content: 'UTC+2' }];
    await call('upsert_capsule', { ...USER, capsule: capsuleOf({ ...USER, ...now, stable_preferences }) });
    const due_at = '2026-11-25T09:00:00Z';
    const item = { kind: 'task_nudge', title: 'ask support for the window', due_at, thread_id: 'release-42' };
    expect(await call('create_schedule_item', item)).toMatchObject({
      created: true,
      item: { derived_state: 'scheduled' },
    });
    const last = { kind: 'reminder', title: 'tell support that it is done', due_at: '2026-11-27T08:00:00Z' };
    await call('create_schedule_item', { ...last, ...THREAD });
  });

  test('on Tuesday it is cut off: it says in one call where it stands, and is told whether that is enough', async () => {
    const updated_at = on('2026-11-24T17:30:00Z');
    const session_end_snapshot = {
      open_loops: ['the staging run was cut off at step 3'],
      top_priorities: ['run the migration in staging'],
      active_constraints: ['no schema change before Friday'],
      stance_summary: 'go on at step 3, and do not start again from the beginning',
      session_trajectory: ['planned the migration', 'ran steps 1 and 2'],
    };
    // an empty list keeps what is stored
    const capsule = capsuleOf({ ...THREAD, updated_at, verified_at: updated_at }, { drift_signals: [] });
    const answer = await call('upsert_capsule', {
      ...{ ...THREAD, capsule, session_end_snapshot, merge_mode: 'preserve', idempotency_key: 'tuesday' },
    });
    expect(answer).toMatchObject({ session_end_snapshot_applied: true, resume_quality: { adequate: true } });
  });

  test('on Wednesday it starts again, knows nothing, and is given what it wrote and what is due', async () => {
    on('2026-11-25T09:00:01Z');
    await start('cto');
    const { capsules } = await call('list_capsules', { sort: 'salience' });
    const [first] = capsules as Json[];
    expect(first).toMatchObject(THREAD);
    const view = await call('read_capsule', { ...THREAD, view: 'startup' });
    expect(view).toMatchObject({ content_kind: 'agent_authored', source_state: 'active', recovery_warnings: [] });
    expect(given(view)).toMatchObject({
      orientation: {
        top_priorities: ['run the migration in staging'],
        active_constraints: ['no schema change before Friday'],
        open_loops: ['the staging run was cut off at step 3'],
      },
      context: {
        session_trajectory: ['planned the migration', 'ran steps 1 and 2'],
        stance_summary: 'go on at step 3, and do not start again from the beginning',
      },
    });
    const { due, upcoming } = view['schedule_context'] as ScheduleContext;
    expect(titlesOf(due)).toEqual(['ask support for the window']);
    expect(titlesOf(upcoming)).toEqual(['tell support that it is done']);
    const { bundle } = await call('retrieve_context', {
      task: 'go on with the release',
      continuity_selectors: [THREAD, TASK, USER],
      continuity_max_capsules: 3,
    });
    const state = (bundle as { continuity_state: { capsules: Json[]; trimmed: Json[] } }).continuity_state;
    expect(state.capsules.map((it) => it['subject_id']).sort()).toEqual(['jane', 'migrate', 'release-42']);
    expect(state.trimmed).toEqual([]);
    const [{ schedule_id } = {}] = due.items;
    await other('acknowledge_schedule_item', { schedule_id, status: 'done' });
    const again = await call('read_capsule', { ...THREAD, view: 'startup' });
    expect(again['schedule_context']).toMatchObject({ due: { count: 0 } });
  });

  test('on Thursday it hands over: its constraints and drift signals cross, and not a word more', async () => {
    on('2026-11-26T10:00:00Z');
    const made = await call('create_handoff', { ...THREAD, recipient_peer: 'cto2', note: 'please watch staging' });
    const { handoff_id } = made['handoff'] as Json;
    const { handoffs } = await http('cto2', 'GET', '/v1/coordination/handoffs/query');
    const [received] = handoffs as Json[];
    expect(received).toMatchObject({
      handoff_id,
      shared_continuity: {
        active_constraints: ['no schema change before Friday'],
        drift_signals: ['support asks for a date twice a day'],
      },
    });
    for (const kept of ['staging run', 'step 3', 'UTC+2']) expect(JSON.stringify(handoffs)).not.toContain(kept);
    const consumed = await http('cto2', 'POST', `/v1/coordination/handoff/${String(handoff_id)}/consume`, {
      status: 'accepted_advisory',
    });
    expect(consumed['handoff']).toMatchObject({ recipient_status: 'accepted_advisory' });
    expect((await server.post('cto2', 'read', THREAD)).code).toBe('capsule_not_found');
  });

  test('on Friday morning it starts, and is shown what is due for its thread, and nothing that is done', async () => {
    on('2026-11-27T08:00:00Z');
    await start('cto');
    const view = await call('read_capsule', { ...THREAD, view: 'startup' });
    // a handoff takes nothing away from who hands over
    expect(given(view)).toMatchObject({ orientation: { active_constraints: ['no schema change before Friday'] } });
    const context = view['schedule_context'] as ScheduleContext;
    expect([titlesOf(context.due), titlesOf(context.upcoming)]).toEqual([['tell support that it is done'], []]);
    const { bundle } = await call('retrieve_context', { task: 'finish the release', ...THREAD });
    expect(bundle).toMatchObject({ schedule_context: context, graph_context: { anchor: { id: 'thread:release-42' } } });
    // whoever was handed the thread has a schedule of its own
    const other = await http('cto2', 'POST', '/v1/context/retrieve', { task: 'watch staging', ...THREAD });
    expect(other['bundle']).toMatchObject({ schedule_context: { due: { count: 0 }, upcoming: { count: 0 } } });
  });

  test('on Friday both disagree: the disagreement is named, and ends once', async () => {
    on('2026-11-27T10:00:00Z');
    const shared = (
      await other('create_shared', {
        ...{ participant_peers: ['cto2'], title: 'Release 42', constraints: ['the window is 14:00 to 15:00'] },
      })
    )['shared'] as Json;
    const seen = await http('cto2', 'GET', `/v1/coordination/shared/${String(shared['shared_id'])}`);
    expect(seen['shared']).toMatchObject({
      version: 1,
      shared_state: { constraints: ['the window is 14:00 to 15:00'] },
    });
    const claim = { source_kind: 'shared', source_id: shared['shared_id'], observed_version: 1 };
    const told = { epistemic_status: 'frame_present' };
    const opened = (
      await other('open_reconciliation', {
        ...{ title: 'which window?', classification: 'contradictory', trigger: 'shared_vs_shared' },
        claims: [
          { ...claim, ...told, claimant_peer: 'cto', claim_summary: '14:00' },
          { ...claim, ...told, claimant_peer: 'cto2', claim_summary: '16:00' },
        ],
      })
    )['reconciliation'] as Json;
    const path = `/v1/coordination/reconciliation/${String(opened['reconciliation_id'])}`;
    expect((await http('cto2', 'GET', path))['reconciliation']).toMatchObject({ status: 'open' });
    const resolve = { expected_version: 1, resolution_outcome: 'advisory_only', resolution_summary: '14:00 it is' };
    const resolved = await other('resolve_reconciliation', {
      reconciliation_id: opened['reconciliation_id'],
      ...resolve,
    });
    expect(resolved['reconciliation']).toMatchObject({ status: 'resolved', version: 2 });
    const late = await server.ask('cto', 'POST', `${path}/resolve`, {
      json: { ...resolve, resolution_outcome: 'rejected' },
    });
    expect([late.status, late.code]).toEqual([409, 'coordination_conflict']);
  });

  test('on Friday evening it concludes the thread, and the next start is no longer led there', async () => {
    const updated_at = on('2026-11-27T17:00:00Z');
    const moved = await other('move_lifecycle', { ...THREAD, transition: 'conclude', updated_at });
    expect(moved).toMatchObject({ lifecycle: 'concluded', previous_lifecycle: 'active' });
    await start('cto');
    const { capsules } = await call('list_capsules', { lifecycle: 'active' });
    expect(capsules).toEqual([]);
  });

  test('and in all the week no recall gave back a word of it, to nobody', async () => {
    for (const intent of ['the staging run was cut off at step 3', 'release 42', 'which window?']) {
      for (const who of ['cto', 'cto2'] as const) {
        const answer = await server.recall(who, who, { intent });
        expect(answer.text).not.toMatch(/staging|step 3|14:00|UTC\+2/);
      }
    }
  });
});

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { publishedBy } from '../../../compiler/cli/child-publisher.ts';
import type { Publish } from '../../../server/operations/call.ts';
import { entries, press, uri } from '../../cli/publishing.ts';
import { vade } from '../../support/cli.ts';
import { controlPlane } from '../../support/control-plane.ts';
import { tempFolder } from '../../support/folder.ts';
import { agentYaml, unitFile } from '../../support/unit-files.ts';
import { CTO2_ID } from '../deployment.ts';
import { running, type Who } from '../running.ts';
import { callRecorder, type Calling } from './call-recorder.ts';

const NOW = Date.parse('2026-11-23T12:10:00Z');
const now = () => NOW;

const CAPSULE = {
  subject_kind: 'thread',
  subject_id: 'release-42',
  updated_at: '2026-11-23T12:00:00Z',
  verified_at: '2026-11-23T12:00:00Z',
  source: { producer: 'cto', update_reason: 'pre_compaction' },
  confidence: { continuity: 0.8, relationship_model: 0.5 },
  continuity: {
    top_priorities: ['ship release 42'],
    active_concerns: [],
    active_constraints: ['no schema change before Friday'],
    open_loops: ['who reviews the migration?'],
    stance_summary: 'finish the migration first, then the release notes',
    drift_signals: [],
  },
  thread_descriptor: { label: 'release 42', keywords: ['release'], lifecycle: 'active' },
};
const SUBJECT = { subject_kind: 'thread', subject_id: 'release-42' };
const SIGNAL = {
  kind: 'system_check',
  source_ref: 'ci/run/4711',
  observed_at: '2026-11-23T12:05:00Z',
  summary: 'the migration passed in staging',
};
const ABOUT = { task_id: 'issue-7', thread_id: 'release-42' };
const PAGE = { offset: '0', limit: '20' };
const CONTENT = { title: 'release 42', summary: 'what both of us keep to' };

/** A server with everything, and who calls it. */
async function start() {
  const plane = await controlPlane();
  const { bare, folder, place, signed } = await press(
    (repo) => {
      const limits = unitFile(
        'What never to do',
        ['am I allowed to do this'],
        'required_by_task_types: [issue_assigned]\n',
      );
      repo.write('instructions/agents/cto/limits.md', limits);
      repo.write('instructions/agents/cto2/agent.yaml', agentYaml(CTO2_ID, 'skills: [skills]\n'));
      repo.write('skills/notes/SKILL.md', '---\nname: notes\ndescription: Writes release notes.\n---\n\n# Notes\n');
      repo.write('skills/notes/scripts/collect.sh', 'git log --oneline\n');
      repo.write(
        'instructions/agents/cto2/heartbeat.md',
        unitFile('What to do on every heartbeat', ['start a heartbeat']),
      );
    },
    { control_plane: plane.named },
  );
  const publish: Publish = async (agent, body, admin) => {
    const file = join(tempFolder(), 'input.json');
    writeFileSync(file, body);
    const flags = ['--repo', bare, '--agent', agent, '--admin', admin, '--input-file', file, ...signed];
    return publishedBy((await vade(['publish', ...flags], folder)).stdout);
  };
  const server = await running({
    bundle: join(folder, 'bundle'),
    trust: { root: place.root },
    now,
    follow: { publish, continuity: { root: tempFolder(), archiveDays: 90 } },
  });
  return { server, token: await plane.sign('cto', { now: NOW, claims: { heartbeat_id: 'run-4711' } }) };
}

/** Calls every operation of a real server once, in an order in which each succeeds, and answers what was recorded. */
export async function recordExamples() {
  const { server, token } = await start();
  const { call, recorded } = callRecorder(async (who: Who | null, method, path, asked) =>
    who === 'cto' && path.includes('/heartbeat')
      ? server.ask(null, method, path, { ...asked, headers: { ...asked.headers, authorization: `Bearer ${token}` } })
      : server.ask(who, method, path, asked),
  );
  await callHost(call);
  await callAgent(call);
  await callDocuments(call);
  await callReports(call);
  await callSchedule(call);
  await callCapsules(call);
  await callCoordination(call);
  await endCapsules(call);
  const body = {
    version: 'v2',
    entries: entries({ 'wrap-up': { load_triggers: { keywords: ['handover', 'leave'] } } }),
  };
  await call('publishManifest', 'admin', { path: { agent_id: 'cto' }, body });
  await server.close();
  return recorded();
}

async function callHost(call: Calling): Promise<void> {
  for (const id of ['getHealth', 'getReadiness', 'getOpenApi', 'getTools', 'getEndpoints'] as const)
    await call(id, null);
  for (const id of ['getPage', 'getPageScript', 'getPageStyle'] as const) await call(id, null);
  await call('getMetrics', 'scraper');
}

const CTO = { agent_id: 'cto' };

async function callAgent(call: Calling): Promise<void> {
  await call('heartbeat', 'cto', { path: CTO, query: {}, body: { profile: 'generic' } });
  const { audit_token } = await call('recallInstruction', 'cto', {
    path: CTO,
    query: { explain: 'false' },
    headers: { 'X-Heartbeat-Id': 'run-4711' },
    body: { intent: 'I am done for today and hand over', max_chunks: 1, candidates: 2 },
  });
  await call('closeRecall', 'cto', {
    body: { audit_token, used_chunks: ['wrap-up'], missed_chunks: ['release-decision'] },
  });
}

async function callDocuments(call: Calling): Promise<void> {
  await call('getBootStub', 'cto', { path: CTO, query: { profile: 'generic' } });
  await call('getManifest', 'cto', { path: CTO });
  const query = { limit: '1', after: 'heartbeat', name: 'wrap-up', content: 'false' };
  await call('listUnits', 'cto', { path: CTO, query });
  await call('getCoverage', 'cto', { path: CTO });
  const file_path = 'scripts/collect.sh';
  await call('getSkillFile', 'cto2', { path: { agent_id: 'cto2', unit: 'notes', file_path } });
  await call('getFact', 'cto', { path: { fact_uri: uri('wrap-up') } });
}

async function callReports(call: Calling): Promise<void> {
  await call('getAudit', 'admin', { path: CTO, query: { limit: '1', before: '4' } });
  await call('getAgentMetrics', 'admin', { path: CTO, query: { since: '7d', k: '3' } });
  await call('getReport', 'admin');
  await call('getAgentReport', 'admin', { path: CTO });
  await call('tryRecall', 'admin', { path: CTO, body: { intent: 'I am done for today and hand over', max_chunks: 1 } });
}

async function callSchedule(call: Calling): Promise<void> {
  const about = { task_id: 'issue-7', thread_id: 'release-42', subject_kind: 'user', subject_id: 'ann' };
  const said = { kind: 'task_nudge', title: 'ask who reviews the migration', due_at: '2026-11-24T09:00:00Z', ...about };
  const { item } = await call('createScheduleItem', 'cto', {
    body: { ...said, idempotency_key: 'run-4711-nudge', metadata: { ticket: 'INGEST-42' } },
  });
  const path = { schedule_id: (item as { schedule_id: string }).schedule_id };
  const query = { status: 'pending', due: 'false', ...about, include_retired: 'false', limit: '20', offset: '0' };
  await call('listScheduleItems', 'cto', { query });
  await call('getScheduleItem', 'cto', { path });
  await call('updateScheduleItem', 'cto', { path, body: { expected_version: 1, due_at: '2026-11-25T09:00:00Z' } });
  const done = { expected_version: 2, status: 'done', reason: 'Ann reviews it' };
  await call('acknowledgeScheduleItem', 'cto', { path, body: done });
  await call('retireScheduleItem', 'cto', { path, body: { expected_version: 3 } });
}

async function callCapsules(call: Calling): Promise<void> {
  await call('upsertCapsule', 'cto', { body: { ...SUBJECT, capsule: CAPSULE, idempotency_key: 'run-4711-end' } });
  await call('readCapsule', 'cto', { body: { ...SUBJECT, allow_fallback: true } });
  await call('listCapsules', 'cto', { body: { subject_kind: 'thread', limit: 20 } });
  await call('retrieveContext', 'cto', { body: { task: 'ship release 42', ...SUBJECT, max_tokens_estimate: 4000 } });
  await call('compareCapsule', 'cto', { body: { ...SUBJECT, candidate_capsule: CAPSULE, signals: [SIGNAL] } });
  const operations = [{ target: 'continuity.open_loops', action: 'append', value: 'who tells support?' }];
  await call('patchCapsule', 'cto', { body: { ...SUBJECT, updated_at: '2026-11-23T12:05:00Z', operations } });
  await call('revalidateCapsule', 'cto', { body: { ...SUBJECT, outcome: 'confirm', signals: [SIGNAL] } });
}

async function callCoordination(call: Calling): Promise<void> {
  const note = 'the migration is yours from here';
  const { handoff } = await call('createHandoff', 'cto', {
    body: { ...SUBJECT, recipient_peer: 'cto2', ...ABOUT, note },
  });
  const path = { handoff_id: (handoff as { handoff_id: string }).handoff_id };
  const from = { sender_peer: 'cto', recipient_peer: 'cto2', status: 'pending' };
  await call('listHandoffs', 'cto2', { query: { ...ABOUT, ...PAGE, ...from } });
  await call('readHandoff', 'cto2', { path });
  await call('consumeHandoff', 'cto2', { path, body: { status: 'accepted_advisory', note: 'taken' } });
  await callShared(call);
}

async function callShared(call: Calling): Promise<void> {
  const coordination_alerts = ['the staging database is shared'];
  const { shared } = await call('createShared', 'cto', {
    body: { participant_peers: ['cto2'], ...ABOUT, ...CONTENT, coordination_alerts },
  });
  const { shared_id } = shared as { shared_id: string };
  const path = { shared_id };
  await call('listShared', 'cto2', { query: { ...ABOUT, ...PAGE, owner_peer: 'cto', participant_peer: 'cto2' } });
  await call('readShared', 'cto2', { path, query: { version: '1' } });
  await callReconciliation(call, shared_id);
  await call('updateShared', 'cto', { path, body: { expected_version: 1, ...CONTENT, coordination_alerts: [] } });
}

async function callReconciliation(call: Calling, source_id: string): Promise<void> {
  const classification = 'stale_observation';
  const claim = {
    ...{ source_kind: 'shared', source_id, claimant_peer: 'cto2', observed_version: 1 },
    claim_summary: 'staging has its own database since Monday',
    epistemic_status: 'frame_present',
    evidence_refs: ['ci/run/4711'],
  };
  const what = { title: 'is staging shared?', classification, trigger: 'shared_vs_shared' };
  const { reconciliation } = await call('openReconciliation', 'cto', { body: { ...what, ...ABOUT, claims: [claim] } });
  const path = { reconciliation_id: (reconciliation as { reconciliation_id: string }).reconciliation_id };
  const among = { owner_peer: 'cto', claimant_peer: 'cto2', status: 'open', classification };
  await call('listReconciliations', 'cto2', { query: { ...ABOUT, ...PAGE, ...among } });
  await call('readReconciliation', 'cto2', { path });
  const outcome = { resolution_outcome: 'advisory_only', resolution_summary: 'it is not shared any more' };
  await call('resolveReconciliation', 'cto', { path, body: { expected_version: 1, ...outcome } });
}

async function endCapsules(call: Calling): Promise<void> {
  const suspend = { transition: 'suspend', updated_at: '2026-11-23T12:10:00Z' };
  await call('moveLifecycle', 'cto', { body: { ...SUBJECT, ...suspend } });
  await call('archiveCapsule', 'cto', { body: { ...SUBJECT, reason: 'the release is out' } });
  await call('deleteCapsule', 'cto', { body: { ...SUBJECT, delete_archive: true, reason: 'no longer needed' } });
}

import { beforeAll, describe, expect, test } from 'vitest';
import { HeartbeatResponse } from '../../../compiler/schema/api/heartbeat.ts';
import { ERRORS } from '../../../compiler/schema/errors.ts';
import { approvalOf, approve, limits } from '../../support/approvals.ts';
import type { Over } from '../../support/control-plane.ts';
import { agentYaml, unitFile } from '../../support/repository.ts';
import { CTO_ID } from '../deployment.ts';
import { related, type Related } from '../relations.ts';
import { running, type Answer, type AskOptions, type Running, statusAndCode } from '../running.ts';
import { REFUSED_HEARTBEATS } from './refused-heartbeats.ts';

const REQUIRED = 'required_by_task_types: [issue_assigned]\n';
const END = '2026-06-01T00:00:00Z';
const BEFORE = Date.parse(END) - 1000;
const AFTER = Date.parse(END);
/** A text of well over a thousand tokens. */
const LONG = 'Read every line of it before anything else is done, and say so. '.repeat(150);

let deployment: Related;
let now = BEFORE;
let server: Running;

beforeAll(async () => {
  deployment = await related({
    change: (repo, ann) => {
      const cto = 'instructions/agents/cto';
      const lapsing = `valid_until: ${END}\n`;
      repo
        .write(
          `${cto}/agent.yaml`,
          agentYaml(CTO_ID, 'adapter_profiles: [generic, openai-assistants]\nmigration_mode: coexistence\n'),
        )
        .write('docs/checkout.md', 'The old way to check out.\n')
        .write(`${cto}/posture.md`, unitFile('What is prohibited', ['am I allowed to do it'], REQUIRED))
        .write(
          `${cto}/checkout.md`,
          unitFile('How to check out', ['check out'], `${REQUIRED}${lapsing}path: docs/checkout.md\n`),
        )
        .write(`${cto}/triage.md`, unitFile('How to triage', ['triage it'], `${REQUIRED}${lapsing}`))
        .write(`${cto}/drill.md`, unitFile('The drill', ['run the drill'], 'required_by_task_types: [manual]\n', LONG))
        .write('instructions/shared/escalation.md', unitFile('When to call a person', ['call a person'], REQUIRED));
      limits(repo, `guarantee_load: true\nrequired_by_task_types: [routine_fired]\n${lapsing}`);
      approve(repo, 'limits', approvalOf(repo), ann);
    },
  });
  server = await running({ ...deployment, now: () => now });
});

const post = (token: string, more: AskOptions = {}, id = 'cto', query = '') =>
  server.ask(null, 'POST', `/v1/agents/${id}/heartbeat${query}`, {
    ...more,
    headers: { authorization: `Bearer ${token}`, ...more.headers },
  });
const token = (over: Over = {}, sub = 'cto') => deployment.plane.sign(sub, { now, ...over });
const woken = async (wake_reason: unknown, more: AskOptions = {}) =>
  post(await token({ claims: { wake_reason } }), more);
const bodyOf = (answer: Answer) => HeartbeatResponse.parse(answer.json());
const units = (answer: Answer) => bodyOf(answer).preloads.map(({ name, source }) => [name, source]);

describe('§21.1.5 a heartbeat', () => {
  test('a heartbeat returns the stub, and all own and shared preloads for its wake reason, sorted by name', async () => {
    now = BEFORE;
    const answer = await woken('issue_assigned');
    expect(answer.status).toBe(200);
    const body = bodyOf(answer);
    expect(units(answer)).toEqual([
      ['checkout', 'task_type_preload'],
      ['escalation', 'task_type_preload'],
      ['posture', 'task_type_preload'],
      ['triage', 'task_type_preload'],
    ]);
    expect(body).toMatchObject({ agent_id: CTO_ID, heartbeat_id: 'run_1', wake_reason: 'issue_assigned' });
    expect([body.warnings, body.unavailable]).toEqual([[], []]);
    expect(body.preloads[2]?.content).toContain('What is prohibited');
    expect(body.total_tokens).toBe(body.preloads.reduce((all, it) => all + it.tokens, body.stub.tokens));
    expect(body.bundle_revision).toBe(answer.headers['x-bundle-revision']);
  });

  test('the stub of a heartbeat is the one that the boot-stub route serves for the profile', async () => {
    for (const profile of ['generic', 'openai-assistants', 'unheard-of']) {
      const stub = await server.ask('cto', 'GET', `/v1/agents/cto/boot-stub?profile=${profile}`);
      const served = bodyOf(await woken('issue_assigned', { json: { profile } })).stub;
      expect(served).toEqual({
        content: stub.text,
        profile: profile === 'unheard-of' ? 'generic' : profile,
        stub_version: Number(stub.headers['x-stub-version']),
        manifest_version: stub.headers['x-manifest-version'],
        tokens: Number(stub.headers['x-token-count']),
      });
    }
  });

  test('two equal heartbeats get equal answers, except for the audit token', async () => {
    const [one, two] = [bodyOf(await woken('issue_assigned')), bodyOf(await woken('issue_assigned'))];
    expect(two).toEqual({ ...one, audit_token: expect.not.stringMatching(one.audit_token) as string });
  });

  test('the audit token of a heartbeat closes it as a recall (§21.5.2)', async () => {
    const { audit_token } = bodyOf(await woken('issue_assigned'));
    const json = { audit_token, used_chunks: ['posture'] };
    const headers = { authorization: `Bearer ${await token()}` };
    expect((await server.ask(null, 'POST', '/v1/instruction/audit', { json, headers })).status).toBe(204);
  });
});

describe('§21.1.5 S1 the wake reason comes only from a verified token', () => {
  test('a heartbeat with an opaque key, or a token without a wake reason, is wake_reason_unverified, whatever else the request claims', async () => {
    now = BEFORE;
    const headers = { 'x-wake-reason': 'issue_assigned', 'wake-reason': 'issue_assigned' };
    const json = { wake_reason: 'issue_assigned' };
    for (const asked of [{}, { json }, { headers }]) {
      const opaque = await server.ask('cto', 'POST', '/v1/agents/cto/heartbeat', asked);
      expect(statusAndCode(opaque)).toEqual([403, 'wake_reason_unverified']);
      expect(statusAndCode(await woken(undefined, asked))).toEqual([403, 'wake_reason_unverified']);
    }
  });

  test('a wake reason in the body or the query is request_invalid, and one in a header is ignored', async () => {
    const both = await token();
    expect(statusAndCode(await post(both, { json: { wake_reason: 'manual' } }))).toEqual([400, 'request_invalid']);
    expect(statusAndCode(await post(both, {}, 'cto', '?wake_reason=manual'))).toEqual([400, 'request_invalid']);
    const headers = { 'x-wake-reason': 'manual' };
    expect(bodyOf(await post(both, { headers })).wake_reason).toBe('issue_assigned');
  });

  test.each([[{ profile: 7 }], [{ profile: '' }], [{ profile: 'x'.repeat(65) }], [{ more: 1 }], [[]]])(
    'a heartbeat with the body %j is request_invalid',
    async (json) => {
      expect(statusAndCode(await post(await token(), { json }))).toEqual([400, 'request_invalid']);
    },
  );

  test('a heartbeat with an unregistered wake reason is answered without preloads', async () => {
    for (const reason of ['issue_asigned', 'Issue_assigned', 'constructor', '__proto__']) {
      const answer = await woken(reason);
      const { wake_reason, preloads, stub } = bodyOf(answer);
      expect([answer.status, wake_reason, preloads, stub.tokens > 0]).toEqual([200, reason, [], true]);
    }
  });
});

describe('§21.1.5 unavailable units', () => {
  test('an unavailable preload falls back to its path, or causes a warning; the others are returned', async () => {
    now = AFTER;
    const answer = await woken('issue_assigned');
    expect(units(answer)).toEqual([
      ['checkout', 'fallback_path'],
      ['escalation', 'task_type_preload'],
      ['posture', 'task_type_preload'],
    ]);
    const { warnings, unavailable, preloads } = bodyOf(answer);
    expect(warnings).toEqual(['preload_unit_unavailable']);
    expect(unavailable).toEqual([{ name: 'triage', outcome: 'expired' }]);
    expect(preloads[0]?.content).toBe('The old way to check out.\n');
  });

  test('S2: an unavailable guaranteed preload fails the heartbeat as guaranteed_unit_unavailable', async () => {
    now = BEFORE;
    expect(units(await woken('routine_fired'))).toEqual([['limits', 'task_type_preload']]);
    now = AFTER;
    const answer = await woken('routine_fired');
    expect(statusAndCode(answer)).toEqual([503, 'guaranteed_unit_unavailable']);
    expect(answer.json()).toMatchObject({ error: { retryable: false, details: { units: ['limits'] } } });
    expect((await woken('issue_assigned')).status).toBe(200);
  });

  test('preloads beyond 2000 tokens cause a warning, and none is dropped', async () => {
    now = BEFORE;
    const body = bodyOf(await woken('manual'));
    expect(body.warnings).toEqual(['preload_budget_warning']);
    expect(body.total_tokens).toBeGreaterThan(2000);
    expect(body.preloads[0]?.content).toContain(LONG.trim());
  });
});

describe('§21.4.5 heartbeats of other agents', () => {
  test('a heartbeat by a peer or an administrator is denied, with the same answer for an unknown agent', async () => {
    now = BEFORE;
    const admin = await token({}, 'acme/human/ann');
    for (const id of ['cto2', 'nobody', CTO_ID.toUpperCase()]) {
      expect([id, ...statusAndCode(await post(await token(), {}, id))]).toEqual([id, 403, 'instruction_scope_denied']);
    }
    expect(statusAndCode(await post(admin))).toEqual([403, 'instruction_scope_denied']);
    expect(statusAndCode(await server.ask('admin', 'POST', '/v1/agents/cto/heartbeat'))).toEqual([
      403,
      'instruction_scope_denied',
    ]);
  });

  test('an agent can send a heartbeat by its UUID or its short name, and an unknown agent is agent_not_found', async () => {
    expect((await post(await token({}, CTO_ID), {}, 'cto')).status).toBe(200);
    expect((await post(await token(), {}, CTO_ID)).status).toBe(200);
    expect(statusAndCode(await post(await token({}, 'ghost'), {}, 'ghost'))).toEqual([404, 'agent_not_found']);
  });
});

describe('§21.9 the errors of heartbeats alone', () => {
  test.each(REFUSED_HEARTBEATS)('$code comes with its status, and whether to try again', async (refused) => {
    const { code, status, wake_reason, ended } = refused;
    now = ended ? AFTER : BEFORE;
    const answer = await woken(wake_reason);
    expect(statusAndCode(answer)).toEqual([status, code]);
    expect(answer.json()['error']).toMatchObject({ code, retryable: ERRORS[code].retryable });
  });
});

import { beforeAll, describe, expect, test } from 'vitest';
import { HeartbeatResponse } from '../../../compiler/schema/api/heartbeat.ts';
import { approvalOf, approve, limits } from '../../support/approvals.ts';
import type { Over } from '../../support/controlplane.ts';
import { agentYaml, unitFile } from '../../support/repository.ts';
import { CTO_ID } from '../deployment.ts';
import { related, type Related } from '../relations.ts';
import { running, type Answer, type Asked, type Running } from '../running.ts';

const OWED = 'required_by_task_types: [issue_assigned]\n';
const END = '2026-06-01T00:00:00Z';
const BEFORE = Date.parse(END) - 1000;
const AFTER = Date.parse(END);
/** A text of well over a thousand tokens. */
const LONG = 'Read every line of it before anything else is done, and say so. '.repeat(150);

let place: Related;
let now = BEFORE;
let server: Running;

beforeAll(async () => {
  place = await related({
    change: (repo, ann) => {
      const cto = 'instructions/agents/cto';
      const lapsing = `valid_until: ${END}\n`;
      repo
        .write(
          `${cto}/agent.yaml`,
          agentYaml(CTO_ID, 'adapter_profiles: [generic, openai-assistants]\nmigration_mode: coexistence\n'),
        )
        .write('docs/checkout.md', 'The old way to check out.\n')
        .write(`${cto}/posture.md`, unitFile('What is prohibited', ['am I allowed to do it'], OWED))
        .write(
          `${cto}/checkout.md`,
          unitFile('How to check out', ['check out'], `${OWED}${lapsing}path: docs/checkout.md\n`),
        )
        .write(`${cto}/triage.md`, unitFile('How to triage', ['triage it'], `${OWED}${lapsing}`))
        .write(`${cto}/drill.md`, unitFile('The drill', ['run the drill'], 'required_by_task_types: [manual]\n', LONG))
        .write('instructions/shared/escalation.md', unitFile('When to call a person', ['call a person'], OWED));
      limits(repo, `guarantee_load: true\nrequired_by_task_types: [routine_fired]\n${lapsing}`);
      approve(repo, 'limits', approvalOf(repo), ann);
    },
  });
  server = await running({ ...place, now: () => now });
});

const post = (token: string, more: Asked = {}, id = 'cto', query = '') =>
  server.ask(null, 'POST', `/v1/agents/${id}/heartbeat${query}`, {
    ...more,
    headers: { authorization: `Bearer ${token}`, ...more.headers },
  });
const token = (over: Over = {}, sub = 'cto') => place.plane.sign(sub, { now, ...over });
const woken = async (wake_reason: unknown, more: Asked = {}) => post(await token({ claims: { wake_reason } }), more);
const told = (answer: Answer) => [answer.status, answer.code];
const bodyOf = (answer: Answer) => HeartbeatResponse.parse(answer.json());
const units = (answer: Answer) => bodyOf(answer).preloads.map(({ name, source }) => [name, source]);

describe('§21.1.5 an agent is woken', () => {
  test('and gets its stub, and every unit that is owed to the wake reason, its own and shared, by name', async () => {
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

  test('the stub is the one that its own route serves, under the profile that is asked for', async () => {
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

  test('twice alike, but for the audit token', async () => {
    const [one, two] = [bodyOf(await woken('issue_assigned')), bodyOf(await woken('issue_assigned'))];
    expect(two).toEqual({ ...one, audit_token: expect.not.stringMatching(one.audit_token) as string });
  });

  test('by a wake reason that nothing is owed to: the stub alone', async () => {
    expect(units(await woken('approval_resolved'))).toEqual([]);
  });

  test('its token closes the heartbeat like any recall (§21.5.2)', async () => {
    const { audit_token } = bodyOf(await woken('issue_assigned'));
    const json = { audit_token, used_chunks: ['posture'] };
    const headers = { authorization: `Bearer ${await token()}` };
    expect((await server.ask(null, 'POST', '/v1/instruction/audit', { json, headers })).status).toBe(204);
  });
});

describe('§21.1.5 S1 the wake reason is the verified token’s alone', () => {
  test('an opaque key, or a token without one, is refused, whatever else claims one', async () => {
    now = BEFORE;
    const headers = { 'x-wake-reason': 'issue_assigned', 'wake-reason': 'issue_assigned' };
    const json = { wake_reason: 'issue_assigned' };
    for (const asked of [{}, { json }, { headers }]) {
      const opaque = await server.ask('cto', 'POST', '/v1/agents/cto/heartbeat', asked);
      expect(told(opaque)).toEqual([403, 'wake_reason_unverified']);
      expect(told(await woken(undefined, asked))).toEqual([403, 'wake_reason_unverified']);
    }
  });

  test('a body or a query that claims one is refused; a header is not looked at', async () => {
    const both = await token();
    expect(told(await post(both, { json: { wake_reason: 'manual' } }))).toEqual([400, 'request_invalid']);
    expect(told(await post(both, {}, 'cto', '?wake_reason=manual'))).toEqual([400, 'request_invalid']);
    const headers = { 'x-wake-reason': 'manual' };
    expect(bodyOf(await post(both, { headers })).wake_reason).toBe('issue_assigned');
  });

  test.each([[{ profile: 7 }], [{ profile: '' }], [{ profile: 'x'.repeat(65) }], [{ more: 1 }], [[]]])(
    'a body of %j is refused',
    async (json) => {
      expect(told(await post(await token(), { json }))).toEqual([400, 'request_invalid']);
    },
  );

  test('one that the deployment does not register matches no preload, and the agent wakes', async () => {
    for (const reason of ['issue_asigned', 'Issue_assigned', 'constructor', '__proto__']) {
      const answer = await woken(reason);
      const { wake_reason, preloads, stub } = bodyOf(answer);
      expect([answer.status, wake_reason, preloads, stub.tokens > 0]).toEqual([200, reason, [], true]);
    }
  });
});

describe('§21.1.5 a unit that cannot be had', () => {
  test('falls back to its path, or is named in a warning; the others come', async () => {
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

  test('S2: a guaranteed one ends the heartbeat', async () => {
    now = BEFORE;
    expect(units(await woken('routine_fired'))).toEqual([['limits', 'task_type_preload']]);
    now = AFTER;
    const answer = await woken('routine_fired');
    expect(told(answer)).toEqual([503, 'guaranteed_unit_unavailable']);
    expect(answer.json()).toMatchObject({ error: { retryable: true, details: { units: ['limits'] } } });
    expect((await woken('issue_assigned')).status).toBe(200);
  });

  test('beyond 2000 tokens there is a warning, and nothing is dropped', async () => {
    now = BEFORE;
    const body = bodyOf(await woken('manual'));
    expect(body.warnings).toEqual(['preload_budget_warning']);
    expect(body.total_tokens).toBeGreaterThan(2000);
    expect(body.preloads[0]?.content).toContain(LONG.trim());
  });
});

describe('§21.4.5 nobody is woken for another', () => {
  test('not by a peer, not by an administrator, whether the agent exists or not', async () => {
    now = BEFORE;
    const admin = await token({}, 'acme/human/ann');
    for (const id of ['cto2', 'nobody', CTO_ID.toUpperCase()]) {
      expect([id, ...told(await post(await token(), {}, id))]).toEqual([id, 403, 'instruction_scope_denied']);
    }
    expect(told(await post(admin))).toEqual([403, 'instruction_scope_denied']);
    expect(told(await server.ask('admin', 'POST', '/v1/agents/cto/heartbeat'))).toEqual([
      403,
      'instruction_scope_denied',
    ]);
  });

  test('by its UUID or its short name alike; an agent that is not in the bundle is missing', async () => {
    expect((await post(await token({}, CTO_ID), {}, 'cto')).status).toBe(200);
    expect((await post(await token(), {}, CTO_ID)).status).toBe(200);
    expect(told(await post(await token({}, 'ghost'), {}, 'ghost'))).toEqual([404, 'agent_not_found']);
  });
});

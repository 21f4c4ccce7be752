import { cpSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { RecallResponse } from '../../../../compiler/schema/api/recall.ts';
import { flipByte } from '../../../server/damage.ts';
import { running, type Running } from '../../../server/running.ts';
import { failure } from '../../failing.ts';
import { compiledWorkplace, TRUST, type Workplace } from '../../workplace.ts';

let place: Workplace;
let server: Running;

beforeAll(async () => {
  place = await compiledWorkplace();
  server = await running({ bundle: join(place.cwd, 'bundle'), trust: place.trust });
});

const recall = (...args: string[]) => place.run(['recall', ...TRUST, ...args]);
const ask = async (...args: string[]) => {
  const ran = await recall('--agent', 'cto', ...args);
  expect(ran.code).toBe(0);
  return RecallResponse.parse(ran.envelope().data);
};

/** More than ten hints, with a duplicate, in invalid forms, and by URI. */
const ODD = [
  ...['Wrap-Up', '../wrap-up', 'wrap-up?', '', 'wrap-up', 'wrap-up', 'instruction:acme/cto/heartbeat/v1'],
  ...Array.from({ length: 11 }, (_, i) => `unit-${i}`),
];

describe('issue 2: recall in the shell', () => {
  const requests: [name: string, args: string[], json: Record<string, unknown>][] = [
    ['an intent', [], {}],
    ['a bound', ['--max-chunks', '1'], { max_chunks: 1 }],
    ['a budget', ['--token-budget', '10'], { token_budget: 10 }],
    ['candidates', ['--max-chunks', '1', '--candidates', '3'], { max_chunks: 1, candidates: 3 }],
    ['files', ['--files', 'src/a.ts', '--files', 'src/b, c.ts'], { files: ['src/a.ts', 'src/b, c.ts'] }],
    ['hints', ['--hint', 'wrap-up', '--hint', 'gone'], { manifest_hint: ['wrap-up', 'gone'] }],
    ['hints of any form', ODD.flatMap((it) => ['--hint', it]), { manifest_hint: ODD }],
  ];

  test.each(requests)('vade recall returns the same answer as HTTP: %s', async (_name, args, json) => {
    const intent = 'start a heartbeat, then hand over';
    const here = await ask('--intent', intent, ...args);
    const there = (await server.recall('cto', 'cto', { intent, ...json })).json();
    expect(here.chunks.length).toBeGreaterThan(0);
    expect({ ...there, audit_token: null }).toEqual(here);
  });

  test('vade recall --candidates prints how to recall each of them', async () => {
    const asked = ['--intent', 'done for today at the heartbeat', '--max-chunks', '1', '--candidates', '5'];
    const { stdout } = await recall('--agent', 'cto', ...asked, '--format', 'text');
    expect(stdout).toMatch(/^or --hint (heartbeat|wrap-up): /m);
  });

  test('vade recall --explain returns the same explanation as HTTP, except for the time', async () => {
    const intent = 'done for today';
    const here = await ask('--intent', intent, '--explain');
    const path = '/v1/agents/cto/recall-instruction?explain=true';
    const there = RecallResponse.parse((await server.ask('cto', 'POST', path, { json: { intent } })).json());
    expect(here.explain?.units.map((it) => it.name)).toEqual(['heartbeat', 'wrap-up']);
    expect({ ...there.explain, now: '' }).toEqual({ ...here.explain, now: '' });
  });

  test('issue 7: vade recall --explain prints every unit, and why it is returned or not', async () => {
    const asked = ['--intent', 'done for today', '--max-chunks', '1', '--explain', '--format', 'text'];
    const { stdout } = await recall('--agent', 'cto', ...asked);
    expect(stdout).toMatch(/^ +1 +1 +wrap-up .* returned: ranked$/m);
    expect(stdout).toMatch(/^ +– +(2|–) +heartbeat .* left out: /m);
  });

  test('vade recall finds the agent by its UUID', async () => {
    const ran = await recall('--agent', '8e0ed057-bcd8-4f8f-92ee-c046c55b64e9', '--intent', 'done for today');
    expect([ran.code, ran.envelope().ok]).toEqual([0, true]);
  });
});

describe('§21.3.1 a request from a file', () => {
  test('a request from a file accepts null for absent members, and any hint', async () => {
    const none = { max_chunks: null, token_budget: null };
    const file = join(place.cwd, 'request.json');
    writeFileSync(file, JSON.stringify({ intent: 'done for today', ...none, manifest_hint: ODD }));
    const answer = await ask('--input-file', 'request.json');
    expect(answer).toEqual(await ask('--intent', 'done for today', ...ODD.flatMap((it) => ['--hint', it])));
    expect(answer.missed_hints).toContain('Wrap-Up');
  });

  test.each([{}, { intent: null }, { intent: ' ' }])(
    'a request from a file without an intent is intent_required: %j',
    async (request) => {
      writeFileSync(join(place.cwd, 'request.json'), JSON.stringify(request));
      const ran = await recall('--agent', 'cto', '--input-file', 'request.json');
      expect(failure(ran)).toEqual([3, 'INTENT_REQUIRED']);
    },
  );
});

describe('DESIGN §6.11 recall refuses', () => {
  test.each(['nobody', 'ct', 'CTO', 'shared'])('vade recall refuses the unknown agent “%s” with 5', async (agent) => {
    const ran = await recall('--agent', agent, '--intent', 'x');
    expect(failure(ran)).toEqual([5, 'AGENT_NOT_FOUND']);
    expect(ran.envelope().error.suggestion).toContain('cto');
  });

  test.each(['', ' ', '\n\t'])('vade recall refuses the blank intent %j with 3', async (intent) => {
    expect(failure(await recall('--agent', 'cto', '--intent', intent))).toEqual([3, 'INTENT_REQUIRED']);
  });

  test.each([
    ['an intent of 8,001 characters', ['--intent', 'x'.repeat(8001)]],
    ['hints of more than 65,536 characters', ['--intent', 'x', '--hint', 'x'.repeat(65_537)]],
    ['max_chunks 51', ['--intent', 'x', '--max-chunks', '51']],
    ['a budget of 100,001', ['--intent', 'x', '--token-budget', '100001']],
  ])('vade recall refuses %s with 3', async (_name, args) => {
    expect(failure(await recall('--agent', 'cto', ...args))).toEqual([3, 'ARGUMENT_INVALID']);
  });

  test('vade recall refuses a missing bundle with 5, and a changed one with 7', async () => {
    const args = ['--agent', 'cto', '--intent', 'x'];
    const ran = await recall(...args, '--bundle', 'nowhere');
    expect(failure(ran)).toEqual([5, 'BUNDLE_NOT_FOUND']);
    expect(ran.envelope().error.suggestion).toContain('vade compile --dev');
    cpSync(join(place.cwd, 'bundle'), join(place.cwd, 'changed'), { recursive: true });
    flipByte(join(place.cwd, 'changed'), 'cto', 'facts.json');
    expect(failure(await recall(...args, '--bundle', 'changed'))).toEqual([7, 'BUNDLE_UNVERIFIED']);
  });

  test('vade recall without a trust root exits 4', async () => {
    expect(failure(await place.run(['recall', '--agent', 'cto', '--intent', 'x']))).toEqual([4, 'TRUST_REQUIRED']);
  });
});

describe('issue 16: a recall in the shell is the operation that a server performs', () => {
  test('vade recall --audit writes a signed row like a server, and the audit token closes it', async () => {
    const flags = [...TRUST, '--agent', 'cto', '--audit', 'shell.db'];
    const ran = await place.run(['recall', ...flags, '--intent', 'done for today']);
    expect(ran.code).toBe(0);
    const { audit_token, chunks } = RecallResponse.parse(ran.envelope().data);
    const verified = await place.run(['audit', 'verify', '--audit', 'shell.db']);
    expect([verified.code, verified.envelope().data['unsigned']]).toEqual([0, 0]);
    const other = await running({
      bundle: join(place.cwd, 'bundle'),
      trust: place.trust,
      audit: join(place.cwd, 'shell.db'),
    });
    const closing = { audit_token, used_chunks: [chunks[0]?.name] };
    expect((await other.ask('cto', 'POST', '/v1/instruction/audit', { json: closing })).status).toBe(204);
    const { entries } = (await other.ask('admin', 'GET', '/v1/agents/cto/audit')).json() as { entries: unknown[] };
    expect(entries).toMatchObject([{ kind: 'recall', intent: 'done for today', used_chunks: [chunks[0]?.name] }]);
  });

  test('vade recall without --audit creates no file, and its audit token is null', async () => {
    const { audit_token } = await ask('--intent', 'done for today');
    expect(audit_token).toBeNull();
    expect(existsSync(join(place.cwd, 'audit.db'))).toBe(false);
  });

  test('vade recall with an audit that cannot be opened is an error without an answer', async () => {
    const ran = await recall('--agent', 'cto', '--intent', 'done for today', '--audit', '/dev/null/audit.db');
    expect([ran.code, ran.envelope().error.code]).toEqual([1, 'OUTPUT_FAILED']);
  });
});

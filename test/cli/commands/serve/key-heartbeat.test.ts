import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { HeartbeatResponse } from '../../../../compiler/schema/api/heartbeat.ts';
import { developmentToken } from '../../../../compiler/trust/development-plane.ts';
import { serve, vade } from '../../../support/cli.ts';
import { tempFolder } from '../../../support/folder.ts';
import { unitFile } from '../../../support/repository.ts';
import { failure } from '../../failing.ts';
import { compiledWorkplace, TRUST, workplace, type Workplace } from '../../workplace.ts';

const LIMITS = 'instructions/agents/cto/limits.md';
const GUARANTEED = 'guarantee_load: true\nrequired_by_task_types: [issue_assigned]\n';

let place: Workplace;

beforeAll(async () => {
  place = workplace((repo) => repo.write(LIMITS, unitFile('Hard prohibitions', ['am I allowed to do it'], GUARANTEED)));
  const ran = await place.run(['compile', '--dev']);
  expect(ran.code, ran.stdout).toBe(0);
});

const wake = (...args: string[]) => place.run(['key', 'heartbeat', ...args]);
const tokenFor = async (...args: string[]) => String((await wake(...args)).envelope().data['token']);

/** A heartbeat of the cto with a token: its status, and its answer or the code of its error. */
async function beat(url: string, token: string) {
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${url}/v1/agents/cto/heartbeat`, { method: 'POST', headers });
  const json = (await response.json()) as { error?: { code: string } };
  return { status: response.status, code: json.error?.code, json };
}

describe('a heartbeat without a control plane', () => {
  test('a token of vade key heartbeat wakes its agent on vade serve --dev, with the guaranteed units', async () => {
    const [server, token] = await Promise.all([
      serve(['--dev'], place.cwd),
      tokenFor('--agent', 'cto', '--wake-reason', 'issue_assigned'),
    ]);
    const { status, json } = await beat(server.url, token);
    const forOther = await beat(server.url, await foreignToken());
    await server.stop();
    expect(status).toBe(200);
    const woken = HeartbeatResponse.parse(json);
    expect(woken.wake_reason).toBe('issue_assigned');
    expect(woken.preloads.map(({ name }) => name)).toEqual(['limits']);
    expect([forOther.status, forOther.code]).toEqual([401, 'unauthenticated']);
  });

  /** A token for an agent of the same name, from another folder with its own development key. */
  async function foreignToken(): Promise<string> {
    const other = workplace();
    expect((await other.run(['compile', '--dev'])).code).toBe(0);
    return String((await other.run(['key', 'heartbeat', '--agent', 'cto'])).envelope().data['token']);
  }

  test.each([
    ['under a production root', TRUST],
    ['under a production root with --dev', [...TRUST, '--dev']],
  ])('a development token is refused %s, even if the key that signs bundles signed it', async (_, flags) => {
    const production = await compiledWorkplace();
    const { signer, root } = production.trust;
    const now = Math.floor(Date.now() / 1000);
    const claims = { sub: 'cto', iat: now, exp: now + 60, heartbeat_id: 'dev_1', session_start: now };
    const token = developmentToken(signer, root.root, { ...claims, wake_reason: 'manual' });
    const server = await serve(flags, production.cwd);
    const { status, code } = await beat(server.url, token);
    await server.stop();
    expect([status, code]).toEqual([401, 'unauthenticated']);
    expect(failure(await production.run(['key', 'heartbeat', '--agent', 'cto']))).toEqual([7, 'BUNDLE_UNVERIFIED']);
  });
});

describe('vade key heartbeat tells what is wrong before a server refuses it', () => {
  test.each([
    ['a slip', 'issue_asigned', 'issue_assigned'],
    ['another word', 'lunch', 'routine_fired'],
    ['a text longer than a wake reason can be', 'x'.repeat(1000), 'manual'],
  ])('a wake reason that is %s is refused with what org.yaml registers', async (_, reason, told) => {
    const ran = await wake('--agent', 'cto', '--wake-reason', reason);
    expect(failure(ran)).toEqual([3, 'ARGUMENT_INVALID']);
    expect(ran.envelope().error.suggestion).toContain(told);
  });

  test('an unknown agent is refused with those of the bundle', async () => {
    const ran = await wake('--agent', 'cfo');
    expect([...failure(ran), ran.envelope().error.suggestion]).toEqual([
      5,
      'AGENT_NOT_FOUND',
      expect.stringContaining('cto'),
    ]);
  });

  test('an administrator cannot be woken', async () => {
    expect(failure(await wake('--agent', 'acme/human/jane'))).toEqual([3, 'ARGUMENT_INVALID']);
  });

  test('without a bundle it ends with 5, and makes no key', async () => {
    const folder = tempFolder();
    expect(failure(await vade(['key', 'heartbeat', '--agent', 'cto'], folder))).toEqual([5, 'BUNDLE_NOT_FOUND']);
    expect(existsSync(join(folder, '.vade'))).toBe(false);
  });

  test('a token names the ID of its agent, so that it never wakes another one of the same name', async () => {
    const [, payload = ''] = (await tokenFor('--agent', 'cto', '--minutes', '5')).split('.');
    const { sub, iat, exp } = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as Record<string, unknown>;
    expect(sub).toMatch(/^[0-9a-f]{8}-/);
    expect(Number(exp) - Number(iat)).toBe(300);
  });
});

describe('the wrong folder', () => {
  test('vade recall --dev in a folder with another development root says what to do', async () => {
    const folder = tempFolder();
    await vade(['compile', '--dev'], folder);
    const asked = ['--agent', 'cto', '--intent', 'stop', '--bundle', join(place.cwd, 'bundle')];
    const ran = await vade(['recall', '--dev', ...asked], folder);
    expect([...failure(ran), ran.envelope().error.suggestion]).toEqual([
      7,
      'BUNDLE_UNVERIFIED',
      expect.stringContaining('compile --dev'),
    ]);
  });

  test.each([['serve'], ['mcp', '--agent', 'cto'], ['recall', '--agent', 'cto', '--intent', 'stop']])(
    'vade %s --dev with the bundle of another folder says what to do',
    async (...words) => {
      const ran = await vade([...words, '--dev', '--bundle', join(place.cwd, 'bundle')], tempFolder());
      const said = ran.stdout === '' ? (JSON.parse(ran.stderr) as { code: string; suggestion?: string }) : null;
      const { code, suggestion } = said ?? ran.envelope().error;
      expect([ran.code, code, suggestion]).toEqual([4, 'TRUST_REQUIRED', expect.stringContaining('compile --dev')]);
    },
  );
});

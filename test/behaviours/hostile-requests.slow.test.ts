import { Agent } from 'node:http';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CONNECTION_LIMITS } from '../../server/http/connections.ts';
import { assertContract, type ReceivedAnswer } from '../server/contract.ts';
import { compiledPeers } from '../server/deployment.ts';
import { INSIDES, sendHostile } from '../server/hostile-client.ts';
import { hostileBytes, hostileRequest } from '../server/hostile.ts';
import { rawExchange } from '../server/raw.ts';
import { running, type Running } from '../server/running.ts';

/** How many requests are tried; who changes the server's doors tries more. */
const REQUESTS = Number(process.env['VADE_HOSTILE_REQUESTS'] ?? 1500);
const AT_ONCE = 8;

/** Words that only the gardens of other agents than `cto` hold. */
const SECRETS = /Secret of cto2|Secret of ct\b|What may be spent|How a scan is read/;

let server: Running;
const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });

beforeAll(async () => {
  const connections = { ...CONNECTION_LIMITS, headersMs: 500, requestMs: 1000, idleMs: 500, checkMs: 50 };
  server = await running({ ...(await compiledPeers()), http: { connections } });
});

afterAll(() => {
  agent.destroy();
});

/** The page's program is the same for everybody, and names errors as any program does. */
const isProgram = ({ headers }: ReceivedAnswer) => headers['content-type']?.startsWith('text/javascript') === true;

const isAlive = async () => (await fetch(`${server.url}/healthz`)).status === 200;

describe('hostile requests from the OpenAPI document', () => {
  test(`${REQUESTS} hostile requests get declared answers, without internal errors and without data of another agent`, async () => {
    const counted = { answered: 0, refused: 0, succeeded: 0 };
    const batch = fc.array(hostileRequest, { minLength: AT_ONCE, maxLength: AT_ONCE });
    await fc.assert(
      fc.asyncProperty(batch, async (requests) => {
        // one in four is an administrator's, whose requests go further
        const who = (i: number) => (i % 4 === 3 ? 'admin' : 'cto');
        const answers = await Promise.all(requests.map((it, i) => sendHostile(agent, server, it, server.keys[who(i)])));
        for (const [i, told] of answers.entries()) {
          const asked = requests[i];
          if (!told || !asked) continue;
          counted.answered += 1;
          counted[told.status < 400 ? 'succeeded' : 'refused'] += 1;
          assertContract(asked.method, asked.path, told);
          expect(told.status).toBeLessThan(500);
          if (who(i) === 'cto') expect(told.text).not.toMatch(SECRETS);
          if (!isProgram(told)) expect(told.text).not.toMatch(INSIDES);
        }
      }),
      { numRuns: Math.ceil(REQUESTS / AT_ONCE), endOnFailure: true },
    );
    // a generator that is refused everywhere, or never, tries nothing
    expect(counted.answered).toBeGreaterThan(REQUESTS * 0.9);
    expect(counted.succeeded).toBeGreaterThan(REQUESTS * 0.05);
    expect(counted.refused).toBeGreaterThan(REQUESTS * 0.3);
    expect(await isAlive()).toBe(true);
  });

  test('malformed HTTP gets an error of the documented form, or no answer', async () => {
    const batch = fc.array(hostileBytes, { minLength: AT_ONCE, maxLength: AT_ONCE });
    await fc.assert(
      fc.asyncProperty(batch, async (requests) => {
        const answers = (await Promise.all(requests.map((it) => rawExchange(server.url, it)))).flat();
        for (const { status, text, headers } of answers) {
          expect(status).toBeLessThan(500);
          expect(headers['x-bundle-revision']).toBe(server.revision);
          if (status >= 400 && text !== '') expect(JSON.parse(text)).toMatchObject({ error: { retryable: false } });
        }
      }),
      { numRuns: Math.ceil(REQUESTS / AT_ONCE / 5), endOnFailure: true },
    );
    expect(await isAlive()).toBe(true);
  });

  test('the server logged no internal error', () => {
    expect(server.log.filter((it) => it['level'] === 50)).toEqual([]);
  });
});

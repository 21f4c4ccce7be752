import { Agent } from 'node:http';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertContract } from '../../server/contract.ts';
import { compiledPeers } from '../../server/deployment.ts';
import { INSIDES, sendHostile } from '../../server/hostile-client.ts';
import { hostileBytes, hostileRequest } from '../../server/hostile.ts';
import { rawExchange } from '../../server/raw.ts';
import { report } from '../measure.ts';
import { hosted } from '../serve/hosted.ts';
import { residentMegabytes } from '../serve/served.ts';

const REQUESTS = Number(process.env['VADE_HOSTILE_REQUESTS'] ?? 10_000);
/** How many of them are bytes that are nearly HTTP. */
const BYTES = Math.floor(REQUESTS / 10);
const BATCH = 500;
const AT_ONCE = 16;
/** The same requests in every run; another seed tries others. */
const SEED = Number(process.env['VADE_SEED'] ?? 20_261_121);

/** Words that only the gardens of other agents than `cto` hold. */
const SECRETS = /Secret of cto2|Secret of ct\b|What may be spent|How a scan is read/;

/** Does something with all, some at once. */
async function each<T>(all: readonly T[], work: (it: T, i: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async () => {
    for (let i = next++; i < all.length; i = next++) await work(all[i]!, i);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

test(`${REQUESTS} malformed and hostile requests: no failure that is not declared, no leak, no crash`, async () => {
  const holders = [{ kind: 'agent', agent: 'cto' } as const, { kind: 'admin', entity: 'acme/human/jane' } as const];
  const server = await hosted(await compiledPeers(), ...holders);
  const counts = new Map<string, number>();
  const count = (what: string) => void counts.set(what, (counts.get(what) ?? 0) + 1);
  const faults: string[] = [];
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const tryOne = async (asked: Parameters<typeof sendHostile>[2], i: number) => {
    // one in four is an administrator's, whose requests go further
    const isAdmin = i % 4 === 3;
    const told = await sendHostile(agent, server, asked, server.keys[isAdmin ? 1 : 0] ?? '');
    count(told === null ? 'no answer' : String(told.status));
    if (!told) return;
    try {
      assertContract(asked.method, asked.path, told);
    } catch (error) {
      faults.push(String(error));
    }
    // the page's program is the same for everybody, and names errors as any program does
    const isProgram = told.headers['content-type']?.startsWith('text/javascript') === true;
    if (told.status >= 500 || (!isProgram && INSIDES.test(told.text)))
      faults.push(`${asked.method} ${asked.path}: ${told.text}`);
    if (!isAdmin && SECRETS.test(told.text)) faults.push(`${asked.method} ${asked.path} leaks`);
  };
  const before = residentMegabytes(server.pid);
  for (let sent = 0; sent < REQUESTS - BYTES; sent += BATCH) {
    const amount = Math.min(BATCH, REQUESTS - BYTES - sent);
    await each(fc.sample(hostileRequest, { numRuns: amount, seed: SEED + sent }), tryOne);
  }
  agent.destroy();
  await each(fc.sample(hostileBytes, { numRuns: BYTES, seed: SEED }), async (bytes) => {
    const statuses = (await rawExchange(server.url, bytes, true)).map(({ status }) => status);
    for (const status of statuses) count(`bytes: ${status}`);
    if (statuses.length === 0) count('bytes: no answer');
    faults.push(
      ...statuses.filter((it) => it >= 500).map((it) => `${it} to ${JSON.stringify(bytes.toString('latin1'))}`),
    );
  });
  const after = residentMegabytes(server.pid);
  const alive = (await fetch(`${server.url}/healthz`)).status;
  const defects = server.lines().filter((it) => Number(it['level']) >= 50);
  const code = await server.stop();
  report(
    `${REQUESTS} hostile requests: undeclared, 5xx, leaking, defects`,
    String(faults.length + defects.length),
    '0',
  );
  for (const [what, n] of [...counts].sort()) report(`  ${what}`, String(n), '');
  report('  memory before and after', `${before.toFixed(0)}, ${after.toFixed(0)} MB`, '');
  expect(faults.slice(0, 5)).toEqual([]);
  expect(defects).toEqual([]);
  expect([alive, code]).toEqual([200, 0]);
  // a generator that is refused everywhere, or never, tries nothing
  const good = [...counts].filter(([what]) => what.startsWith('2')).reduce((sum, [, n]) => sum + n, 0);
  expect(good).toBeGreaterThan(REQUESTS * 0.05);
  expect(good).toBeLessThan(REQUESTS * 0.7);
});

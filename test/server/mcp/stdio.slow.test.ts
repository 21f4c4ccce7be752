import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { appendArrival, ARRIVALS_FILE } from '../../../compiler/io/files/arrivals-spool.ts';
import { arrivalsPlace } from '../../../compiler/world/arrivals-place.ts';
import { compiledWorkplace, TRUST, type Workplace } from '../../cli/workplace.ts';
import { vade } from '../../support/cli.ts';
import { storedRows } from '../audit-file.ts';
import { arrival, arrivalId } from '../audit/arrival-records.ts';
import { INITIALIZED, initialize, LATEST_META, rpc, toolCall, type Message } from './asking.ts';

const MAIN = fileURLToPath(new URL('../../../dist/compiler/cli/main.js', import.meta.url));

let place: Workplace;
const started = new Set<{ kill: (signal: NodeJS.Signals) => unknown }>();

beforeAll(async () => {
  place = await compiledWorkplace();
});

afterAll(() => {
  for (const child of started) child.kill('SIGKILL');
});

/** `vade mcp` as a host starts it; by default the host reads what it is told. */
function mcp(args: readonly string[], { reads = true }: { reads?: boolean } = {}) {
  const child = spawn(process.execPath, [MAIN, 'mcp', ...args], {
    cwd: place.cwd,
    env: { PATH: process.env['PATH'] },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  started.add(child);
  const told = { stdout: '', stderr: '' };
  if (reads) child.stdout.on('data', (chunk: Buffer) => (told.stdout += chunk.toString('utf8')));
  child.stderr.on('data', (chunk: Buffer) => (told.stderr += chunk.toString('utf8')));
  // it may end before it has read everything
  child.stdin.on('error', () => undefined);
  const ended = once(child, 'exit').then(([code, signal]) => {
    started.delete(child);
    return (code ?? signal) as number | string;
  });
  const messages = () =>
    told.stdout
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Message & { id?: unknown; jsonrpc: string });
  return {
    child,
    ended,
    messages,
    stderr: () => told.stderr,
    say: (...lines: string[]) => child.stdin.write(lines.map((it) => `${it}\n`).join('')),
    /** Waits for the answer to a request. */
    answer: (id: number) => vi.waitUntil(() => messages().find((it) => it.id === id), { timeout: 60_000, interval: 5 }),
  };
}

/** Requests whose answers are 80 MB: far more than pipes hold. */
const FLOOD = 20_000;

/** How often nothing more may be taken before nothing more will be. */
const STILL = 5;

const serving = (audit: string) => ['--agent', 'cto', ...TRUST, '--audit', audit];
const recall = (id: number) =>
  toolCall('recall_instruction', { intent: 'done for today' }).replace('"id":1', `"id":${id}`);
const verify = (audit: string) => vade(['audit', 'verify', '--audit', audit], place.cwd);
const rowsIn = (audit: string) => storedRows(join(place.cwd, audit), 'recalls').length;

describe('what hooks wrote where vade mcp runs', () => {
  test('it is taken into the audit at the start and at the end, in a killed process too', async () => {
    const spool = arrivalsPlace(place.cwd);
    const hooked = (i: number) => appendArrival(spool, JSON.stringify(arrival(i, { created_at: Date.now() })));
    expect([hooked(1), hooked(2)]).toEqual([true, true]);
    const killed = mcp(serving('arrivals.db'));
    killed.say(initialize('2025-11-25'));
    await killed.answer(1);
    await vi.waitUntil(() => !readdirSync(spool.folder).some((it) => it.startsWith('arrivals')), { timeout: 60_000 });
    hooked(3);
    killed.child.kill('SIGKILL');
    await killed.ended;
    // a file that it had renamed, and not stored
    renameSync(join(spool.folder, ARRIVALS_FILE), join(spool.folder, 'arrivals.01JZ3K8M5QW7XE9RT2VB4NC6DF.taken'));
    const hosts = [mcp(serving('arrivals.db')), mcp(serving('arrivals.db'))];
    hooked(4);
    for (const host of hosts) host.child.stdin.end();
    expect(await Promise.all(hosts.map((it) => it.ended))).toEqual([0, 0]);
    const db = new Database(join(place.cwd, 'arrivals.db'), { readonly: true });
    const ids = db.prepare("SELECT id FROM entries WHERE type = 'arrival' ORDER BY id").pluck().all();
    db.close();
    expect(ids).toEqual([1, 2, 3, 4].map(arrivalId));
    expect((await verify('arrivals.db')).code).toBe(0);
  });
});

describe('what stdout of vade mcp carries', () => {
  test.each([
    ['an agent that the bundle does not have', ['--agent', 'nobody', ...TRUST], 5, 'agent_not_found'],
    ['a bundle that is not there', ['--agent', 'cto', ...TRUST, '--bundle', 'gone'], 5, 'bundle_not_found'],
    ['no trust root', ['--agent', 'cto'], 4, 'trust_required'],
    ['no development root', ['--agent', 'cto', '--dev'], 4, 'trust_required'],
    ['no agent', TRUST, 3, 'argument_invalid'],
    ['a flag that nobody knows', ['--agent', 'cto', '--port', '1'], 3, 'argument_invalid'],
  ])('with %s it carries nothing, and stderr says why', async (_what, args, code, error) => {
    const { ended, messages, stderr } = mcp(args);
    expect(await ended).toBe(code);
    expect(messages()).toEqual([]);
    expect(stderr().toLowerCase()).toContain(`"${error}"`);
  });

  test('what is no message is answered as JSON-RPC says, and each revision is served on a connection of its own', async () => {
    const host = mcp(serving('noise.db'));
    host.say(
      '',
      'no JSON',
      '[]',
      '{}',
      'null',
      '[1]',
      initialize('2025-11-25'),
      recall(2),
      toolCall('drop', {}, {}).replace('"id":1', '"id":3'),
    );
    await Promise.all([host.answer(2), host.answer(3)]);
    const told = host.messages().map((it) => (Array.isArray(it) ? (it as Message[]) : [it]));
    const codes = told.flat().flatMap(({ error }) => (error && error.code !== -32602 ? [error.code] : []));
    expect(codes).toEqual([-32700, -32600, -32600, -32600, -32600]);
    expect(host.stderr()).not.toMatch(/\bat \S+ \(|Warning:/);
    host.child.stdin.end();
    expect(await host.ended).toBe(0);
    for (const revision of INITIALIZED) {
      const other = mcp(serving('noise.db'));
      other.say(initialize(revision), recall(2));
      expect((await other.answer(2)).result).toHaveProperty('content');
      expect(other.messages()[0]?.result).toMatchObject({ protocolVersion: revision });
      other.child.stdin.end();
    }
    const latest = mcp(serving('noise.db'));
    latest.say(
      rpc('tools/call', { name: 'recall_instruction', arguments: { intent: 'hand over' }, _meta: LATEST_META }),
    );
    expect((await latest.answer(1)).result).toHaveProperty('content');
    latest.child.stdin.end();
    expect(await latest.ended).toBe(0);
  });
});

describe('how vade mcp ends', () => {
  const ENDS: readonly [how: string, end: (host: ReturnType<typeof mcp>) => unknown, code: number][] = [
    ['the end of stdin', ({ child }) => child.stdin.end(), 0],
    ['a host that is gone', ({ child, say }) => (child.stdout.destroy(), say(recall(9))), 0],
    ['a line without an end', ({ child }) => child.stdin.write('x'.repeat(11 * 1024 * 1024)), 0],
    ['SIGTERM', ({ child }) => child.kill('SIGTERM'), 143],
    ['SIGINT', ({ child }) => child.kill('SIGINT'), 130],
  ];

  test.each(ENDS)('after %s what was recorded is stored and signed', async (how, end, code) => {
    const audit = `${how.replaceAll(' ', '-')}.db`;
    const host = mcp(serving(audit));
    host.say(initialize('2025-11-25'), recall(2), recall(3));
    await Promise.all([host.answer(2), host.answer(3)]);
    end(host);
    expect(await host.ended).toBe(code);
    expect(rowsIn(audit)).toBeGreaterThanOrEqual(2);
    const { ok, data } = (await verify(audit)).envelope();
    expect([ok, data['unsigned']]).toEqual([true, 0]);
  });

  test('calls that a pipe holds when it ends are answered, as the audit says', async () => {
    const host = mcp(serving('piped.db'));
    host.say(initialize('2025-11-25'), recall(2), recall(3));
    host.child.stdin.end();
    expect(await host.ended).toBe(0);
    const given = host.messages().filter(({ result }) => result && 'content' in result);
    expect([given.length, rowsIn('piped.db')]).toEqual([2, 2]);
  });

  test('two processes with one audit record every row, and the audit verifies', async () => {
    const hosts = [mcp(serving('shared.db')), mcp(serving('shared.db'))];
    for (const host of hosts) host.say(initialize('2025-11-25'), ...[2, 3, 4, 5, 6].map(recall));
    for (const host of hosts) for (const id of [2, 3, 4, 5, 6]) await host.answer(id);
    for (const { child } of hosts) child.stdin.end();
    expect(await Promise.all(hosts.map(({ ended }) => ended))).toEqual([0, 0]);
    expect(rowsIn('shared.db')).toBe(10);
    expect((await verify('shared.db')).envelope()).toMatchObject({ ok: true, data: { writers: 2, unsigned: 0 } });
  });

  test('kill -9 loses no row of an answer that the host has', async () => {
    const host = mcp(serving('killed.db'));
    host.say(initialize('2025-11-25'), ...Array.from({ length: 40 }, (_, i) => recall(i + 2)));
    await host.answer(20);
    host.child.kill('SIGKILL');
    await host.ended;
    const answered = host.messages().filter(({ result }) => result && 'content' in result).length;
    const next = mcp(serving('killed.db'));
    next.say(initialize('2025-11-25'), recall(2));
    await next.answer(2);
    next.child.stdin.end();
    expect(await next.ended).toBe(0);
    expect(rowsIn('killed.db')).toBeGreaterThanOrEqual(answered + 1);
    expect((await verify('killed.db')).envelope()).toMatchObject({ ok: true, data: { unsigned: 0 } });
  });

  test('a host that does not read is not read from, and a signal ends vade mcp nevertheless', async () => {
    const host = mcp(serving('deaf.db'));
    const { stdin, stdout } = host.child;
    host.say(initialize('2025-11-25'));
    await host.answer(1);
    stdout.pause();
    let written = 0;
    const flood = async () => {
      for (; written < FLOOD; written++)
        if (!stdin.write(`${rpc('tools/list', {}, written + 2)}\n`)) await once(stdin, 'drain');
    };
    void flood().catch(() => undefined);
    // as much as the pipes hold, and no more; a server that reads on may pause for a second, too
    const seen: number[] = [];
    const isStill = () => seen.push(written) > STILL && new Set(seen.slice(-STILL)).size === 1;
    await vi.waitUntil(isStill, { timeout: 120_000, interval: 1000 });
    expect(written).toBeLessThan(FLOOD);
    host.child.kill('SIGTERM');
    expect(await host.ended).toBe(143);
  });
});

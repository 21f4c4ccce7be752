import { execFileSync } from 'node:child_process';
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { verifyAudit } from '../../../server/audit/maintenance.ts';
import { agentName } from '../../bench/generate.ts';
import { beginLoad, type LoadOptions } from '../../bench/load.ts';
import { adminHeaders, bundleOf } from '../../bench/served.ts';
import { serve, vade, vadeProcess } from '../../support/cli.ts';

const SHAPE = { agents: 1, units: 3, commits: 0, touched: 0 };
const PATIENCE = { timeout: 30_000, interval: 20 };

interface LogLine {
  readonly msg: string;
  readonly workers?: readonly number[];
  readonly pid?: number;
}

/** A server of several workers on a fresh bundle. */
async function serving(workers: number, ...flags: string[]) {
  const repo = await bundleOf(SHAPE);
  const headers = await adminHeaders(repo);
  // before the start: each worker reads the file of keys by itself, once a second
  const { envelope } = await vade(['key', 'create', '--dev', '--admin', 'bench/human/other'], repo);
  const other = { authorization: `Bearer ${String(envelope().data['key'])}`, connection: 'close' };
  const server = await serve(['--dev', '--workers', String(workers), ...flags], repo);
  onTestFinished(() => void server.stop('SIGKILL'));
  const lines = () =>
    server
      .log()
      .split('\n')
      .filter((it) => it.startsWith('{'))
      .map((it) => JSON.parse(it) as LogLine);
  const pids = () => lines().flatMap(({ workers: named }) => (named ? [named] : []));
  const url = `${server.url}/v1/agents/${agentName(0)}/recall-instruction`;
  const load: LoadOptions = { url, headers, bodies: ['a', 'b', 'c'].map((it) => JSON.stringify({ intent: it })) };
  /** Asks over a connection of its own, so that any worker may answer. */
  const ask = (path: string, body?: object) =>
    fetch(server.url + path, {
      headers: { ...headers, connection: 'close' },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });
  return { repo, server, other, lines, pids, load, ask, audit: join(repo, 'audit.db') };
}

const isRunning = (pid: number) => {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.startsWith('Z') === false;
  } catch {
    return false;
  }
};

function tokensIn(audit: string): string[] {
  const db = new Database(audit, { readonly: true });
  const tokens = db.prepare("SELECT audit_token FROM entries WHERE type = 'recall'").pluck().all() as string[];
  db.close();
  return tokens;
}

describe('a server of several workers', () => {
  test(
    'kill -9 of a worker loses no acknowledged row, and no request of another worker',
    { timeout: 120_000 },
    async () => {
      const { server, lines, pids, load, audit } = await serving(3, '--rate-limit', '0');
      const first = pids()[0] ?? [];
      expect(new Set(first).size).toBe(3);
      const asking = beginLoad({ ...load, connections: 12 });
      for (const victim of first.slice(0, 2)) {
        const before = asking.answers.length;
        await vi.waitUntil(() => asking.answers.length > before + 300, PATIENCE);
        const failed = asking.failures.length;
        process.kill(victim, 'SIGKILL');
        const replaced = pids().length;
        await vi.waitUntil(() => pids().length > replaced, PATIENCE);
        // twelve connections in turns are four for each of three workers; those of the others go on
        expect(asking.failures.length - failed).toBeLessThanOrEqual(8);
      }
      expect(
        lines()
          .filter(({ msg }) => msg.startsWith('a worker ended'))
          .map(({ pid }) => pid),
      ).toEqual(first.slice(0, 2));
      await asking.end();
      expect(await server.stop()).toBe(143);
      const tokens = tokensIn(audit);
      const stored = new Set(tokens);
      expect(asking.answers.filter(({ token, isUnaudited }) => isUnaudited || !stored.has(token))).toEqual([]);
      expect(stored.size).toBe(tokens.length);
      // one chain for each start of a worker
      const tally = await verifyAudit({ audit, state: audit }, { pinned: null });
      expect(tally.writers).toBe(5);
      expect([...first, ...pids().flat()].filter(isRunning)).toEqual([]);
    },
  );

  test('limits, metrics and lists are those of all workers', { timeout: 60_000 }, async () => {
    const { server, other, ask } = await serving(3, '--rate-limit', '4');
    const statuses: number[] = [];
    for (let i = 0; i < 39; i++) {
      const { status } = await ask(`/v1/agents/${agentName(0)}/recall-instruction`, { intent: `asked ${i}` });
      statuses.push(status);
    }
    // an administrator has ten times as many; the last part of a quota may be held by a worker that nobody asks
    const answered = statuses.filter((it) => it === 200).length;
    expect(statuses.filter((it) => it !== 200 && it !== 429)).toEqual([]);
    expect(answered).toBeLessThanOrEqual(40);
    const metrics = await (await fetch(`${server.url}/metrics`, { headers: other })).text();
    expect(metrics).toContain(`vade_answers_total{kind="recall"} ${answered}\n`);
    expect(metrics).toContain('vade_rollout_activations_total 1\n');
    const page = await fetch(`${server.url}/v1/agents/${agentName(0)}/audit?limit=100`, { headers: other });
    expect(((await page.json()) as { entries: unknown[] }).entries).toHaveLength(answered);
    await server.stop();
  });

  test('a new root is served by all workers', { timeout: 60_000 }, async () => {
    const { repo, server, ask } = await serving(3);
    const revisions = async () => {
      const answers = await Promise.all(Array.from({ length: 9 }, () => ask('/readyz')));
      return [...new Set(answers.map((it) => it.headers.get('x-bundle-revision')))];
    };
    const before = await revisions();
    appendFileSync(join(repo, 'instructions', 'agents', agentName(0), 'unit-001.md'), '\nAnd one line more.\n');
    const git = ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.com', 'commit', '--quiet', '--all', '-m', 'More'];
    execFileSync('git', git, { cwd: repo });
    expect((await vade(['compile', '--dev', '--quiet'], repo)).code).toBe(0);
    await vi.waitUntil(async () => {
      const now = await revisions();
      return now.length === 1 && now[0] !== before[0];
    }, PATIENCE);
    expect(before).toHaveLength(1);
    await server.stop();
  });

  test('workers that cannot listen end the server with the reason', { timeout: 60_000 }, async () => {
    const { repo, server } = await serving(2);
    const port = new URL(server.url).port;
    const { code, envelope } = await vadeProcess(
      ['serve', '--dev', '--workers', '2', '--port', port, '--audit', 'b.db'],
      repo,
    );
    expect([code, envelope().error.code]).toEqual([6, 'ADDRESS_IN_USE']);
    await server.stop();
  });
});

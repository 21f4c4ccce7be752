import { execFileSync } from 'node:child_process';
import { appendFileSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { verifyAudit } from '../../../server/audit/maintenance.ts';
import { agentName } from '../../bench/generate.ts';
import { beginLoad, type Failure, type LoadOptions } from '../../bench/load.ts';
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

/** The chain of a running worker, by the lock of its spool; null before its first row. */
function chainOf(pid: number): string | null {
  const open = readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${fd}`);
    } catch {
      return []; // closed meanwhile
    }
  });
  return open.flatMap((path) => /\/(w_\w+)\.lock$/.exec(path)?.[1] ?? [])[0] ?? null;
}

/** The tokens of all recalls in an audit file, and those that one of these chains acknowledged. */
function tokensIn(audit: string, chains: readonly string[]) {
  const db = new Database(audit, { readonly: true });
  const all = db.prepare("SELECT audit_token FROM entries WHERE type = 'recall'").pluck().all() as string[];
  // a row that is older than its chain was taken over from the spool of a worker that was killed
  const acknowledged = db.prepare(
    `SELECT e.audit_token FROM entries e JOIN entries o ON o.writer = e.writer AND o.type = 'opening'
     WHERE e.type = 'recall' AND (e.writer IN (SELECT value FROM json_each(?)) OR e.created_at < o.created_at)`,
  );
  const killed = acknowledged.pluck().all(JSON.stringify(chains)) as string[];
  db.close();
  return { all, killed: new Set(killed) };
}

/** Failures that no killed worker explains: its connections fail, and may fail again until they are handed to others. */
function unexplained(failures: readonly Failure[], killed: ReadonlySet<string>): Failure[] {
  const failed = new Set<number>();
  return failures.filter(({ connection, last }) => {
    const isExplained = last === null ? failed.has(connection) : killed.has(last);
    failed.add(connection);
    return !isExplained;
  });
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
      const killed: string[] = [];
      for (const victim of first.slice(0, 2)) {
        const before = asking.answers.length;
        await vi.waitUntil(() => asking.answers.length > before + 300, PATIENCE);
        killed.push(await vi.waitUntil(() => chainOf(victim), PATIENCE));
        process.kill(victim, 'SIGKILL');
        const replaced = pids().length;
        await vi.waitUntil(() => pids().length > replaced, PATIENCE);
      }
      expect(
        lines()
          .filter(({ msg }) => msg.startsWith('a worker ended'))
          .map(({ pid }) => pid),
      ).toEqual(first.slice(0, 2));
      await asking.end();
      expect(await server.stop()).toBe(143);
      const tokens = tokensIn(audit, killed);
      const stored = new Set(tokens.all);
      expect(asking.answers.filter(({ token, isUnaudited }) => isUnaudited || !stored.has(token))).toEqual([]);
      expect(stored.size).toBe(tokens.all.length);
      expect(unexplained(asking.failures, tokens.killed)).toEqual([]);
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

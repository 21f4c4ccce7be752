import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Capsule } from '../../../compiler/continuity/schema/capsule.ts';
import { openContinuity } from '../../../server/continuity/open.ts';
import { ownerPlaceOf } from '../../../server/continuity/store/place.ts';
import { tempFolder } from '../../support/folder.ts';

const WRITER = fileURLToPath(new URL('writing.mjs', import.meta.url));
const LIMITED = 'trap "" XFSZ; ulimit -f "$1"; shift; exec "$@"';
const PATIENCE = { timeout: 60_000, interval: 10 };

interface Acknowledged {
  readonly commit: string;
  readonly id: string;
  readonly number: number;
}

interface Writer {
  readonly acknowledged: () => Acknowledged[];
  readonly refused: () => string[];
  /** Troubles that its store survived, one a line. */
  readonly troubles: () => string;
  /** Kills it, or it and its git. */
  readonly kill: (what: 'process' | 'group') => Promise<void>;
}

interface WriterOptions {
  /** How far the clock is behind, in milliseconds. */
  readonly behind?: number;
  /** The most that a file may have. */
  readonly kilobytes?: number;
}

/** Starts a process that writes capsules until it is killed. */
function writer(root: string, name: string, { behind = 0, kilobytes }: WriterOptions = {}): Writer {
  const results = join(tempFolder(), name);
  const given = [process.execPath, WRITER, root, name, results, String(behind)];
  const [command = '', ...args] =
    kilobytes === undefined ? given : ['bash', '-c', LIMITED, 'bash', String(kilobytes), ...given];
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'inherit'], detached: true });
  const { pid } = child;
  if (pid === undefined) throw new Error('a writer cannot be started');
  let isGone = false;
  const closed = new Promise<void>((resolve) =>
    child.on('close', () => {
      isGone = true;
      resolve();
    }),
  );
  const kill: Writer['kill'] = (what) => {
    process.kill(what === 'group' ? -pid : pid, 'SIGKILL');
    return closed;
  };
  // a test that fails leaves its writers running
  onTestFinished(() => (isGone ? undefined : kill('group')));
  const textOf = (path: string) => (existsSync(path) ? readFileSync(path, 'utf8') : '');
  const lines = () => textOf(results).split('\n').slice(0, -1);
  return {
    acknowledged: () =>
      lines().flatMap((line) => {
        const [commit = '', id = '', number] = line.split(' ');
        return line.startsWith('!') ? [] : [{ commit, id, number: Number(number) }];
      }),
    refused: () => lines().filter((it) => it.startsWith('!')),
    troubles: () => textOf(`${results}.troubles`),
    kill,
  };
}

/** Waits until something is so of writers; in vain, it says what they survived at last. */
async function until(isDue: () => boolean, ...writers: readonly Writer[]): Promise<void> {
  await vi.waitUntil(isDue, PATIENCE).catch((cause: unknown) => {
    throw new Error(writers.map((it) => it.troubles().slice(-2000)).join('\n---\n'), { cause });
  });
}

const gitIn = (root: string, ...args: string[]) =>
  execFileSync('git', ['--git-dir', ownerPlaceOf(root, 'ada').folder, ...args], { encoding: 'utf8', maxBuffer: 1e9 });

/** Expects every acknowledged commit in the one chain, and that a reader sees nothing older than it was told. */
async function expectKept(root: string, acknowledged: readonly Acknowledged[]): Promise<void> {
  const capsules = openContinuity({ root, archiveDays: 90 }, pino({ level: 'silent' }));
  try {
    // brings the copy to the tip, and sweeps what was left
    await capsules.list('ada', false);
    const history = gitIn(root, 'rev-list', '--parents', 'main')
      .trim()
      .split('\n')
      .map((it) => it.split(' '));
    const ids = new Set(history.map(([id]) => id));
    expect(acknowledged.filter(({ commit }) => !ids.has(commit))).toEqual([]);
    expect(history.filter((it) => it.length > 2)).toEqual([]);
    gitIn(root, 'fsck', '--strict', '--no-dangling');
    const newest = new Map(acknowledged.map((it) => [it.id, it.number]));
    newest.delete('shared');
    for (const [id, number] of newest) {
      const { active } = await capsules.held('ada', { kind: 'thread', id });
      const { continuity } = JSON.parse(String(active)) as Capsule;
      expect(Number(continuity.top_priorities[0]?.replace('number ', ''))).toBeGreaterThanOrEqual(number);
    }
  } finally {
    await capsules.end();
  }
}

describe('an acknowledged capsule', () => {
  test(
    'survives kill -9 of processes and of their git, twenty times under load of three processes',
    { timeout: 480_000 },
    async () => {
      const root = tempFolder();
      const all: Writer[] = [];
      const began: Writer[] = Array.from({ length: 3 }, (_, i) => writer(root, `first${i}`));
      const running = [...began];
      for (let round = 0; round < 20; round++) {
        const next = running.shift();
        if (!next) break;
        const before = running.map((it) => it.acknowledged().length);
        await until(() => next.acknowledged().length > 10 + round, next);
        await next.kill(round % 2 === 0 ? 'process' : 'group');
        all.push(next);
        // the others go on
        await until(() => running.every((it, i) => it.acknowledged().length > (before[i] ?? 0)), ...running);
        running.push(writer(root, `round${round}`));
      }
      await Promise.all(running.map((it) => it.kill('group')));
      await expectKept(
        root,
        [...all, ...running].flatMap((it) => it.acknowledged()),
      );
    },
  );

  test.each([
    ['for packs', 20, (it: Writer) => it.refused().filter((code) => code === '!continuity_unavailable').length > 3],
    // git has what the copy could not take
    ['for the copy of git alone', 600, (it: Writer) => it.acknowledged().length > 100],
  ] as const)(
    'survives a disk that is full %s, and writes are acknowledged again once there is room',
    { timeout: 120_000 },
    async (_, kilobytes, isDue) => {
      const root = tempFolder();
      const first = writer(root, 'first');
      await until(() => first.acknowledged().length > 40, first);
      await first.kill('process');
      const full = writer(root, 'full', { kilobytes });
      await until(() => isDue(full), full);
      await full.kill('process');
      const later = writer(root, 'later');
      await until(() => later.acknowledged().length > 10, later);
      await later.kill('process');
      await expectKept(
        root,
        [first, full, later].flatMap((it) => it.acknowledged()),
      );
    },
  );

  test(
    'survives a clock that was set back: the history is a chain, not an order of times',
    { timeout: 120_000 },
    async () => {
      const root = tempFolder();
      const first = writer(root, 'first');
      await until(() => first.acknowledged().length > 20, first);
      await first.kill('process');
      const back = writer(root, 'back', { behind: 7 * 24 * 60 * 60 * 1000 });
      await until(() => back.acknowledged().length > 20, back);
      await back.kill('process');
      await expectKept(
        root,
        [first, back].flatMap((it) => it.acknowledged()),
      );
    },
  );
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { markedProcesses } from '../../compiler/io/process/marked-processes.ts';
import { openLedger } from '../../compiler/tasks/ledger/open-ledger.ts';
import { sha256 } from '../../compiler/trust/canonical.ts';
import { afterFile } from '../support/after-file.ts';
import { tempFolder } from '../support/folder.ts';
import { killWhen } from '../support/kill-when.ts';
import { orchestrated, type Orchestrated } from '../support/orchestrated.ts';
import { MENDER, PROJECT } from '../support/shop-agents.ts';
import { taskToml } from '../support/tasks.ts';

const MAIN = resolve('dist/compiler/cli/main.js');

let place: Orchestrated;
/** Where runs have their folders: no other test does anything there. */
let runs: string;

beforeAll(async () => {
  place = await orchestrated(
    (repo) => {
      for (const [path, text] of Object.entries(PROJECT)) repo.write(path, text);
      // so many that it takes a while to write them
      for (let n = 0; n < 500; n++) repo.write(`many/${n}.txt`, `${n}\n`.repeat(200));
      repo.remove('instructions/roles').write('instructions/roles/mender.toml', MENDER);
    },
    ['mender'],
  );
  place.task('mend', taskToml('mender', 'Mend it.', '[scope]\nfiles-whitelist = ["src/**", "test/**"]\n'));
  await place.tasks('compose', '--task', 'mend', ...place.trust);
  const settings = ['--settings', join(place.home, 'settings.json'), '--orchestrator', place.keyFile];
  await place.run(['capability', 'install', ...place.trust, ...settings], { HOME: place.home });
  const tmp = tempFolder();
  const shared = process.env['TMPDIR'];
  process.env['TMPDIR'] = tmp;
  afterFile(() => {
    if (shared === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = shared;
  });
  runs = join(tmp, `vade-verify-${process.getuid?.() ?? 0}`);
});

/** Runs `vade task` in a process that is killed when that is due. @returns the signal; null if it was done before */
async function killed(due: () => boolean, ...args: string[]): Promise<NodeJS.Signals | null> {
  const child = spawn(process.execPath, [MAIN, 'task', ...args, '--key', place.keyFile], {
    cwd: place.repo.path,
    env: { PATH: process.env['PATH'], HOME: place.home, TMPDIR: process.env['TMPDIR'] },
    stdio: 'ignore',
  });
  killWhen(child, due);
  const [, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  return signal;
}

const trees = () => `${place.repo.path}.worktrees`;
const inGit = (...path: string[]) => join(place.repo.path, '.git', ...path);
const names = (folder: string) => (existsSync(folder) ? readdirSync(folder) : []);
const left = () => [...[trees(), inGit('worktrees'), inGit('vade/bindings')].flatMap(names), ...unfinished()];
/** Files that were being written; they are nobody's binding. */
const isUnfinished = (name: string) => name.startsWith('.tmp-');
const unfinished = () =>
  names(inGit('vade'))
    .flatMap((it) => (statSync(inGit('vade', it)).isDirectory() ? names(inGit('vade', it)) : [it]))
    .filter(isUnfinished);

/** The ids and the bindings of all agents that the ledger has. */
function known() {
  if (!existsSync(inGit('vade/ledger.db'))) return { ids: [], bindings: [] };
  const ledger = openLedger(inGit('vade/ledger.db'));
  const rows = ledger.newest(1000).flatMap(({ row }) => (row.kind === 'spawn' ? [row] : []));
  ledger.close();
  return { ids: rows.map((it) => it.agent_id), bindings: rows.map((it) => `${sha256(it.worktree)}.json`) };
}

/** An agent that is started without being killed. */
async function started(): Promise<{ readonly id: string; readonly worktree: string }> {
  const { ok, data, error } = (await place.tasks('spawn', '--task', 'mend', ...place.trust)).envelope();
  expect(ok, JSON.stringify(error)).toBe(true);
  return { id: String(data['agent_id']), worktree: String(data['worktree']) };
}

function judge(id: string) {
  const report = join(tempFolder(), 'report.md');
  writeFileSync(report, 'files-touched: none\nresult: done\n');
  return place.tasks('verify', '--agent', id, '--report', report, '--sandbox', 'none', ...place.trust);
}

async function cleanAll(...more: string[]) {
  const { ok, error } = (await place.tasks('clean', '--all', ...more)).envelope();
  expect(ok, JSON.stringify(error)).toBe(true);
  expect(left()).toEqual([]);
}

describe('a spawn that is killed', () => {
  /** Steps of a run in their order, each with the mark that is there as soon as it is done. */
  const size = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  const STEPS: readonly (readonly [step: string, mark: () => string])[] = [
    ['nothing is made yet', () => names(inGit('vade/locks')).join()],
    ['its folder is made', () => names(trees()).join()],
    ['git knows it', () => names(inGit('worktrees')).join()],
    [
      'its files are being written',
      () =>
        names(trees())
          .flatMap((it) => names(join(trees(), it, 'many')))
          .join(),
    ],
    [
      'all files are written',
      () =>
        names(inGit('worktrees'))
          .flatMap((it) => names(inGit('worktrees', it)))
          .filter((it) => it === 'index')
          .join(),
    ],
    ['its row is written', () => String(size(inGit('vade/ledger.db')) + size(inGit('vade/ledger.db-wal')))],
    ['its id is noted', () => names(inGit('vade/agents')).join()],
    ['its binding is written', () => names(inGit('vade/bindings')).join()],
  ];

  test('leaves no binding that the ledger does not know, all of it is removed, and the next one works', async () => {
    const hit: string[] = [];
    for (const [step, mark] of STEPS) {
      const before = mark();
      if ((await killed(() => mark() !== before, 'spawn', '--task', 'mend', ...place.trust)) !== null) hit.push(step);
      const { bindings } = known();
      const bound = names(inGit('vade/bindings')).filter((it) => !isUnfinished(it));
      expect([step, bound.filter((it) => !bindings.includes(it))]).toEqual([step, []]);
      const { id } = await started();
      expect([step, unfinished()]).toEqual([step, []]);
      expect(known().ids).toContain(id);
      await cleanAll();
    }
    expect(hit).toEqual(expect.arrayContaining(['its folder is made', 'git knows it', 'its files are being written']));
  });
});

describe('a run that is killed', () => {
  const told = () =>
    names(trees())
      .map((it) => join(trees(), it, 'src/told'))
      .find((it) => existsSync(it));

  test.each([
    ['its agent ends with the next run', 'none'],
    ['its confined agent ends with it', 'auto'],
  ])('%s, is known to the ledger, and can be judged', async (_what, confine) => {
    const program = join(tempFolder(), 'agent.sh');
    const script = '#!/bin/sh\nenv > src/told.part; mv src/told.part src/told; setsid sleep 300 & sleep 300\n';
    writeFileSync(program, script, { mode: 0o755 });
    const words = ['run', '--task', 'mend', ...place.trust, '--program', program, '--confine', confine];
    expect(await killed(() => told() !== undefined, ...words)).toBe('SIGKILL');
    const text = readFileSync(told() ?? '', 'utf8');
    const mark = /^VADE_RUN=(.*)$/m.exec(text)?.[1] ?? '';
    const id = /^VADE_AGENT_ID=(.*)$/m.exec(text)?.[1] ?? '';
    expect(known().ids).toContain(id);
    if (confine === 'none') expect(markedProcesses(mark).length).toBeGreaterThan(0);
    const judged = await judge(id);
    expect(judged.code, judged.stdout).toBe(0);
    while (markedProcesses(mark).length > 0) await new Promise((next) => setImmediate(next));
    expect(names(runs).filter((it) => it.startsWith('run-'))).toEqual([]);
    await cleanAll('--discard', '--yes');
  });
});

describe('a verification that is killed', () => {
  const inRun = (test: RegExp) => () =>
    names(runs).some(
      (run) =>
        !run.endsWith('.lock') &&
        names(join(runs, run))
          .concat(names(join(runs, run, 'git')))
          .some((it) => test.test(it)),
    );

  test('judges nothing, and the next one judges and removes what it left', async () => {
    const { id, worktree } = await started();
    const told = join(tempFolder(), 'told');
    writeFileSync(
      join(worktree, 'test/slow.test.js'),
      `require('node:fs').writeFileSync('${told}', process.env.VADE_RUN); setTimeout(() => undefined, 300_000);\n`,
    );
    const words = ['verify', '--agent', id, '--sandbox', 'none', ...place.trust];
    const steps: readonly (readonly [string, () => boolean])[] = [
      ['its folder is made', () => names(runs).some((it) => it.startsWith('run-'))],
      ['the snapshot is taken', inRun(/^snapshot-index/)],
      ['the tree is checked out', inRun(/^index-check-/)],
      ['a test runs', () => existsSync(told)],
    ];
    const kinds = async () =>
      ((await place.tasks('log', '--agent', id)).envelope().data['rows'] as { kind: string }[]).map((it) => it.kind);
    for (const [step, due] of steps) {
      expect([step, await killed(due, ...words)]).toEqual([step, 'SIGKILL']);
      expect([step, await kinds()]).toEqual([step, ['spawn']]);
    }
    writeFileSync(join(worktree, 'test/slow.test.js'), '');
    const judged = await judge(id);
    expect(judged.code, judged.stdout).toBe(0);
    expect(await kinds()).toEqual(['verify', 'spawn']);
    const mark = readFileSync(told, 'utf8');
    while (markedProcesses(mark).length > 0) await new Promise((next) => setImmediate(next));
    expect(names(runs).filter((it) => it.startsWith('run-'))).toEqual([]);
    await cleanAll('--discard', '--yes');
  });
});

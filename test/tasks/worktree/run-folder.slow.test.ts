import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, lchownSync, mkdirSync, readdirSync, statSync, symlinkSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { markedProcesses } from '../../../compiler/io/process/marked-processes.ts';
import { runFolder } from '../../../compiler/tasks/worktree/run-folder.ts';
import { tempFolder } from '../../support/folder.ts';
import { asNobody, NOBODY } from '../../support/unprivileged.ts';

const built = (path: string) => resolve('dist/compiler', path);

/** A run in a process of its own, that waits for a command without end. */
const RUN = `
import { runFolder } from ${JSON.stringify(built('tasks/worktree/run-folder.js'))};
import { runProcess } from ${JSON.stringify(built('io/process/run-process.js'))};
const { path } = runFolder(process.argv[1]);
const mark = path.slice(path.lastIndexOf('/') + 1);
process.stdout.write(path + '\\n');
const args = ['-c', 'setsid sleep 300 & echo begun > begun; sleep 300'];
await runProcess({ program: 'sh', args, cwd: path, env: { PATH: process.env.PATH, VADE_RUN: mark }, seconds: 300, mark });
`;

async function started(base: string) {
  const args = ['--input-type=module', '--eval', RUN, base];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const path = line.toString('utf8').trim();
  while (!existsSync(join(path, 'begun'))) await new Promise((next) => setImmediate(next));
  const end = async (signal: NodeJS.Signals) => {
    const closed = once(child, 'exit');
    child.kill(signal);
    await closed;
  };
  return { path, mark: basename(path), end };
}

/** Waits until the processes with this mark are gone: a kill takes a moment. */
async function ended(mark: string): Promise<void> {
  while (markedProcesses(mark).length > 0) await new Promise((next) => setImmediate(next));
}

/** Gives a folder to whom `asNobody` runs something as. */
function chownAll(folder: string): void {
  if (process.getuid?.() !== 0) return;
  const below = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((it) => join(folder, it));
  for (const it of [dirname(folder), folder, ...below]) lchownSync(it, NOBODY, NOBODY);
}

describe('the folder of a run', () => {
  test('a run that is killed leaves it, and its processes; the next run removes both, and no run that lives', async () => {
    const base = join(tempFolder(), 'runs');
    const [killed, living] = [await started(base), await started(base)];
    await killed.end('SIGKILL');
    expect([existsSync(killed.path), markedProcesses(killed.mark).length > 0]).toEqual([true, true]);
    const next = runFolder(base);
    expect(existsSync(killed.path)).toBe(false);
    await ended(killed.mark);
    expect([existsSync(living.path), markedProcesses(living.mark).length > 0]).toEqual([true, true]);
    next.remove();
    await living.end('SIGKILL');
    runFolder(base).remove();
    await ended(living.mark);
    expect(readdirSync(base)).toEqual([]);
  });

  test('what a test closed to itself goes with it, and nothing that a link in it leads to is opened', () => {
    const [base, outside] = [join(tempFolder(), 'runs'), join(tempFolder(), 'outside')];
    mkdirSync(outside, { mode: 0o500 });
    const run = runFolder(base);
    mkdirSync(join(run.path, 'shut/inner'), { recursive: true });
    symlinkSync(outside, join(run.path, 'shut/link'));
    for (const it of [base, outside]) chownAll(it);
    for (const it of ['shut/inner', 'shut']) chmodSync(join(run.path, it), 0o000);
    asNobody(run.remove);
    expect([readdirSync(base), statSync(outside).mode & 0o777]).toEqual([[], 0o500]);
  });

  test('a base that somebody else prepared is not used', () => {
    const root = tempFolder();
    symlinkSync(tempFolder(), join(root, 'link'));
    mkdirSync(join(root, 'open'));
    chmodSync(join(root, 'open'), 0o777);
    for (const it of ['link', 'open']) expect(() => runFolder(join(root, it))).toThrow('somebody else');
  });
});

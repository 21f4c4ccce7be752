import { lstatSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { messageOf, VadeError } from '../../schema/errors.ts';
import { atExit } from '../process/at-exit.ts';
import { listNames } from './tree.ts';

/** The name contains the process that made the folder: a later process can see whether it is still in use. */
const NAMED = /^vade-trial-(\d{1,9})-\w+$/;

/**
 * Makes a temporary folder for the duration of `work`. It is removed with the process, however that ends; a folder of a
 * killed process is removed by the next one.
 *
 * @throws output_failed
 */
export async function inTrialFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  sweepTrials(tmpdir());
  const folder = create();
  const remove = () => {
    rmSync(folder, { recursive: true, force: true });
  };
  const forget = atExit(remove);
  try {
    return await work(folder);
  } finally {
    forget();
    remove();
  }
}

function create(): string {
  try {
    return realpathSync(mkdtempSync(join(tmpdir(), `vade-trial-${process.pid}-`)));
  } catch (error) {
    throw new VadeError('output_failed', `${tmpdir()} cannot be written: ${messageOf(error)}`);
  }
}

/** Removes the trial folders of this user whose process has ended. Anyone may write there: no link is followed. */
export function sweepTrials(temporary: string): void {
  for (const name of listNames(temporary)) {
    const [, pid] = NAMED.exec(name) ?? [];
    const path = join(temporary, name);
    if (pid !== undefined && isOwn(path) && !isRunning(Number(pid))) rmSync(path, { recursive: true, force: true });
  }
}

function isOwn(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found?.isDirectory() === true && found.uid === (process.geteuid?.() ?? found.uid);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

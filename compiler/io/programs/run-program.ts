import { runProcess, type OutputLimit, type ProcessRun } from '../process/run-process.ts';

/** Output beyond this size is discarded. */
const KEPT: OutputLimit = { bytes: 64 * 1024, beyond: 'keep_first' };

/** Exit and output of a program. */
export interface ProgramEnd {
  /** Null if it could not be started, or was killed. */
  readonly exit: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program of the host and waits for it. It never throws: a program that does not run has no exit. */
export async function runProgram(run: Omit<ProcessRun, 'stdout' | 'stderr' | 'mark'>): Promise<ProgramEnd> {
  const ended = await runProcess({ ...run, stdout: KEPT, stderr: KEPT });
  if (ended.end === 'not_started') return { exit: null, stdout: '', stderr: '' };
  const [stdout, stderr] = [ended.stdout.toString('utf8'), ended.stderr.toString('utf8')];
  return { exit: ended.end === 'exit' ? ended.code : null, stdout, stderr };
}

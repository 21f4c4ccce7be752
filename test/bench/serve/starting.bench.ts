import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { report, spread } from '../measure.ts';

const SCRIPT = fileURLToPath(new URL('starting.mjs', import.meta.url));
const ROUNDS = 3;
const PLACES = ['none', 'process', 'thread'] as const;

interface Measured {
  /** Milliseconds that the event loop was late, each time. */
  readonly late: readonly number[];
  /** How long each start of git took the one who started it. */
  readonly starts: readonly number[];
}

async function measured(megabytes: number, where: string): Promise<Measured> {
  const options = { maxBuffer: 64 * 1024 * 1024 };
  const { stdout } = await promisify(execFile)(process.execPath, [SCRIPT, String(megabytes), where], options);
  return JSON.parse(stdout) as Measured;
}

/** Why a server does not start a git for each commit (compiler/README.md, 6.16). */
test.each([100, 200, 400])(
  'a process that holds %d MB is late while it starts git 25 times a second',
  async (megabytes) => {
    const late: Record<(typeof PLACES)[number], number[]> = { none: [], process: [], thread: [] };
    const starts: number[] = [];
    // in turns: other programs use the cores too
    for (let round = 0; round < ROUNDS; round++) {
      for (const where of PLACES) {
        const found = await measured(megabytes, where);
        late[where].push(spread(found.late).p99);
        starts.push(...found.starts);
      }
    }
    const shown = (times: readonly number[]) => `${times.map((it) => it.toFixed(0)).join(' ')} ms`;
    report(`${megabytes} MB more: late at p99, no starts`, shown(late.none), '');
    report('  25 starts a second in the same thread', shown(late.process), '');
    report('  in another thread', shown(late.thread), '');
    report('  a start, median', `${spread(starts).median.toFixed(1)} ms`, '');
    expect(Math.min(...late.process)).toBeGreaterThan(Math.min(...late.none));
  },
);

import { execFileSync } from 'node:child_process';
import { closeSync, constants, existsSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { failure } from '../cli/failing.ts';
import { TRUST, workplace } from '../cli/workplace.ts';
import { start } from '../support/cli.ts';

describe('DESIGN §6.11 an interrupted compile', () => {
  test.each([
    ['SIGINT', 130, 'INTERRUPTED'],
    ['SIGTERM', 143, 'TERMINATED'],
  ] as const)('a compile that receives %s exits with %i and writes no bundle', async (signal, exit, code) => {
    const place = workplace();
    // the signing key is a named pipe: the compile waits at it, and the signal comes meanwhile
    const pipe = join(place.cwd, 'pipe.pem');
    execFileSync('mkfifo', [pipe]);
    const run = start(['compile', ...TRUST, '--key', 'pipe.pem'], place.cwd);
    const end = await vi.waitFor(() => openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK), 30_000);
    run.kill(signal);
    writeSync(end, place.trust.pem);
    closeSync(end);
    expect(failure(await run.ended)).toEqual([exit, code]);
    expect(existsSync(join(place.cwd, 'bundle/current'))).toBe(false);
  });
});

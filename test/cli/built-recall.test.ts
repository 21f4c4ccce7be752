import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Ran } from '../support/cli.ts';
import { tempFolder } from '../support/folder.ts';
import { compiledWorkplace, TRUST, type Workplace } from './workplace.ts';

let place: Workplace;
beforeAll(async () => {
  place = await compiledWorkplace();
});

/** An answer without when it was given and how long it took. */
const timeless = ({ stdout }: Ran) => stdout.replace(/"(?:now|duration_ms)":[^,}]*/g, '');

describe('vade recall, as the build bundles it', () => {
  test.each([
    [['--agent', 'cto', '--intent', 'done for today', ...TRUST]],
    [['--agent', 'cto', '--intent', 'done for today', '--explain', ...TRUST]],
    [['--agent', 'cto', '--intent', 'done for today', '--bundle', 'nowhere', ...TRUST]],
    [['--agent', 'nobody', '--intent', 'done for today', ...TRUST]],
    [['--agent', 'cto', '--intent', 'done for today']],
    [['--agent', 'cto', '--intent', 'x', '--max-chunks', '0', ...TRUST]],
    [['--agnt', 'cto']],
    [[]],
  ])('%j is answered as from its modules', async (args) => {
    const [one, modules] = await Promise.all([place.runProcess(['recall', ...args]), place.run(['recall', ...args])]);
    expect([one.code, timeless(one)]).toEqual([modules.code, timeless(modules)]);
  });

  test('it finds the thread that writes the audit', async () => {
    const audit = join(tempFolder(), 'audit.db');
    const recorded = ['--agent', 'cto', '--intent', 'done for today', '--audit', audit, ...TRUST];
    const one = await place.runProcess(['recall', ...recorded]);
    expect([one.code, one.envelope().warnings]).toEqual([0, []]);
    expect(existsSync(audit)).toBe(true);
  });
});

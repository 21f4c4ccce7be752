import { beforeAll, describe, expect, test, vi } from 'vitest';
import { start } from '../../../support/cli.ts';
import { failure } from '../../failing.ts';
import { compiledWorkplace, TRUST, type Workplace } from '../../workplace.ts';

let place: Workplace;

beforeAll(async () => {
  place = await compiledWorkplace();
});

/** `vade serve` that continues for ten minutes after a signal. */
async function draining() {
  const run = start(['serve', ...TRUST, '--port', '0', '--drain', '600'], place.cwd);
  const url = await run.url();
  return { run, url };
}

describe('DESIGN §6.11 vade serve --drain', () => {
  test.each([
    ['SIGTERM', 'SIGTERM'],
    ['SIGTERM', 'SIGINT'],
    ['SIGINT', 'SIGTERM'],
  ] as const)(
    'vade serve --drain continues after %s while readiness fails, and a second signal, %s, ends it at once',
    async (first, second) => {
      const { run, url } = await draining();
      expect((await fetch(`${url}/readyz`)).status).toBe(200);
      run.kill(first);
      await vi.waitFor(async () => {
        const answer = await fetch(`${url}/readyz`);
        expect([answer.status, await answer.json()]).toMatchObject([503, { status: 'ending' }]);
      }, 30_000);
      expect((await fetch(`${url}/healthz`)).status).toBe(200);
      run.kill(second);
      expect((await run.ended).code).toBeNull();
    },
  );

  test('an orderly end is the last line of the log', async () => {
    const run = start(['serve', ...TRUST, '--port', '0'], place.cwd);
    await run.url();
    run.kill('SIGTERM');
    expect((await run.ended).stderr.trim().split('\n').at(-1)).toContain('"msg":"ended in order"');
  });

  test('vade serve --drain requires an integer', async () => {
    expect(failure(await place.run(['serve', ...TRUST, '--drain', 'soon']))).toEqual([3, 'ARGUMENT_INVALID']);
  });
});

describe('vade serve --bundle https://…', () => {
  test.each([
    ['an insecure address', ['--bundle', 'http://example.org/bundle/']],
    [
      '--publish with a bundle address',
      ['--bundle', 'https://example.org/', '--publish', 'x.git', '--key', 'signing.pem'],
    ],
    ['an invalid canary', ['--canary', 'cto']],
    ['a canary with an invalid root', ['--canary', 'cto=../../etc']],
  ])('vade serve with a bundle address refuses %s with 3', async (_, flags) => {
    expect(failure(await place.run(['serve', ...TRUST, '--port', '0', ...flags]))).toEqual([3, 'ARGUMENT_INVALID']);
  });
});

import { cpSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { vadeProcess, type Ran, start } from '../../../support/cli.ts';
import { tempFolder } from '../../../support/folder.ts';
import { AS_NOBODY, PRIVILEGED_PORT, isPortPrivileged } from '../../../support/unprivileged.ts';
import { failure } from '../../failing.ts';
import { compiledWorkplace, TRUST, type Workplace } from '../../workplace.ts';

let place: Workplace;

beforeAll(async () => {
  place = await compiledWorkplace();
});

const refused = async (...args: string[]) => failure(await place.run(['serve', ...args]));

describe('DESIGN §6.11 serve refuses', () => {
  test('vade serve refuses a port in use with 6, also on stderr, which is its log', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const { port } = taken.address() as AddressInfo;
    const ran = await place.run(['serve', ...TRUST, '--port', String(port)]);
    await new Promise((resolve) => taken.close(resolve));
    expect(failure(ran)).toEqual([6, 'ADDRESS_IN_USE']);
    const lines = ran.stderr.trimEnd().split('\n');
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      level: 60,
      time: expect.any(Number) as number,
      code: 'ADDRESS_IN_USE',
      msg: expect.stringContaining(`127.0.0.1:${port}`) as string,
    });
  });

  test.runIf(isPortPrivileged())(
    'vade serve refuses a privileged port with 6, and leaves no lock and no row',
    async () => {
      const folder = tempFolder();
      cpSync(place.cwd, folder, { recursive: true });
      const ran = await vadeProcess(['serve', ...TRUST, '--port', String(PRIVILEGED_PORT)], folder, {}, AS_NOBODY);
      expect(failure(ran)).toEqual([6, 'ADDRESS_IN_USE']);
      expect(JSON.parse(ran.stderr)).toMatchObject({ code: 'ADDRESS_IN_USE' });
      expect(readdirSync(join(folder, 'audit.db.spool'))).toEqual([]);
    },
  );

  test('vade serve reports unreadable input as one line of its log, whatever the input contains', async () => {
    const ran = await place.run(['serve', ...TRUST, '--bundle', 'no\nwhere']);
    expect(failure(ran)).toEqual([5, 'BUNDLE_NOT_FOUND']);
    expect(ran.stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(JSON.parse(ran.stderr)).toMatchObject({ code: 'BUNDLE_NOT_FOUND' });
  });

  test('vade serve reports an error once in text mode, and a command that is no server reports it only in its envelope', async () => {
    const text = await place.run(['serve', ...TRUST, '--bundle', 'nowhere', '--format', 'text']);
    expect([text.stdout, text.stderr.match(/nowhere/g)?.length]).toEqual(['', 1]);
    const other = await place.run(['verify', ...TRUST, '--bundle', 'nowhere']);
    expect(failure(other)).toEqual([5, 'BUNDLE_NOT_FOUND']);
    expect(other.stderr).toBe('');
  });

  test.each(['0.0.0.0', '::', '192.0.2.1', 'example.org'])(
    'vade serve --dev on %s exits 3, since development stays on loopback (DESIGN §8)',
    async (host) => {
      expect(await refused('--dev', '--host', host, '--port', '0')).toEqual([3, 'ARGUMENT_INVALID']);
    },
  );

  test('vade serve refuses a bundle with a changed root with 7', async () => {
    const broken = tempFolder();
    writeFileSync(join(broken, 'current'), `1-${'0'.repeat(64)}\n`);
    expect(await refused(...TRUST, '--port', '0', '--bundle', broken)).toEqual([7, 'BUNDLE_UNVERIFIED']);
    writeFileSync(join(broken, 'current'), '../../etc\n');
    expect(await refused(...TRUST, '--port', '0', '--bundle', broken)).toEqual([7, 'BUNDLE_UNVERIFIED']);
  });

  test('vade serve without a trust root exits 4', async () => {
    expect(await refused('--port', '0')).toEqual([4, 'TRUST_REQUIRED']);
  });

  test('vade serve exits 1 if its audit cannot be written, and 7 if the file is not one, which stays as it is', async () => {
    expect(await refused(...TRUST, '--port', '0', '--audit', 'nowhere/audit.db')).toEqual([1, 'OUTPUT_FAILED']);
    expect(await refused(...TRUST, '--port', '0', '--audit', 'signing.pem')).toEqual([7, 'AUDIT_UNVERIFIED']);
    expect((await place.run(['compile', ...TRUST, '--key', 'signing.pem'])).code).toBe(0);
  });
});

describe('DESIGN §6.11 a server that a signal ends', () => {
  test.each([
    ['SIGTERM', 143, 'TERMINATED'],
    ['SIGINT', 130, 'INTERRUPTED'],
  ] as const)('a server that %s ends prints one envelope with exit %i and code %s', async (signal, exit, code) => {
    const ran = await ended(signal);
    expect(failure(ran)).toEqual([exit, code]);
    // a signal is not an error
    expect(ran.stderr).not.toContain('"level":60');
  });
});

/** A whole run of `vade serve`, ended by a signal as soon as it is ready. */
async function ended(signal: NodeJS.Signals): Promise<Ran> {
  const run = start(['serve', ...TRUST, '--port', '0'], place.cwd);
  await run.says('"msg":"ready"');
  run.kill(signal);
  return run.ended;
}

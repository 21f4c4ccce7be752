import express from 'express';
import { describe, expect, test } from 'vitest';
import type { VadeError } from '../../compiler/schema/errors.ts';
import { proxiesFrom } from '../../compiler/world/proxies.ts';
import { failure } from '../cli/failing.ts';
import { compiledWorkplace, TRUST } from '../cli/workplace.ts';
import { serve } from '../support/cli.ts';

/** The code and the message of the error, if there is one. */
function refusal(...flags: readonly string[]): VadeError | null {
  try {
    proxiesFrom(flags);
    return null;
  } catch (error) {
    return error as VadeError;
  }
}

describe('--trust-proxy', () => {
  test.each<[readonly string[], number | readonly string[]]>([
    [[], []],
    [['loopback'], ['loopback']],
    [
      ['loopback, linklocal', 'uniquelocal'],
      ['loopback', 'linklocal', 'uniquelocal'],
    ],
    [['10.0.0.1,10.1.0.0/16'], ['10.0.0.1', '10.1.0.0/16']],
    [
      ['2001:db8::/32', '::1', 'FD00::1/8', '::ffff:a00:0/104'],
      ['2001:db8::/32', '::1', 'FD00::1/8', '::ffff:a00:0/104'],
    ],
    [['1'], 1],
    [['9'], 9],
  ])('--trust-proxy %j is parsed as Express parses it', (flags, read) => {
    const proxies = proxiesFrom(flags);
    expect(proxies).toEqual(read);
    expect(() => express().set('trust proxy', proxies)).not.toThrow();
  });

  test.each(['true', 'TRUE', 'all', '*', '0.0.0.0/0', '::/0', '10.0.0.1,::/0'])(
    '--trust-proxy %s would trust everybody, so it is argument_invalid with a suggestion',
    (flag) => {
      expect(refusal(flag)).toMatchObject({
        code: 'argument_invalid',
        message: expect.stringContaining('give the addresses or subnets of your proxies') as string,
      });
    },
  );

  test.each([
    ...['', '10.0.0.1,', 'lb.example.org', '10.0.0.1:80', '10.0.0.1/33', '::1/129', '10.0.0.1/8/8', '2,10.0.0.1'],
    // forms that proxy-addr would parse as other addresses
    ...['10/8', '010.0.0.1', '0x7f.1', '64:ff9b::1.2.3.4/96', '2130706433', '0', '10', '-1', '1.5', '__proto__'],
  ])('--trust-proxy “%s” is argument_invalid', (flag) => {
    expect(refusal(flag)?.code).toBe('argument_invalid');
  });

  test('vade serve refuses an invalid --trust-proxy with 3 before it listens, in a dry run too, and starts with a valid one', async () => {
    const place = await compiledWorkplace();
    for (const more of [[], ['--dry-run']]) {
      const ran = await place.run(['serve', ...TRUST, '--port', '0', '--trust-proxy', 'true', ...more]);
      expect(failure(ran)).toEqual([3, 'ARGUMENT_INVALID']);
    }
    const flags = ['--trust-proxy', 'loopback,10.0.0.0/8', '--trust-proxy', '2001:db8::/32'];
    const server = await serve([...TRUST, ...flags], place.cwd);
    const answer = await fetch(`${server.url}/v1/agents/cto/boot-stub`, {
      headers: { 'x-forwarded-for': '203.0.113.1' },
    });
    expect(answer.status).toBe(401);
    expect(await server.stop('SIGTERM')).toBe(143);
  });
});

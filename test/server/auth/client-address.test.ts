import type { Request } from 'express';
import { describe, expect, test } from 'vitest';
import { addressOf } from '../../../server/auth/client-address.ts';

/** The address of a request with this list of proxies, the client first, and this peer. */
const address = (ips: readonly string[], remoteAddress?: string) =>
  addressOf({ ips, socket: { remoteAddress } } as unknown as Request);

describe('the client address of a request', () => {
  test('is the first address that trusted proxies name, of either family', () => {
    expect(address(['192.0.2.1', '192.0.2.2'], '10.0.0.1')).toBe('192.0.2.1');
    expect(address(['2001:db8::1', '192.0.2.2'], '10.0.0.1')).toBe('2001:db8::1');
  });

  test('is that of the peer where no proxy names one', () => {
    expect(address([], '10.0.0.1')).toBe('10.0.0.1');
  });

  test.each(['', 'unknown', 'fe80::1%words', '192.0.2.1:80', '192.0.2.1 ', '<script>'])(
    'is never the text %j, which the client wrote',
    (text) => {
      expect(address([text, '192.0.2.2'], '10.0.0.1')).toBe('192.0.2.2');
      expect(address([text], '10.0.0.1')).toBe('10.0.0.1');
    },
  );

  test('is a fixed one where the socket no longer knows its peer', () => {
    expect(address([])).toBe('0.0.0.0');
  });
});

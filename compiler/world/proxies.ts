import { z } from 'zod';
import { VadeError } from '../schema/errors.ts';

/**
 * The forms that Express parses as their author means them. It parses `10/8` as 0.0.0.10/8 and `010.0.0.1` as 8.0.0.1,
 * and supports IPv4-mapped IPv6 addresses only in part.
 */
const Proxies = z
  .union([z.enum(['loopback', 'linklocal', 'uniquelocal']), z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])
  .refine((it) => !/:.*\.|\/0$/.test(it));

/** A larger number would trust any address in the header. */
const HOPS = /^[1-9]$/;

const EVERYBODY = new Set(['true', 'all', '*', '0.0.0.0/0', '::/0']);

/**
 * The value of Express's `trust proxy`: the proxies, or their number; an empty list trusts none.
 *
 * @throws argument_invalid
 */
export function proxiesFrom(flags: readonly string[]): number | readonly string[] {
  const proxies = flags.flatMap((flag) => flag.split(',')).map((it) => it.trim());
  const [only = ''] = proxies;
  if (proxies.length === 1 && HOPS.test(only)) return Number(only);
  const invalid = proxies.find((it) => !Proxies.safeParse(it).success);
  if (invalid === undefined) return proxies;
  const reason = EVERYBODY.has(invalid.toLowerCase())
    ? 'would let all callers choose their address: give the addresses or subnets of your proxies, or their number'
    : 'is not an address, a subnet, loopback, linklocal or uniquelocal; a number of proxies is 1 to 9 and given alone';
  throw new VadeError('argument_invalid', `--trust-proxy “${invalid}” ${reason}`, { flag: 'trust-proxy' });
}

import { z } from 'zod';
import { VadeError } from '../schema/errors.ts';

/** The flag that names whom a server believes where its callers are. */
export const TRUST_PROXY = {
  type: 'array',
  description: 'Proxy whose X-Forwarded-For is believed: address, subnet, loopback; or how many proxies',
} as const;

/**
 * What Express reads as it is meant. It takes `10/8` for 0.0.0.10/8 and `010.0.0.1` for 8.0.0.1, and an IPv4 address
 * in an IPv6 one not everywhere.
 */
const Proxies = z
  .union([z.enum(['loopback', 'linklocal', 'uniquelocal']), z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])
  .refine((it) => !/:.*\.|\/0$/.test(it));

/** A larger number would trust whatever stands in the header. */
const HOPS = /^[1-9]$/;

const EVERYBODY = new Set(['true', 'all', '*', '0.0.0.0/0', '::/0']);

/**
 * The proxies in front of a server as Express takes them: which ones, or how many; none given is nobody.
 *
 * @throws argument_invalid
 */
export function proxiesFrom(flags: readonly string[]): number | readonly string[] {
  const proxies = flags.flatMap((flag) => flag.split(',')).map((it) => it.trim());
  const [only = ''] = proxies;
  if (proxies.length === 1 && HOPS.test(only)) return Number(only);
  const unread = proxies.find((it) => !Proxies.safeParse(it).success);
  if (unread === undefined) return proxies;
  const fault = EVERYBODY.has(unread.toLowerCase())
    ? 'would let all callers choose their address: give the addresses or subnets of your proxies, or how many there are'
    : 'is no address, subnet, loopback, linklocal or uniquelocal; a number of proxies is 1 to 9 and stands alone';
  throw new VadeError('argument_invalid', `--trust-proxy “${unread}” ${fault}`, { flag: 'trust-proxy' });
}

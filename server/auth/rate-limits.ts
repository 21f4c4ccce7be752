import type { Response } from 'express';
import { ipKeyGenerator, MemoryStore, type Options } from 'express-rate-limit';
import { VadeError } from '../../compiler/schema/errors.ts';
import type { Identity } from './authenticate.ts';

/** Counts requests of this process; several instances count each for themselves. */
export interface RateLimits {
  /** One request of somebody who is known. @throws rate_limited */
  readonly countCaller: (identity: Identity, response: Response) => Promise<void>;
  /** One request of nobody in particular, by where it comes from. @throws rate_limited */
  readonly countAddress: (address: string, response: Response) => Promise<void>;
  /** One key or token that opens nothing; a good one from the same place is not held up by it. @throws rate_limited */
  readonly countFailure: (address: string, response: Response) => Promise<void>;
}

/** Requests a minute of one agent's key, unless the operator says otherwise: an agent that asks more is in a loop. */
const RATE_LIMIT = 600;

/** Administrators look at many agents; a wrong key is no accident for long. */
const ADMIN_FACTOR = 10;
const FAILURE_SHARE = 0.1;

const WINDOW_S = 60;
/** One subscriber has a whole /64 of IPv6 to himself. */
const IPV6_SUBNET = 64;

const unlimited = () => Promise.resolve();

/** @param perMinute requests of one agent's key; 0 for no limit at all */
export function rateLimits(perMinute = RATE_LIMIT): RateLimits {
  if (perMinute === 0) return { countCaller: unlimited, countAddress: unlimited, countFailure: unlimited };
  const agent = limiter('agent', perMinute);
  const admin = limiter('admin', perMinute * ADMIN_FACTOR);
  const address = limiter('address', perMinute);
  const failure = limiter('failure', Math.ceil(perMinute * FAILURE_SHARE));
  const subnet = (from: string) => ipKeyGenerator(from, IPV6_SUBNET);
  return {
    countCaller: (identity, response) => (identity.holder.kind === 'admin' ? admin : agent)(identity.id, response),
    countAddress: (from, response) => address(subnet(from), response),
    countFailure: (from, response) => failure(subnet(from), response),
  };
}

/** draft-ietf-httpapi-ratelimit-headers: the policy, and what is left of it. */
function limiter(name: string, quota: number) {
  const store = new MemoryStore();
  store.init({ windowMs: WINDOW_S * 1000 } as Options);
  const policy = `"${name}";q=${quota};w=${WINDOW_S}`;
  return async (key: string, response: Response): Promise<void> => {
    const { totalHits, resetTime } = await store.increment(key);
    const left = Math.max(quota - totalHits, 0);
    const seconds = Math.max(Math.ceil(((resetTime?.getTime() ?? 0) - Date.now()) / 1000), 1);
    response.setHeader('RateLimit-Policy', policy);
    response.setHeader('RateLimit', `"${name}";r=${left};t=${seconds}`);
    if (totalHits <= quota) return;
    response.setHeader('Retry-After', seconds);
    throw new VadeError('rate_limited', `more than ${quota} requests a minute; try again in ${seconds} s`);
  };
}

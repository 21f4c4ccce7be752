import type { Response } from 'express';
import { ipKeyGenerator, MemoryStore, type Options } from 'express-rate-limit';
import { VadeError } from '../../compiler/schema/errors.ts';
import type { Identity } from './authenticate.ts';

/** Rate limits of this process; each instance counts for itself. */
export interface RateLimits {
  /** Counts a request of an authenticated caller. @throws rate_limited */
  readonly countCaller: (identity: Identity, response: Response) => Promise<void>;
  /** Counts an anonymous request, by address. @throws rate_limited */
  readonly countAddress: (address: string, response: Response) => Promise<void>;
  /** Counts a failed authentication; valid keys from the same address are not affected. @throws rate_limited */
  readonly countFailure: (address: string, response: Response) => Promise<void>;
}

/** Default requests per minute for one agent's key: an agent that sends more is in a loop. */
const RATE_LIMIT = 600;

/** Administrators read many agents; repeated wrong keys are not accidental. */
const ADMIN_FACTOR = 10;
const FAILURE_SHARE = 0.1;

const WINDOW_S = 60;
/** One IPv6 subscriber usually has a whole /64. */
const IPV6_SUBNET = 64;

const unlimited = () => Promise.resolve();

/** @param perMinute requests per minute for one agent's key; 0 for no limit */
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

/** draft-ietf-httpapi-ratelimit-headers: the policy, and the requests left. */
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
    throw new VadeError('rate_limited', `more than ${quota} requests a minute; retry in ${seconds} s`);
  };
}

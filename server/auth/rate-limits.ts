import type { Response } from 'express';
import { ipKeyGenerator, MemoryStore, type Options } from 'express-rate-limit';
import { VadeError } from '../../compiler/schema/errors.ts';
import type { Identity } from './authenticate.ts';

/** A counted request, and what is left of its caller's quota. */
export interface Hit {
  readonly left: number;
  /** When the quota begins anew, in milliseconds since 1970. */
  readonly until: number;
  readonly isOver: boolean;
}

/** Counts a request against a quota, by the name of the limit and the caller. */
export type CountHit = (limit: string, quota: number, key: string) => Promise<Hit>;

/** Rate limits of this server; each instance counts for itself, and the workers of one instance count together. */
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

/**
 * @param perMinute requests per minute for one agent's key; 0 for no limit
 * @param count where requests are counted; default: in this process
 */
export function rateLimits(perMinute = RATE_LIMIT, count: CountHit = hitsHere()): RateLimits {
  if (perMinute === 0) return { countCaller: unlimited, countAddress: unlimited, countFailure: unlimited };
  const agent = limiter('agent', perMinute, count);
  const admin = limiter('admin', perMinute * ADMIN_FACTOR, count);
  const address = limiter('address', perMinute, count);
  const failure = limiter('failure', Math.ceil(perMinute * FAILURE_SHARE), count);
  const subnet = (from: string) => ipKeyGenerator(from, IPV6_SUBNET);
  return {
    countCaller: (identity, response) => (identity.holder.kind === 'admin' ? admin : agent)(identity.id, response),
    countAddress: (from, response) => address(subnet(from), response),
    countFailure: (from, response) => failure(subnet(from), response),
  };
}

/** Counts in the memory of this process. */
function hitsHere(): CountHit {
  const stores = new Map<string, MemoryStore>();
  const storeOf = (limit: string) => {
    const store = stores.get(limit) ?? new MemoryStore();
    if (!stores.has(limit)) store.init({ windowMs: WINDOW_S * 1000 } as Options);
    stores.set(limit, store);
    return store;
  };
  return async (limit, quota, key) => {
    const { totalHits, resetTime } = await storeOf(limit).increment(key);
    return { left: Math.max(quota - totalHits, 0), until: resetTime?.getTime() ?? 0, isOver: totalHits > quota };
  };
}

/** draft-ietf-httpapi-ratelimit-headers: the policy, and the requests left. */
function limiter(name: string, quota: number, count: CountHit) {
  const policy = `"${name}";q=${quota};w=${WINDOW_S}`;
  return async (key: string, response: Response): Promise<void> => {
    const { left, until, isOver } = await count(name, quota, key);
    const seconds = Math.max(Math.ceil((until - Date.now()) / 1000), 1);
    response.setHeader('RateLimit-Policy', policy);
    response.setHeader('RateLimit', `"${name}";r=${left};t=${seconds}`);
    if (!isOver) return;
    response.setHeader('Retry-After', seconds);
    throw new VadeError('rate_limited', `more than ${quota} requests a minute; retry in ${seconds} s`);
  };
}

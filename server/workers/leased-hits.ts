import { VadeError } from '../../compiler/schema/errors.ts';
import type { CountHit } from '../auth/rate-limits.ts';
import type { Lease, LeaseRequest } from './messages.ts';

/** What a worker knows of a caller's quota. */
interface Held {
  /** Requests that it may let pass by itself. */
  own: number;
  /** What is left for all workers, as far as is known. */
  readonly left: number;
  readonly until: number;
}

/** Most callers that are remembered; beyond it all are forgotten, and asked for again. */
const MAX_CALLERS = 50_000;

/**
 * Counts requests by leased parts of quotas, which the first process keeps.
 *
 * @param lease asks for the next part
 * @param now milliseconds since 1970
 */
export function leasedHits(lease: (request: LeaseRequest) => Promise<Lease>, now: () => number): CountHit {
  const held = new Map<string, Held>();
  const asked = new Map<string, Promise<Held>>();
  const ask = async (name: string, request: LeaseRequest): Promise<Held> => {
    try {
      const { granted, left, until } = await lease(request);
      if (held.size >= MAX_CALLERS) held.clear();
      const more: Held = { own: granted, left, until };
      held.set(name, more);
      return more;
    } catch {
      throw new VadeError('recall_backend_unavailable', 'the limits cannot be counted now; retry');
    } finally {
      asked.delete(name);
    }
  };
  const askOnce = (name: string, request: LeaseRequest): Promise<Held> => {
    const asking = asked.get(name) ?? ask(name, request);
    asked.set(name, asking);
    return asking;
  };
  return async (limit, quota, key) => {
    const name = `${limit} ${key}`;
    for (;;) {
      const known = held.get(name);
      const isCurrent = known !== undefined && now() < known.until && (known.own > 0 || known.left === 0);
      const it = isCurrent ? known : await askOnce(name, { limit, quota, key });
      if (it.own === 0 && it.left === 0) return { left: 0, until: it.until, isOver: true };
      if (it.own === 0) continue; // requests that waited for the same part have used it up
      it.own -= 1;
      return { left: it.own + it.left, until: it.until, isOver: false };
    }
  };
}

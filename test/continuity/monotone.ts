import type { RetrievedCapsule } from '../../compiler/continuity/schema/reading/retrieve.ts';
import type { Json } from './capsules.ts';

/** How much of the trust is told: nothing, the compact form, all. */
export const trustOf = ({ trust_signals }: RetrievedCapsule) =>
  trust_signals === null ? 0 : 'compact' in trust_signals ? 1 : 2;

/** Whether a value has nothing that another lacks: lists and texts may be cut at their end, members may be missing. */
function isWithin(small: unknown, large: unknown): boolean {
  if (small === undefined || small === null) return true;
  if (typeof small === 'string' && typeof large === 'string') return large.startsWith(small);
  if (Array.isArray(small)) return Array.isArray(large) && small.every((it, at) => isWithin(it, large[at]));
  if (typeof small !== 'object') return small === large;
  return Object.entries(small).every(([key, it]) => isWithin(it, (large as Json | undefined)?.[key]));
}

/** Whether a larger budget brings all that a smaller one brought of a capsule, and perhaps more. */
export function isMonotone(small: RetrievedCapsule | undefined, large: RetrievedCapsule | undefined): boolean {
  if (small === undefined) return true;
  if (large === undefined || trustOf(small) > trustOf(large)) return false;
  return isWithin({ ...small, trust_signals: null }, { ...large, trust_signals: null });
}

import type { TrustRoot } from '../schema/source/trust-root.ts';
import { byText } from './canonical.ts';
import { isKeyExpired } from './dsse.ts';

/**
 * The approvers whose every key has expired. A compile counts their approvals by the time of its commit; a reader counts
 * them by its own time, and refuses the bundle.
 *
 * @param approvers entity URIs, from the statements of a bundle
 * @param now ISO 8601
 * @returns entity URIs, sorted
 */
export function expiredApprovers(approvers: Iterable<string>, root: TrustRoot, now: string): string[] {
  const ids = Object.keys(root.keys);
  const hasExpired = (approver: string) => {
    const own = ids.filter((id) => root.keys[id]?.owner === approver);
    return own.length > 0 && own.every((id) => isKeyExpired(root, id, now));
  };
  return [...new Set(approvers)].filter(hasExpired).sort(byText);
}

import type { TrustRoot } from '../schema/source/trust-root.ts';

/**
 * Whether a trust root names an entity as administrator. Names are compared exactly. Under a development root without
 * administrators everyone is one: such a root is accepted only on the local machine (DESIGN §8).
 *
 * @param entity entity URI
 */
export function isAdministrator({ admins, development }: TrustRoot, entity: string): boolean {
  return admins.includes(entity) || (development === true && admins.length === 0);
}

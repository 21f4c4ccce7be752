import type { TrustRoot } from '../schema/source/trust-root.ts';

/**
 * Whether a trust root makes somebody an administrator: by the very name that it writes, whatever else looks alike. A
 * development root that names nobody lets anybody be one: it is believed on one machine alone (DESIGN §8).
 *
 * @param entity entity URI
 */
export function isAdministrator({ admins, development }: TrustRoot, entity: string): boolean {
  return admins.includes(entity) || (development === true && admins.length === 0);
}

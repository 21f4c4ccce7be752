import { createHmac, timingSafeEqual } from 'node:crypto';
import { decodeTime, ulid } from 'ulid';

const PATTERN = /^audi_([0-9A-HJKMNP-TV-Z]{26})_([A-Za-z0-9_-]{22})$/;
const MAC_BYTES = 16;

/** Makes and judges audit tokens: each carries its own MAC, so that any instance with the key can judge it. */
export interface AuditTokens {
  readonly issue: (agentId: string, now: number) => string;
  /** When the token was issued to this very agent, in milliseconds; null for any other text. */
  readonly issuedAt: (token: string, agentId: string) => number | null;
}

/**
 * `audi_<ulid>_<mac>`; the MAC binds the token to the agent it was issued to.
 *
 * @param key secret shared by all instances (`VADE_AUDIT_KEY`)
 */
export function auditTokens(key: Buffer): AuditTokens {
  const mac = (id: string, agentId: string) =>
    createHmac('sha256', key).update(`${id}\0${agentId}`).digest().subarray(0, MAC_BYTES);
  return {
    issue: (agentId, now) => {
      const id = ulid(now);
      return `audi_${id}_${mac(id, agentId).toString('base64url')}`;
    },
    issuedAt: (token, agentId) => {
      const [, id, presented] = PATTERN.exec(token) ?? [];
      if (id === undefined || presented === undefined) return null;
      const given = Buffer.from(presented, 'base64url');
      // the last letter has bits to spare: only the spelling that was issued counts
      if (given.toString('base64url') !== presented) return null;
      if (given.length !== MAC_BYTES || !timingSafeEqual(given, mac(id, agentId))) return null;
      return decodeTime(id);
    },
  };
}

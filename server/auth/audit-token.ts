import { createHmac, createSecretKey, timingSafeEqual, type KeyObject } from 'node:crypto';
import { decodeTime } from 'ulid';
import { newUlid } from '../ids.ts';

const PATTERN = /^audi_([0-9A-HJKMNP-TV-Z]{26})_([A-Za-z0-9_-]{22})$/;
const MAC_BYTES = 16;

/** Issues and verifies audit tokens: each carries its own MAC, so any instance with the key can verify it. */
export interface AuditTokens {
  readonly issue: (agentId: string, now: number) => string;
  /** When the token was issued to this agent, in milliseconds; null for any other text. */
  readonly issuedAt: (token: string, agentId: string) => number | null;
}

/**
 * `audi_<ulid>_<mac>`; the MAC binds the token to the agent it was issued to.
 *
 * @param secrets shared by all instances (`VADE_AUDIT_KEY`): the first one issues, all of them verify
 */
export function auditTokens(secrets: readonly [Buffer, ...Buffer[]]): AuditTokens {
  const [first, ...others] = secrets;
  const keys = [createSecretKey(first), ...others.map((it) => createSecretKey(it))] as const;
  const mac = (key: KeyObject, id: string, agentId: string) =>
    createHmac('sha256', key).update(`${id}\0${agentId}`).digest().subarray(0, MAC_BYTES);
  return {
    issue: (agentId, now) => {
      const id = newUlid(now);
      return `audi_${id}_${mac(keys[0], id, agentId).toString('base64url')}`;
    },
    issuedAt: (token, agentId) => {
      const [, id, presented] = PATTERN.exec(token) ?? [];
      if (id === undefined || presented === undefined) return null;
      const given = Buffer.from(presented, 'base64url');
      // the last character has unused bits: only the issued spelling is accepted
      if (given.toString('base64url') !== presented || given.length !== MAC_BYTES) return null;
      // every key is tried, so that the timing does not reveal which one matched
      const matching = keys.filter((key) => timingSafeEqual(given, mac(key, id, agentId)));
      return matching.length > 0 ? decodeTime(id) : null;
    },
  };
}

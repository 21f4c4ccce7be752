import { timingSafeEqual } from 'node:crypto';
import type { KeyHolder, KeyRecord, Permits } from '../schema/source/key-file.ts';
import { sha256 } from './canonical.ts';

const PATTERN = /^vade_([0-9a-z]{16})_([0-9a-f]{64})$/;

/**
 * Makes a bearer key: `vade_<id>_<secret>`. The secret is 256 random bits, so its plain sha256 is enough
 * at rest.
 *
 * @param random 40 random bytes: 8 for the id, 32 for the secret
 * @param permits what it is limited to; default: nothing
 */
export function newKey(holder: KeyHolder, name: string, now: string, random: Buffer, permits: Permits = {}) {
  const id = random.subarray(0, 8).toString('hex');
  const secret = random.subarray(8, 40).toString('hex');
  const record: KeyRecord = {
    id,
    name,
    holder,
    hash: sha256(secret),
    created_at: now,
    revoked_at: null,
    ...(Object.keys(permits).length > 0 && { permits }),
  };
  return { record, key: `vade_${id}_${secret}` };
}

/** The record of a presented key, compared in constant time; null if there is none or it is revoked. */
export function matchKey(presented: string, records: ReadonlyMap<string, KeyRecord>): KeyRecord | null {
  const [, id = '', secret = ''] = PATTERN.exec(presented) ?? [];
  const record = records.get(id);
  // an unknown ID takes as long as a wrong secret
  const expected = Buffer.from(record?.hash ?? sha256(''), 'hex');
  const matches = timingSafeEqual(Buffer.from(sha256(secret), 'hex'), expected);
  return matches && record?.revoked_at === null ? record : null;
}

import { createHmac, timingSafeEqual } from 'node:crypto';

/** Proves that a row of the spool is one that a server with the same key acknowledged. */
export interface SpoolSeal {
  readonly macOf: (row: string) => string;
  readonly isOwn: (row: string, mac: string) => boolean;
}

/** @param secrets `VADE_AUDIT_KEY`: the first seals, all verify, so that keys can be rotated while rows wait */
export function createSpoolSeal(secrets: readonly [Buffer, ...Buffer[]]): SpoolSeal {
  // the secrets are those of audit tokens, and no token may pass for a row
  const keys = secrets.map((it) => createHmac('sha256', it).update('vade-spool-1').digest());
  const [first = Buffer.alloc(0)] = keys;
  const macBy = (key: Buffer, row: string) => createHmac('sha256', key).update(row).digest('base64url');
  return {
    macOf: (row) => macBy(first, row),
    isOwn: (row, mac) => keys.some((key) => timingSafeEqual(Buffer.from(macBy(key, row)), Buffer.from(mac))),
  };
}

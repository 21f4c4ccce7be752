import { VadeError } from '../compiler/model/errors.ts';
import type { VerifiedHeartbeat } from '../compiler/model/heartbeat.ts';
import type { KeyRecord } from '../compiler/model/key.ts';
import type { Edition } from './edition.ts';
import type { Keyring } from './keys.ts';

export type Holder = KeyRecord['holder'];

/** Who is asking, as authentication found. */
export interface Identity {
  readonly holder: Holder;
  /** Names the key or the token's subject in limits and logs; never a secret. */
  readonly id: string;
  /** What the control plane vouches for; null with an opaque key. */
  readonly heartbeat: VerifiedHeartbeat | null;
}

/** Tells who a request comes from. */
export interface Authenticator {
  /**
   * @param authorization the header, as it came
   * @throws unauthenticated
   */
  readonly identify: (authorization: string | undefined) => Promise<Identity>;
}

/** One request to an operation: who asks, for which agent, and from what it is answered. */
export interface Asked {
  readonly identity: Identity;
  /** The id that the path names. */
  readonly agent: string;
  readonly edition: Edition;
}

const BEARER = /^Bearer ([\x21-\x7e]{1,8192})$/i;

/** Knows callers by their opaque keys. */
export function authenticator(keyring: Keyring): Authenticator {
  return {
    identify: (authorization) => {
      const presented = BEARER.exec(authorization ?? '')?.[1];
      const record = presented === undefined ? null : keyring.find(presented);
      if (!record) return Promise.reject(new VadeError('unauthenticated', 'send Authorization: Bearer <key>'));
      return Promise.resolve({ holder: record.holder, id: `key:${record.id}`, heartbeat: null });
    },
  };
}

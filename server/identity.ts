import { VadeError } from '../compiler/model/errors.ts';
import type { VerifiedHeartbeat } from '../compiler/model/heartbeat.ts';
import type { KeyRecord } from '../compiler/model/key.ts';
import type { Edition } from './edition.ts';
import { tokenVerifier, type TokenVerifierOptions } from './jwt.ts';
import type { Keyring } from './keys.ts';

export type Holder = KeyRecord['holder'];

/** Who is asking, as authentication found. */
export interface Identity {
  readonly holder: Holder;
  /** Names the key or the token's subject in limits and logs (`key:<id>`, `jwt:<sub>`); never a secret. */
  readonly id: string;
  /** What the control plane vouches for; null with an opaque key. */
  readonly heartbeat: VerifiedHeartbeat | null;
  /** When that was found, in milliseconds since 1970: what the caller may is judged at this instant. */
  readonly at: number;
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

/** Three parts in base64url; an opaque key has no dots. */
const JWT = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/;

/** Knows callers by their opaque keys, and by the tokens of the control plane that the trust root names. */
export function authenticator(keyring: Keyring, options: TokenVerifierOptions): Authenticator {
  const verify = tokenVerifier(options);
  return {
    identify: async (authorization) => {
      const presented = BEARER.exec(authorization ?? '')?.[1] ?? '';
      const at = options.now();
      if (JWT.test(presented)) {
        const sworn = await verify(presented);
        if (!sworn) throw unauthenticated();
        return { holder: sworn.holder, id: `jwt:${sworn.subject}`, heartbeat: sworn.heartbeat, at };
      }
      const record = keyring.find(presented);
      if (!record) throw unauthenticated();
      return { holder: record.holder, id: `key:${record.id}`, heartbeat: null, at };
    },
  };
}

/** One answer to everything that proves nothing. */
function unauthenticated(): VadeError {
  return new VadeError('unauthenticated', 'send Authorization: Bearer <key>');
}

import type { VerifiedHeartbeat } from '../../compiler/schema/api/heartbeat.ts';
import { VadeError } from '../../compiler/schema/errors.ts';
import type { KeyHolder, KeyRecord } from '../../compiler/schema/source/key-file.ts';
import type { TrustRoot } from '../../compiler/schema/source/trust-root.ts';
import { isAdministrator } from '../../compiler/trust/administrator.ts';
import { tokenVerifier, type TokenVerifierOptions } from './jwt.ts';
import type { Keyring } from './keyring.ts';

export type Holder = KeyHolder;

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

const BEARER = /^Bearer ([\x21-\x7e]{1,8192})$/i;

/** Three parts in base64url; an opaque key has no dots. */
const JWT = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/;

/**
 * Knows callers by their opaque keys, and by the tokens of the control plane that the trust root names. Both are judged
 * by the trust root in force at this very request: whoever it does not name any more is nobody, whatever key is left.
 */
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
      const holder = record && holderUnder(options.trust(), record);
      if (!record || !holder) throw unauthenticated();
      return { holder, id: `key:${record.id}`, heartbeat: null, at };
    },
  };
}

/** Whose a key is under a trust root; null for one whose holder it does not name. */
function holderUnder(trust: TrustRoot, { holder }: KeyRecord): Holder | null {
  if (holder.kind === 'admin') return isAdministrator(trust, holder.entity) ? holder : null;
  // by its id: another agent of the same short name is another agent
  return holder.kind === 'agent' ? { kind: 'agent', agent: holder.agent_id ?? holder.agent } : holder;
}

/** One answer to everything that proves nothing. */
function unauthenticated(): VadeError {
  return new VadeError('unauthenticated', 'send Authorization: Bearer <key>');
}

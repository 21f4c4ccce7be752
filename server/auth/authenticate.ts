import type { VerifiedHeartbeat } from '../../compiler/schema/api/heartbeat.ts';
import { VadeError } from '../../compiler/schema/errors.ts';
import type { KeyHolder, KeyRecord, Permits } from '../../compiler/schema/source/key-file.ts';
import type { TrustRoot } from '../../compiler/schema/source/trust-root.ts';
import { isAdministrator } from '../../compiler/trust/administrator.ts';
import { tokenVerifier, type TokenVerifierOptions } from './jwt.ts';
import type { Keyring } from './keyring.ts';

export type Holder = KeyHolder;

/** The authenticated caller. */
export interface Identity {
  readonly holder: Holder;
  /** Names the key or the token's subject in limits and logs (`key:<id>`, `jwt:<sub>`); never a secret. */
  readonly id: string;
  /** Verified by the control plane; null with an opaque key. */
  readonly heartbeat: VerifiedHeartbeat | null;
  /** When it was authenticated, in milliseconds since 1970; authorisation is decided at this instant. */
  readonly at: number;
  /** Limits of its key or token; absent for one without limits. */
  readonly permits?: Permits | undefined;
}

/** Identifies the caller of a request. */
export interface Authenticator {
  /**
   * @param authorization the raw header
   * @throws unauthenticated
   */
  readonly identify: (authorization: string | undefined) => Promise<Identity>;
}

const BEARER = /^Bearer {1,16}([\x21-\x7e]{1,8192})$/i;

/** Three parts in base64url; an opaque key has no dots. */
const JWT = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/;

/**
 * Identifies callers by opaque keys and by tokens of the trust root's control plane. Both are checked against the trust
 * root in force at the time of the request: a holder that it no longer names is refused, whatever key is left.
 */
export function authenticator(keyring: Keyring, options: TokenVerifierOptions): Authenticator {
  const verify = tokenVerifier(options);
  return {
    identify: async (authorization) => {
      const presented = BEARER.exec(authorization ?? '')?.[1] ?? '';
      const at = options.now();
      if (JWT.test(presented)) {
        let reason = '';
        const verified = await verify(presented, (why) => (reason = why));
        if (!verified) throw unauthenticated(`the token: ${reason}`);
        const { holder, subject, heartbeat, permits } = verified;
        return { holder, id: `jwt:${subject}`, heartbeat, at, permits };
      }
      const record = keyring.find(presented);
      const holder = record && holderUnder(options.trust(), record);
      if (!record) throw unauthenticated(presented === '' ? 'no bearer key or token' : 'the key is unknown or revoked');
      if (!holder) throw unauthenticated('the trust root does not name the holder of the key');
      return { holder, id: `key:${record.id}`, heartbeat: null, at, permits: record.permits };
    },
  };
}

/** The holder of a key under a trust root; null if the trust root does not name it. */
function holderUnder(trust: TrustRoot, { holder }: KeyRecord): Holder | null {
  if (holder.kind === 'admin') return isAdministrator(trust, holder.entity) ? holder : null;
  // by id: the same short name may belong to another agent later
  return holder.kind === 'agent' ? { kind: 'agent', agent: holder.agent_id ?? holder.agent } : holder;
}

/** The same error for every failed authentication. @param reason for the log alone */
function unauthenticated(reason: string): VadeError {
  const error = new VadeError('unauthenticated', 'send Authorization: Bearer <key>');
  error.cause = reason;
  return error;
}

import { createLocalJWKSet, decodeProtectedHeader, errors, jwtVerify, type JSONWebKeySet, type JWTPayload } from 'jose';
import { z } from 'zod';
import type { VerifiedHeartbeat } from '../../compiler/schema/api/heartbeat.ts';
import { Claims, Kid, type ControlPlane } from '../../compiler/schema/source/control-plane.ts';
import { Namespace, KeyScope, type KeyHolder, type Permits } from '../../compiler/schema/source/key-file.ts';
import type { TrustRoot } from '../../compiler/schema/source/trust-root.ts';
import { EntityUri } from '../../compiler/schema/uri.ts';
import { isAdministrator } from '../../compiler/trust/administrator.ts';
import { sha256 } from '../../compiler/trust/canonical.ts';

/** The verified content of a control-plane token. */
interface VerifiedToken {
  readonly holder: KeyHolder;
  /** The subject, as the token spells it. */
  readonly subject: string;
  readonly heartbeat: VerifiedHeartbeat | null;
  /** Its limits; absent without any. */
  readonly permits?: Permits | undefined;
}

/**
 * Verifies a token; null for an invalid one, whatever the reason.
 *
 * @param refused receives the reason, for the operator alone: words of ours, never of the token
 */
export type TokenVerifier = (token: string, refused?: (reason: string) => void) => Promise<VerifiedToken | null>;

export interface TokenVerifierOptions {
  /** The trust root in force now: it names the control plane, its keys, and who is an administrator. */
  readonly trust: () => TrustRoot;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** A longer token is refused unread. */
const MAX_TOKEN_CHARACTERS = 4096;

/** Allowed clock difference between control plane and server, in seconds. */
const CLOCK_SKEW_S = 30;

/** Maximum lifetime of a token from its issue, in seconds. */
const MAX_LIFETIME_S = 24 * 60 * 60;

/** Capacity of the cache of verified tokens, and its maximum age in milliseconds. */
const CACHE_SIZE = 4096;
const CACHE_MS = 60_000;

/** The allowed header: it selects a known key by name, and can never supply one. */
const Header = z.strictObject({
  alg: z.enum(['EdDSA', 'ES256']),
  kid: Kid,
  typ: z
    .string()
    .regex(/^(application\/)?(at\+)?jwt$/i)
    .optional(),
});

/**
 * Verifies the control plane's JWTs with the keys of the trust root in force (§21.1.5 S1, DESIGN §6.10). A verified
 * token is cached briefly, never beyond its expiry nor beyond a change of the trust root, so that a recall does not
 * wait for a signature check.
 */
export function tokenVerifier({ trust, now }: TokenVerifierOptions): TokenVerifier {
  let verifier = verifierOf(trust());
  return async (token, refused) => {
    const root = trust();
    if (verifier.root !== root) verifier = verifierOf(root);
    // if the trust root changes during the check, the token goes to the cache of the old one
    const { verify, cache } = verifier;
    const digest = sha256(token);
    const at = now();
    const known = cache.find(digest, at);
    if (known) return known;
    try {
      const { verified, exp } = await verify(token, at);
      cache.keep(digest, verified, at, exp);
      return verified;
    } catch (error) {
      refused?.(reasonOf(error));
      return null;
    }
  };
}

/** A token that is refused; the message has no word of the token. */
class TokenRefusal extends Error {}

/** Why a token is refused. A parser's own message about untrusted text is not passed on. */
function reasonOf(error: unknown): string {
  if (error instanceof TokenRefusal) return error.message;
  if (error instanceof errors.JWTExpired) return 'it has expired';
  if (error instanceof errors.JWTClaimValidationFailed) return `its claim ${error.claim} is missing or wrong`;
  if (error instanceof errors.JWKSNoMatchingKey) return 'the trust root has no key of its kid';
  if (error instanceof errors.JWSSignatureVerificationFailed) return 'its signature does not verify';
  return 'it cannot be read';
}

interface CheckedToken {
  readonly verified: VerifiedToken;
  /** Milliseconds since 1970. */
  readonly exp: number;
}

interface Verifier {
  readonly root: TrustRoot;
  readonly verify: (token: string, at: number) => Promise<CheckedToken>;
  readonly cache: TokenCache;
}

function verifierOf(root: TrustRoot): Verifier {
  const cache = createTokenCache();
  const { control_plane: plane } = root;
  const keys = plane && createLocalJWKSet(plane.jwks as JSONWebKeySet);
  const verify: Verifier['verify'] = async (token, at) => {
    if (token.length > MAX_TOKEN_CHARACTERS) throw new TokenRefusal('it is too long');
    if (!plane || !keys) throw new TokenRefusal('the trust root names no control plane');
    const header = Header.safeParse(decodeProtectedHeader(token));
    if (!header.success) throw new TokenRefusal('its header is not alg, kid and typ as they may be');
    const { payload } = await jwtVerify(token, keys, rulesAt(plane, at));
    return read(payload, root, at);
  };
  return { root, cache, verify };
}

function rulesAt({ issuer, audience }: ControlPlane, at: number) {
  return {
    algorithms: ['EdDSA', 'ES256'],
    issuer,
    audience,
    clockTolerance: CLOCK_SKEW_S,
    currentDate: new Date(at),
    requiredClaims: ['sub', 'exp'],
  };
}

/** Parses verified claims. @throws TokenRefusal if they exceed what a token may claim */
function read(payload: JWTPayload, root: TrustRoot, at: number): CheckedToken {
  const { data: claims, error } = Claims.safeParse(payload);
  if (!claims) throw new TokenRefusal(error.issues.map(ofIssue).join('; '));
  const { sub, exp, iat, nbf } = claims;
  const seconds = at / 1000;
  if (iat !== undefined && iat > seconds + CLOCK_SKEW_S) throw new TokenRefusal('its iat is in the future');
  if (exp - (iat ?? nbf ?? seconds) > MAX_LIFETIME_S) throw new TokenRefusal('it is valid for more than a day');
  const holder = holderOf(sub, root);
  if (!holder) throw new TokenRefusal('its sub is no administrator of the trust root');
  const verified = { holder, subject: sub, heartbeat: heartbeatIn(claims), permits: permitsIn(claims) };
  return { verified, exp: exp * 1000 };
}

/** A claim by its name in our schema, or a rule over several; the token's own values are left out. */
const ofIssue = ({ path: [claim], message }: z.core.$ZodIssue): string =>
  claim === undefined ? message : `its claim ${String(claim)} is missing or wrong`;

/** A token whose scope names nothing of this server may do nothing here. */
function permitsIn({ scope, namespaces, peers }: Claims): Permits | undefined {
  const words = scope?.split(' ');
  const permits = {
    ...(words && { scopes: KeyScope.options.filter((it) => words.includes(it)) }),
    ...(namespaces && { namespaces: Namespace.options.filter((it) => namespaces.includes(it)) }),
    ...(peers && { peers }),
  };
  return Object.keys(permits).length === 0 ? undefined : permits;
}

/** Only a subject that the trust root names is an administrator. */
function holderOf(sub: string, root: TrustRoot): KeyHolder | null {
  if (!EntityUri.safeParse(sub).success) return { kind: 'agent', agent: sub };
  return isAdministrator(root, sub) ? { kind: 'admin', entity: sub } : null;
}

function heartbeatIn({ heartbeat_id, session_start, wake_reason }: Claims): VerifiedHeartbeat | null {
  if (heartbeat_id === undefined || session_start === undefined) return null;
  return { heartbeat_id, session_start: Math.round(session_start * 1000), wake_reason: wake_reason ?? null };
}

/** A cache of verified tokens by digest: the token itself is never stored. */
interface TokenCache {
  readonly find: (digest: string, at: number) => VerifiedToken | null;
  readonly keep: (digest: string, verified: VerifiedToken, at: number, exp: number) => void;
}

/** Keeps the most recently used tokens. */
function createTokenCache(): TokenCache {
  const entries = new Map<
    string,
    { readonly verified: VerifiedToken; readonly from: number; readonly until: number }
  >();
  return {
    find: (digest, at) => {
      const known = entries.get(digest);
      if (!known) return null;
      entries.delete(digest);
      // a clock that was set back may have come before the token's beginning
      if (at < known.from || at >= known.until) return null;
      entries.set(digest, known);
      return known.verified;
    },
    keep: (digest, verified, at, exp) => {
      entries.set(digest, { verified, from: at, until: Math.min(exp, at + CACHE_MS) });
      if (entries.size <= CACHE_SIZE) return;
      for (const oldest of entries.keys()) {
        entries.delete(oldest);
        return;
      }
    },
  };
}

import { createLocalJWKSet, decodeProtectedHeader, jwtVerify, type JSONWebKeySet, type JWTPayload } from 'jose';
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

/** Verifies a token; null for an invalid one, whatever the reason. */
export type TokenVerifier = (token: string) => Promise<VerifiedToken | null>;

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
  return async (token) => {
    const root = trust();
    if (verifier.root !== root) verifier = verifierOf(root);
    // if the trust root changes during the check, the token goes to the cache of the old one
    const { verify, cache } = verifier;
    if (token.length > MAX_TOKEN_CHARACTERS) return null;
    const digest = sha256(token);
    const at = now();
    const known = cache.find(digest, at);
    if (known) return known;
    const checked = await verify(token, at);
    if (checked) cache.keep(digest, checked.verified, at, checked.exp);
    return checked?.verified ?? null;
  };
}

interface CheckedToken {
  readonly verified: VerifiedToken;
  /** Milliseconds since 1970. */
  readonly exp: number;
}

interface Verifier {
  readonly root: TrustRoot;
  readonly verify: (token: string, at: number) => Promise<CheckedToken | null>;
  readonly cache: TokenCache;
}

function verifierOf(root: TrustRoot): Verifier {
  const cache = createTokenCache();
  const { control_plane: plane } = root;
  if (!plane) return { root, cache, verify: () => Promise.resolve(null) };
  const keys = createLocalJWKSet(plane.jwks as JSONWebKeySet);
  const verify: Verifier['verify'] = async (token, at) => {
    try {
      Header.parse(decodeProtectedHeader(token));
      const { payload } = await jwtVerify(token, keys, rulesAt(plane, at));
      return read(payload, root, at);
    } catch {
      // a parser's message about untrusted text is not revealed: all refusals are alike
      return null;
    }
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

/** Parses verified claims; null if they exceed what a token may claim. */
function read(payload: JWTPayload, root: TrustRoot, at: number): CheckedToken | null {
  const claims = Claims.parse(payload);
  const { sub, exp, iat, nbf } = claims;
  const seconds = at / 1000;
  if (iat !== undefined && iat > seconds + CLOCK_SKEW_S) return null;
  if (exp - (iat ?? nbf ?? seconds) > MAX_LIFETIME_S) return null;
  const holder = holderOf(sub, root);
  if (!holder) return null;
  const verified = { holder, subject: sub, heartbeat: heartbeatIn(claims), permits: permitsIn(claims) };
  return { verified, exp: exp * 1000 };
}

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

import { createLocalJWKSet, decodeProtectedHeader, jwtVerify, type JSONWebKeySet, type JWTPayload } from 'jose';
import { z } from 'zod';
import type { VerifiedHeartbeat } from '../../compiler/schema/api/heartbeat.ts';
import { Claims, Kid, type ControlPlane } from '../../compiler/schema/source/control-plane.ts';
import type { KeyHolder } from '../../compiler/schema/source/key-file.ts';
import type { TrustRoot } from '../../compiler/schema/source/trust-root.ts';
import { EntityUri } from '../../compiler/schema/uri.ts';
import { isAdministrator } from '../../compiler/trust/administrator.ts';
import { sha256 } from '../../compiler/trust/canonical.ts';

/** What a token of the control plane proves. */
interface VerifiedToken {
  readonly holder: KeyHolder;
  /** The subject, as the token spells it. */
  readonly subject: string;
  readonly heartbeat: VerifiedHeartbeat | null;
}

/** Proves a token; null for one that proves nothing, whatever is wrong with it. */
export type TokenVerifier = (token: string) => Promise<VerifiedToken | null>;

export interface TokenVerifierOptions {
  /** The trust root in force now: it names the control plane, its keys, and who is an administrator. */
  readonly trust: () => TrustRoot;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** A longer token is not looked at. */
export const MAX_TOKEN_CHARACTERS = 4096;

/** By how many seconds the clocks of control plane and server may differ. */
export const CLOCK_SKEW_S = 30;

/** No token is believed for longer than these seconds, from when it was issued. */
export const MAX_LIFETIME_S = 24 * 60 * 60;

/** How many proven tokens are remembered, and for how many milliseconds at most. */
const REMEMBERED = 4096;
const REMEMBERED_MS = 60_000;

/** What may stand in a header: nothing in it ever says which key to believe, but for the name of one that is known. */
const Header = z.strictObject({
  alg: z.enum(['EdDSA', 'ES256']),
  kid: Kid,
  typ: z
    .string()
    .regex(/^(application\/)?(at\+)?jwt$/i)
    .optional(),
});

/**
 * Judges the control plane's JWTs by the keys of the trust root in force (§21.1.5 S1, DESIGN §6.10). A token that was
 * proven is remembered for a short while, never beyond its end nor beyond a change of the trust root, so that a recall
 * does not wait for a signature.
 */
export function tokenVerifier({ trust, now }: TokenVerifierOptions): TokenVerifier {
  let court = courtOf(trust());
  return async (token) => {
    const root = trust();
    if (court.root !== root) court = courtOf(root);
    // a root that comes while a signature is checked has a memory of its own
    const { judge, memory } = court;
    if (token.length > MAX_TOKEN_CHARACTERS) return null;
    const digest = sha256(token);
    const at = now();
    const known = memory.find(digest, at);
    if (known) return known;
    const judged = await judge(token, at);
    if (judged) memory.keep(digest, judged.sworn, at, judged.exp);
    return judged?.sworn ?? null;
  };
}

interface Judged {
  readonly sworn: VerifiedToken;
  /** Milliseconds since 1970. */
  readonly exp: number;
}

interface Verifier {
  readonly root: TrustRoot;
  readonly judge: (token: string, at: number) => Promise<Judged | null>;
  readonly memory: Memory;
}

function courtOf(root: TrustRoot): Verifier {
  const memory = openMemory();
  const { control_plane: plane } = root;
  if (!plane) return { root, memory, judge: () => Promise.resolve(null) };
  const keys = createLocalJWKSet(plane.jwks as JSONWebKeySet);
  const judge: Verifier['judge'] = async (token, at) => {
    try {
      Header.parse(decodeProtectedHeader(token));
      const { payload } = await jwtVerify(token, keys, rulesAt(plane, at));
      return read(payload, root, at);
    } catch {
      // whatever a stranger's text makes a parser say is not told: all refusals are alike
      return null;
    }
  };
  return { root, memory, judge };
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

/** What proven claims come to; null where they say more than may be believed. */
function read(payload: JWTPayload, root: TrustRoot, at: number): Judged | null {
  const claims = Claims.parse(payload);
  const { sub, exp, iat, nbf } = claims;
  const seconds = at / 1000;
  if (iat !== undefined && iat > seconds + CLOCK_SKEW_S) return null;
  if (exp - (iat ?? nbf ?? seconds) > MAX_LIFETIME_S) return null;
  const holder = holderOf(sub, root);
  return holder && { sworn: { holder, subject: sub, heartbeat: heartbeatIn(claims) }, exp: exp * 1000 };
}

/** Only whom the trust root itself names is an administrator. */
function holderOf(sub: string, root: TrustRoot): KeyHolder | null {
  if (!EntityUri.safeParse(sub).success) return { kind: 'agent', agent: sub };
  return isAdministrator(root, sub) ? { kind: 'admin', entity: sub } : null;
}

function heartbeatIn({ heartbeat_id, session_start, wake_reason }: Claims): VerifiedHeartbeat | null {
  if (heartbeat_id === undefined || session_start === undefined) return null;
  return { heartbeat_id, session_start: Math.round(session_start * 1000), wake_reason: wake_reason ?? null };
}

/** Proven tokens by their digest: a token itself is never kept. */
interface Memory {
  readonly find: (digest: string, at: number) => VerifiedToken | null;
  readonly keep: (digest: string, sworn: VerifiedToken, at: number, exp: number) => void;
}

/** Remembers the tokens that were asked for last. */
function openMemory(): Memory {
  const kept = new Map<string, { readonly sworn: VerifiedToken; readonly from: number; readonly until: number }>();
  return {
    find: (digest, at) => {
      const known = kept.get(digest);
      if (!known) return null;
      kept.delete(digest);
      // a clock that was set back may have come before the token's beginning
      if (at < known.from || at >= known.until) return null;
      kept.set(digest, known);
      return known.sworn;
    },
    keep: (digest, sworn, at, exp) => {
      kept.set(digest, { sworn, from: at, until: Math.min(exp, at + REMEMBERED_MS) });
      if (kept.size <= REMEMBERED) return;
      for (const oldest of kept.keys()) {
        kept.delete(oldest);
        return;
      }
    },
  };
}

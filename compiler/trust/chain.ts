import { generateKeyPairSync } from 'node:crypto';
import { VadeError } from '../model/errors.ts';
import { TRUST_ROOT_TYPE, TrustRoot } from '../model/trustroot.ts';
import { canonicalBytes, sha256 } from './canonical.ts';
import { openEnvelope, peekPayload, sealEnvelope, type Signer } from './dsse.ts';

/** A trust root together with the envelope it came in. */
export interface SealedRoot {
  readonly root: TrustRoot;
  readonly envelope: Buffer;
}

/** Reads a trust root and proves that it signed itself; whether to believe it is the caller's to know. */
export function readRoot(envelope: Buffer): SealedRoot {
  const root = parseRoot(peekPayload(envelope, TRUST_ROOT_TYPE));
  openEnvelope(envelope, TRUST_ROOT_TYPE, root, root.roles.root);
  return { root, envelope };
}

/**
 * Walks from the pinned root to the newest one offered (DESIGN §7): every step must be the next
 * version and signed by a threshold of the root before it and of itself.
 *
 * @param pinned what was handed in from outside
 * @param offered envelopes by version, as found in the sources or in a bundle
 */
export function walkChain(pinned: SealedRoot, offered: ReadonlyMap<number, Buffer>): SealedRoot {
  const same = offered.get(pinned.root.version);
  if (same && sha256(same) !== sha256(pinned.envelope)) {
    throw new VadeError('bundle_unverified', `trust root ${pinned.root.version} is not the pinned one`);
  }
  let current = pinned;
  for (;;) {
    const envelope = offered.get(current.root.version + 1);
    if (!envelope) return current;
    const next = readRoot(envelope);
    openEnvelope(envelope, TRUST_ROOT_TYPE, current.root, current.root.roles.root);
    assertSuccessor(current.root, next.root);
    current = next;
  }
}

function assertSuccessor(current: TrustRoot, next: TrustRoot): void {
  const follows =
    next.version === current.version + 1 &&
    next.deployment === current.deployment &&
    next.development === current.development;
  if (!follows)
    throw new VadeError('bundle_unverified', `trust root ${next.version} does not follow ${current.version}`);
}

/** Refuses a root whose time is over at `now` (ISO 8601). */
export function assertInForce(root: TrustRoot, now: string): void {
  if (root.expires !== null && Date.parse(root.expires) <= Date.parse(now)) {
    throw new VadeError('bundle_unverified', `trust root ${root.version} expired at ${root.expires}`);
  }
}

/**
 * A first root: one key signs roots, one (which may be the same) signs bundles.
 *
 * @param signers the private halves; only their public halves enter the root
 */
export function foundRoot(
  signers: { readonly root: Signer; readonly bundle: Signer },
  of: Pick<TrustRoot, 'deployment' | 'admins'> & { development?: true },
): SealedRoot {
  const root: TrustRoot = {
    version: 1,
    ...of,
    expires: null,
    commit_keys: [],
    keys: Object.fromEntries(Object.values(signers).map((it) => [it.keyid, { public: it.publicPem }])),
    roles: {
      root: { keyids: [signers.root.keyid], threshold: 1 },
      bundle: { keyids: [signers.bundle.keyid], threshold: 1 },
    },
  };
  return { root, envelope: sealEnvelope(TRUST_ROOT_TYPE, canonicalBytes(root), [signers.root]) };
}

/** A fresh Ed25519 private key in PEM (PKCS #8). */
export function newSigningKey(): string {
  const { privateKey } = generateKeyPairSync('ed25519');
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

function parseRoot(payload: Buffer): TrustRoot {
  try {
    return TrustRoot.parse(JSON.parse(payload.toString('utf8')));
  } catch {
    throw new VadeError('bundle_unverified', 'the envelope does not hold a trust root');
  }
}

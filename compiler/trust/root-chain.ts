import { generateKeyPairSync } from 'node:crypto';
import type { VadeError } from '../schema/errors.ts';
import { orNull } from '../schema/or-null.ts';
import { refuse } from '../schema/refusals.ts';
import { TRUST_ROOT_TYPE, TrustRoot } from '../schema/source/trust-root.ts';
import { canonicalBytes, sha256 } from './canonical.ts';
import { openEnvelope, peekPayload, signEnvelope, type Signer } from './dsse.ts';
import { readEnvelope } from './envelope.ts';
import { readPayload } from './read-payload.ts';

/** A trust root and its envelope. */
export interface SignedRoot {
  readonly root: TrustRoot;
  /** Canonical, however the file was checked out. */
  readonly envelope: Buffer;
}

/** Reads a trust root and verifies that its own keys signed it. The caller decides whether to trust it. */
export function readRoot(envelope: Buffer): SignedRoot {
  const root = readPayload(TrustRoot, peekPayload(envelope, TRUST_ROOT_TYPE), 'a trust root', 'trust_broken');
  openEnvelope(envelope, TRUST_ROOT_TYPE, root, root.roles.root, null);
  return { root, envelope: canonicalBytes(readEnvelope(envelope, TRUST_ROOT_TYPE)) };
}

/**
 * Follows the chain from the pinned root to the newest offered one (DESIGN §7): each root must have the next version
 * and be signed by a threshold of the previous root and of itself.
 *
 * @param pinned the trusted root, given from outside
 * @param offered untrusted envelopes by version, from the sources or a bundle
 */
export function walkChain(pinned: SignedRoot, offered: ReadonlyMap<number, Buffer>): SignedRoot {
  return chainFrom(pinned, offered).at(-1) ?? pinned;
}

/** Like `walkChain`, but returns every root of the chain, the pinned one first. */
export function chainFrom(pinned: SignedRoot, offered: ReadonlyMap<number, Buffer>): SignedRoot[] {
  const same = offered.get(pinned.root.version);
  if (same && !saysTheSame(same, pinned.envelope)) throw mismatch(pinned, same);
  const chain = [pinned];
  for (let current = pinned; ;) {
    const envelope = offered.get(current.root.version + 1);
    if (!envelope) {
      assertNoneBeyond(current, offered);
      return chain;
    }
    current = successorOf(current, envelope);
    chain.push(current);
  }
}

/**
 * Reads the next root of a chain: a threshold of the current one and of itself signed it, and it has the next version.
 *
 * @throws bundle_unverified
 */
export function successorOf(current: SignedRoot, envelope: Buffer): SignedRoot {
  const next = readRoot(envelope);
  openEnvelope(envelope, TRUST_ROOT_TYPE, current.root, current.root.roles.root, null);
  assertSuccessor(current.root, next.root);
  return next;
}

/** By the payload alone: nothing of the offered envelope is used. */
function saysTheSame(offered: Buffer, pinned: Buffer): boolean {
  const payload = orNull(() => peekPayload(offered, TRUST_ROOT_TYPE));
  return payload?.equals(peekPayload(pinned, TRUST_ROOT_TYPE)) === true;
}

/** Usually no attack: the wrong folder, or the wrong `--trust`. */
function mismatch({ root, envelope }: SignedRoot, offered: Buffer): VadeError {
  const { version, development = false } = root;
  const kind = isDevelopment(offered) ? 'a development root, and ' : '';
  const message = development
    ? `trust root ${version} is not the pinned one, which is the development root of this folder (.vade/)`
    : `trust root ${version} is ${kind}not the pinned one, which --trust gave`;
  const suggestion = development
    ? 'run where vade compile --dev was run, or run vade compile --dev here; for a bundle that is signed for production, give --trust in place of --dev'
    : adviceFor(offered);
  return refuse('trust_mismatch', message, { pinned: sha256(envelope), offered: sha256(offered), suggestion });
}

/** The offered root is untrusted: it only chooses between two pieces of advice. */
function adviceFor(offered: Buffer): string {
  if (isDevelopment(offered)) {
    return 'it was compiled with --dev: compile it with --trust and --key, or use --dev in place of --trust, in the folder where it was compiled';
  }
  return 'give --trust with a root of the deployment that compiled it, or compile it again under this one';
}

function isDevelopment(envelope: Buffer): boolean {
  return orNull(() => readRoot(envelope).root.development === true) ?? false;
}

/** A root after a gap may have revoked keys that the last root before it allows. */
function assertNoneBeyond({ root }: SignedRoot, offered: ReadonlyMap<number, Buffer>): void {
  const beyond = [...offered.keys()].filter((version) => version > root.version);
  if (beyond.length > 0) {
    throw refuse('trust_skipped', `trust root ${root.version + 1} is missing; there is one of version ${beyond[0]}`);
  }
}

function assertSuccessor(current: TrustRoot, next: TrustRoot): void {
  const follows =
    next.version === current.version + 1 &&
    next.deployment === current.deployment &&
    next.development === current.development;
  if (!follows) throw refuse('trust_broken', `trust root ${next.version} does not follow ${current.version}`);
}

/** Refuses a root that has expired, or is not yet valid, at `now` (ISO 8601). */
export function assertInForce(root: TrustRoot, now: string): void {
  const at = Date.parse(now);
  if (root.expires !== null && Date.parse(root.expires) <= at) {
    throw refuse('trust_expired', `trust root ${root.version} expired at ${root.expires}`);
  }
  if (root.valid_from !== null && Date.parse(root.valid_from) > at) {
    throw refuse('trust_expired', `trust root ${root.version} is not in force before ${root.valid_from}`);
  }
}

/** An administrator and one of their keys. */
export interface Admin extends Pick<Signer, 'keyid' | 'publicPem'> {
  readonly entity: string;
}

/**
 * Makes a first root: one key signs roots, one (which may be the same) signs bundles.
 *
 * @param signers the private keys; only their public keys go into the root
 */
export function foundRoot(
  signers: { readonly root: Signer; readonly bundle: Signer },
  of: { readonly deployment: string; readonly admins: readonly Admin[]; readonly development?: true },
): SignedRoot {
  const { admins, ...named } = of;
  const owned = admins.map((it) => [it.keyid, { public: it.publicPem, owner: it.entity }] as const);
  const root: TrustRoot = {
    version: 1,
    ...named,
    admins: [...new Set(admins.map((it) => it.entity))].sort(),
    valid_from: null,
    expires: null,
    commit_keys: [],
    thresholds: { approval: 1, withdrawal: 1, rollback: 1 },
    keys: {
      ...Object.fromEntries([signers.root, signers.bundle].map((it) => [it.keyid, { public: it.publicPem }])),
      ...Object.fromEntries(owned),
    },
    roles: {
      root: { keyids: [signers.root.keyid], threshold: 1 },
      bundle: { keyids: [signers.bundle.keyid], threshold: 1 },
    },
  };
  return { root, envelope: signEnvelope(TRUST_ROOT_TYPE, canonicalBytes(root), [signers.root]) };
}

/** A fresh Ed25519 private key in PEM (PKCS #8). */
export function newSigningKey(): string {
  const { privateKey } = generateKeyPairSync('ed25519');
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

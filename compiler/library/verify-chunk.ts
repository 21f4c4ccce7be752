import { resolve } from 'node:path';
import { readRegular } from '../io/files/file.ts';
import { MAX_ENVELOPE_BYTES } from '../schema/bundle/bundle.ts';
import { messageOf, VadeError } from '../schema/errors.ts';
import { readRoot, walkChain, type SignedRoot } from '../trust/root-chain.ts';
import { verifyChunk as verify } from '../trust/verify-chunk.ts';
import { pinnedRoot } from '../world/trust-keys.ts';
import type { DeploymentOptions } from './options.ts';
import { silentWorld, trustOf } from './silent-world.ts';

/** A chunk as an agent received it, from any server. */
export interface ReceivedChunk {
  readonly fact_uri: string;
  readonly content: string;
  /** `fallback_path` for the text of a legacy file; without it the text of the fact. */
  readonly source?: 'stigmem' | 'fallback_path';
}

export interface VerifyOptions extends DeploymentOptions {
  /** An `envelope` of the fact's `attestation_chain`: as JSON, parsed or not. */
  readonly envelope: unknown;
  /** Files of later trust roots, in any order; each is believed only as the successor of the one before it. */
  readonly successors?: readonly string[];
}

/** Garden of the text, or the reason why it is rejected, such as `digest_mismatch` or `key_unknown`. */
export type ChunkVerdict =
  | { readonly ok: true; readonly garden: string }
  | { readonly ok: false; readonly reason: string };

/**
 * Whether the keys of a deployment signed this text under this URI. It does not say whether the text is still in force.
 *
 * @throws VadeError `trust_required` or `bundle_unverified` where the trust roots themselves cannot be used; whatever
 * is wrong with chunk and envelope is a verdict
 */
export function verifyChunk(chunk: ReceivedChunk, options: VerifyOptions): ChunkVerdict {
  const world = silentWorld(options);
  const pinned = pinnedRoot(trustOf(options), world);
  const later = (options.successors ?? []).map((path) => readSuccessor(resolve(world.cwd, path)));
  const offered = new Map([pinned, ...later].map((it) => [it.root.version, it.envelope]));
  const { root } = walkChain(pinned, offered);
  return verify(chunk, bytesOf(options.envelope), root, world.now().toISOString());
}

function readSuccessor(path: string): SignedRoot {
  try {
    return readRoot(readRegular(path, MAX_ENVELOPE_BYTES));
  } catch (error) {
    if (error instanceof VadeError) throw error;
    throw new VadeError('trust_required', `${path} cannot be read: ${messageOf(error)}`);
  }
}

/** The bytes of an envelope. A value that cannot be written as JSON is no envelope, and is refused as such. */
function bytesOf(envelope: unknown): Buffer {
  if (envelope instanceof Uint8Array) return Buffer.from(envelope);
  if (typeof envelope === 'string') return Buffer.from(envelope);
  return Buffer.from(JSON.stringify(envelope ?? null));
}

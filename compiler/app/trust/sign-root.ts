import { createPublicKey } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { replaceFile } from '../../io/files/durable.ts';
import { MAX_ENVELOPE_BYTES } from '../../schema/bundle/bundle.ts';
import { VadeError } from '../../schema/errors.ts';
import { refuse } from '../../schema/refusals.ts';
import { TRUST_ROOT_TYPE, TrustRoot } from '../../schema/source/trust-root.ts';
import { MAX_UNIT_BYTES } from '../../schema/source/unit.ts';
import { textOfFile } from '../../schema/text-file.ts';
import { addSignature } from '../../trust/add-signature.ts';
import { canonicalBytes } from '../../trust/canonical.ts';
import { checkSignatures, peekPayload, signEnvelope, type Signer } from '../../trust/dsse.ts';
import { keyId } from '../../trust/public-key.ts';
import type { Arguments } from '../../world/flags/flag.ts';
import { pinnedRoot } from '../../world/trust-keys.ts';
import type { World } from '../../world/world.ts';
import { adminKey } from '../approve/admin-key.ts';
import type { TRUST_SIGN } from '../flags/trust.ts';
import { assertPublicKeys } from './control-plane.ts';
import { newestRoot } from './newest-root.ts';

type SignFlags = Arguments<typeof TRUST_SIGN>;

/** A draft with one more signature. */
interface SignedDraft {
  readonly effect: string;
  readonly version: number;
  /** Numbers of missing signatures: of the previous root's keys, and of the draft's own. */
  readonly missing: { readonly before: number; readonly own: number };
}

/**
 * Adds a signature to the next trust root, and writes it.
 *
 * @throws signing_key_required, trust_required, source_not_found, argument_invalid, already_exists, bundle_unverified,
 * output_failed
 */
export function signRoot(flags: SignFlags, world: World): SignedDraft {
  const signer = adminKey({ key: flags.key, trust: flags.trust, dev: false }, world);
  const pinned = pinnedRoot({ trust: flags.trust, dev: false }, world);
  const draft = readDraft(resolve(world.cwd, flags.draft), flags.draft);
  const { root: before } = newestRoot(pinned, resolve(world.cwd, flags.source), draft.version);
  assertNext(draft, before);
  assertStaysValid(draft, flags.draft, world);
  assertMaySign(signer, [before, draft]);
  const path = resolve(world.cwd, flags.out);
  const { bytes, change } = sign(path, flags.out, draft, signer);
  if (!flags['dry-run'] && change !== 'noop') replaceFile(path, bytes, { folders: true, limit: MAX_UNIT_BYTES });
  const effect = flags['dry-run'] ? `would_${change}` : DONE[change];
  const missing = { before: missingOf(bytes, before), own: missingOf(bytes, draft) };
  return { effect, version: draft.version, missing };
}

const DONE = { create: 'created', update: 'updated', noop: 'noop' } as const;

/** Untrusted input: the draft is edited by hand. @throws source_not_found, argument_invalid */
function readDraft(path: string, given: string): TrustRoot {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat?.isFile()) throw new VadeError('source_not_found', `${given} does not exist`);
  if (stat.size > MAX_ENVELOPE_BYTES) throw new VadeError('argument_invalid', `${given} is too large for a draft`);
  const parsed = TrustRoot.safeParse(parseJson(readFileSync(path), given));
  if (!parsed.success) {
    const faults = parsed.error.issues.map((it) => `${it.path.join('.')}: ${it.message}`);
    throw new VadeError('argument_invalid', `${given} is not a trust root: ${faults.join('; ')}`, { faults });
  }
  for (const [id, key] of Object.entries(parsed.data.keys)) assertPublicKey(id, key.public);
  if (parsed.data.control_plane) assertPublicKeys(parsed.data.control_plane);
  return parsed.data;
}

function parseJson(bytes: Buffer, given: string): unknown {
  try {
    return JSON.parse(textOfFile(bytes));
  } catch {
    throw new VadeError('argument_invalid', `${given} is not JSON`);
  }
}

/** The ID of a key must be its own, and the PEM must contain a public key and nothing else. */
function assertPublicKey(id: string, pem: string): void {
  try {
    const key = createPublicKey(pem);
    const same = key.export({ type: 'spki', format: 'pem' }).toString().trim() === pem.trim();
    if (same && key.asymmetricKeyType === 'ed25519' && keyId(key) === id) return;
  } catch {
    // reported below: the parser's message could quote the key
  }
  throw new VadeError('argument_invalid', `the entry ${id} is not an Ed25519 public key with that ID`);
}

/** Refuses to sign what a chain of trust roots would refuse. @throws bundle_unverified */
function assertNext(draft: TrustRoot, before: TrustRoot): void {
  if (draft.version !== before.version + 1) {
    throw refuse('trust_skipped', `the draft has version ${draft.version}; the next version is ${before.version + 1}`);
  }
  if (draft.deployment !== before.deployment || draft.development !== before.development) {
    throw refuse('trust_broken', `the draft belongs to another deployment than trust root ${before.version}`);
  }
}

/** A draft has the expiry of the root before it, which may be past. @throws argument_invalid */
function assertStaysValid({ expires }: TrustRoot, given: string, world: World): void {
  if (expires === null || Date.parse(expires) > world.now().getTime()) return;
  const suggestion = 'change "expires" to a later time, or to null for no limit';
  throw new VadeError('argument_invalid', `${given} expires at ${expires}, which is past`, { suggestion });
}

/** @throws signing_key_required */
function assertMaySign({ keyid }: Signer, roots: readonly TrustRoot[]): void {
  if (roots.some((root) => root.roles.root.keyids.includes(keyid))) return;
  throw new VadeError('signing_key_required', 'neither the previous root nor the draft lets this key sign roots');
}

/** The envelope with this signature added. @throws already_exists */
function sign(
  path: string,
  given: string,
  draft: TrustRoot,
  signer: Signer,
): { bytes: Buffer; change: keyof typeof DONE } {
  const payload = canonicalBytes(draft);
  if (!existsSync(path)) return { bytes: signEnvelope(TRUST_ROOT_TYPE, payload, [signer]), change: 'create' };
  const before = readFileSync(path);
  if (!peekPayload(before, TRUST_ROOT_TYPE).equals(payload)) {
    throw new VadeError('already_exists', `${given} contains another draft; remove it to start again`);
  }
  const bytes = addSignature(before, TRUST_ROOT_TYPE, signer);
  return { bytes, change: bytes.equals(before) ? 'noop' : 'update' };
}

/** Number of missing signatures of a root's keys. */
function missingOf(bytes: Buffer, root: TrustRoot): number {
  const { keyids, threshold } = root.roles.root;
  try {
    return Math.max(0, threshold - checkSignatures(bytes, TRUST_ROOT_TYPE, root, keyids, null).keyids.length);
  } catch (error) {
    if (error instanceof VadeError) return threshold;
    throw error;
  }
}

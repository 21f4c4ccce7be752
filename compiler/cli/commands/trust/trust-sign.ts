import { createPublicKey } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';
import { adminKey } from '../../../app/approve/admin-key.ts';
import { pinnedRoot } from '../../../app/world/trust-keys.ts';
import { MAX_ENVELOPE_BYTES } from '../../../schema/bundle/bundle.ts';
import { VadeError } from '../../../schema/errors.ts';
import { refuse } from '../../../schema/refusals.ts';
import { TRUST_ROOT_TYPE, TrustRoot } from '../../../schema/source/trust-root.ts';
import { addSignature } from '../../../trust/add-signature.ts';
import { canonicalBytes } from '../../../trust/canonical.ts';
import { checkSignatures, peekPayload, signEnvelope, type Signer } from '../../../trust/dsse.ts';
import { keyId } from '../../../trust/public-key.ts';
import { ADMIN_KEY } from '../../flags.ts';
import { BUNDLE_FLAGS, defineCommand, DRY_RUN } from '../../registry.ts';
import { chainIn, SOURCE } from './trust-chain.ts';
import { assertUsable } from './trust-control-plane.ts';

export const trustSignCommand = defineCommand({
  path: 'trust.sign',
  description: 'Sign the next trust root; it needs enough signatures of the previous root’s keys and of its own',
  danger: 'mutating',
  scopes: ['root:sign'],
  flags: {
    draft: { type: 'string', required: true, description: 'File of the draft' },
    out: { type: 'string', required: true, description: 'File of the signed root, such as instructions/trust/2.json' },
    ...ADMIN_KEY,
    trust: { ...BUNDLE_FLAGS.trust, required: true },
    source: SOURCE,
    'dry-run': DRY_RUN,
  },
  exits: ['PRECONDITION', 'NOT_FOUND', 'CONFLICT', 'PERMISSION_DENIED'],
  output: z.object({
    effect: z.enum(['created', 'updated', 'noop', 'would_create', 'would_update', 'would_noop']),
    version: z.int(),
    out: z.string(),
    missing: z.object({ before: z.int(), own: z.int() }),
  }),
  examples: [
    {
      description: 'Sign as a holder of a root key',
      command:
        'vade trust sign --draft draft.json --trust root.json --key root-key.pem --out instructions/trust/2.json',
    },
  ],
  run: async (args, world) => {
    const signer = adminKey({ ...args, dev: false }, world);
    const pinned = pinnedRoot({ ...args, dev: false }, world);
    const draft = readDraft(resolve(world.cwd, args.draft), args.draft);
    const { root: before } = chainIn(pinned, resolve(world.cwd, args.source), draft.version);
    assertNext(draft, before);
    assertMaySign(signer, [before, draft]);
    const path = resolve(world.cwd, args.out);
    const { bytes, change } = sign(path, args.out, draft, signer);
    if (!args['dry-run'] && change !== 'noop')
      (await import('../../../io/files/durable.ts')).replaceFile(path, bytes, { folders: true });
    const effect = args['dry-run'] ? `would_${change}` : DONE[change];
    const missing = { before: missingOf(bytes, before), own: missingOf(bytes, draft) };
    const left = `${missing.before} signature(s) of root ${before.version} and ${missing.own} of its own are missing`;
    const data = { effect, version: draft.version, out: args.out, missing };
    return { data, text: `${effect}: ${args.out}; ${missing.before + missing.own === 0 ? 'commit it' : left}` };
  },
});

const DONE = { create: 'created', update: 'updated', noop: 'noop' } as const;

/** Untrusted input: the draft is edited by hand. @throws source_not_found, argument_invalid */
function readDraft(path: string, given: string): TrustRoot {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat?.isFile()) throw new VadeError('source_not_found', `${given} does not exist`);
  if (stat.size > MAX_ENVELOPE_BYTES) throw new VadeError('argument_invalid', `${given} is too large for a draft`);
  const parsed = TrustRoot.safeParse(parseJson(readFileSync(path, 'utf8'), given));
  if (!parsed.success) {
    const faults = parsed.error.issues.map((it) => `${it.path.join('.')}: ${it.message}`);
    throw new VadeError('argument_invalid', `${given} is not a trust root: ${faults.join('; ')}`, { faults });
  }
  for (const [id, key] of Object.entries(parsed.data.keys)) assertPublicKey(id, key.public);
  if (parsed.data.control_plane) assertUsable(parsed.data.control_plane);
  return parsed.data;
}

function parseJson(text: string, given: string): unknown {
  try {
    return JSON.parse(text);
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

/** How many signatures of a root's keys are missing. */
function missingOf(bytes: Buffer, root: TrustRoot): number {
  const { keyids, threshold } = root.roles.root;
  try {
    return Math.max(0, threshold - checkSignatures(bytes, TRUST_ROOT_TYPE, root, keyids, null).keyids.length);
  } catch (error) {
    if (error instanceof VadeError) return threshold;
    throw error;
  }
}

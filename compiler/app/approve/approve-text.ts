import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { replaceFile } from '../../io/files/durable.ts';
import { VadeError } from '../../schema/errors.ts';
import { canonicalName, canonicalNames } from '../../schema/identity.ts';
import { APPROVAL_TYPE, Approval } from '../../schema/source/approval.ts';
import { MAX_UNIT_BYTES } from '../../schema/source/unit.ts';
import { addSignature } from '../../trust/add-signature.ts';
import { adminKeys, ownersOf, signApproval } from '../../trust/approval.ts';
import { canonicalBytes, sha256 } from '../../trust/canonical.ts';
import { claimedKeyIds, peekPayload, type Signer } from '../../trust/dsse.ts';
import type { World } from '../../world/world.ts';
import { noAdministrator } from './admin-key.ts';
import { inWorkingTree } from './open-site.ts';
import { readSubject, type SubjectDraft, type SubjectFlags } from './read-subject.ts';

/** An approval with one more signature. */
interface SignedApproval {
  readonly effect: string;
  /** Relative to the caller's folder. */
  readonly file: string;
  readonly value: string;
  readonly signatures: number;
  /** Number of administrators who must approve; null without a trust root. */
  readonly needed: number | null;
  /** The owner of the key; null without a trust root, as nobody was checked. */
  readonly by: string | null;
  /** The commits of the branch that the owner wrote, by ID, oldest first. */
  readonly commits: readonly string[];
  readonly notices: readonly string[];
}

/**
 * Signs an approval of the text at a ref, and writes it into the working tree.
 *
 * @throws signing_key_required, approval_required, already_exists, output_failed, and what reading the subject may
 */
export async function approveText(flags: SubjectFlags, signer: Signer, world: World): Promise<SignedApproval> {
  const draft = await readSubject(flags, world);
  const by = approverOf(signer, draft);
  const { note = null, expires = null } = flags;
  const approval = Approval.parse({ ...draft.subject, note, expires });
  const path = inWorkingTree(flags, world, 'approvals', fileName(approval));
  const { bytes, change } = addToFile(path, approval, signer);
  if (!flags['dry-run'] && change !== 'noop') replaceFile(path, bytes, { folders: true, limit: MAX_UNIT_BYTES });
  return {
    effect: flags['dry-run'] ? `would_${change}` : DONE[change],
    file: relative(world.cwd, path),
    value: approval.value,
    signatures: claimedKeyIds(bytes, APPROVAL_TYPE).length,
    needed: draft.needed,
    by,
    commits: by === null ? [] : draft.onBranch(by),
    notices: draft.notices,
  };
}

const DONE = { create: 'created', update: 'updated', noop: 'noop' } as const;

/**
 * The owner of the key, if a compile will count their approval; null without a trust root.
 *
 * @throws signing_key_required, approval_required
 */
function approverOf(signer: Signer, { trust, authors }: SubjectDraft): string | null {
  if (trust === null) return null;
  const admin = adminKeys(trust.root).includes(signer.keyid);
  const [by] = admin ? ownersOf(trust.root, [signer.keyid]) : [];
  if (by === undefined) throw noAdministrator(trust.root);
  if (canonicalNames(authors).has(canonicalName(by))) {
    const message = `${by} is an author of the text; another administrator must approve it`;
    const suggestion = 'ask one, or make somebody an administrator with vade trust draft --add-key <entity URI>=<PEM>';
    throw new VadeError('approval_required', message, { suggestion });
  }
  return by;
}

function fileName(approval: Approval): string {
  const digest = sha256(canonicalBytes(approval)).slice(0, 12);
  return `${[approval.garden, approval.unit ?? [], approval.kind, digest].flat().join('-')}.json`;
}

/** The file with this signature added: administrators who approve one text sign one file. @throws already_exists */
function addToFile(path: string, approval: Approval, signer: Signer): { bytes: Buffer; change: keyof typeof DONE } {
  if (!existsSync(path)) return { bytes: signApproval(approval, [signer]), change: 'create' };
  const before = readFileSync(path);
  if (!peekPayload(before, APPROVAL_TYPE).equals(canonicalBytes(approval))) {
    throw new VadeError('already_exists', `${path} contains another approval`);
  }
  const bytes = addSignature(before, APPROVAL_TYPE, signer);
  return { bytes, change: bytes.equals(before) ? 'noop' : 'update' };
}

import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { z } from 'zod';
import { adminKey, noAdministrator } from '../../../app/approve/admin-key.ts';
import type { ApprovalDraft } from '../../../app/approve/approval-subject.ts';
import { type Warning } from '../../../app/world/world.ts';
import { describeApprover } from '../../../build/approvals/branch-approvers.ts';
import { VadeError } from '../../../schema/errors.ts';
import { canonicalName, canonicalNames } from '../../../schema/identity.ts';
import { APPROVAL_TYPE, Approval, ApprovalKind, UNIT_KINDS } from '../../../schema/source/approval.ts';
import { addSignature } from '../../../trust/add-signature.ts';
import { adminKeys, ownersOf, signApproval } from '../../../trust/approval.ts';
import { canonicalBytes, sha256 } from '../../../trust/canonical.ts';
import { claimedKeyIds, peekPayload, type Signer } from '../../../trust/dsse.ts';
import { ADMIN_KEY } from '../../flags.ts';
import { BUNDLE_FLAGS, defineCommand, DRY_RUN, type Flags } from '../../registry.ts';

const { trust, dev } = BUNDLE_FLAGS;

const flags = {
  kind: { type: 'enum', required: true, values: ApprovalKind.options, description: 'What to approve' },
  agent: { type: 'string', id: true, required: true, description: 'Agent, by short name; or shared' },
  unit: { type: 'string', id: true, description: 'Unit; not for grant and skip_coverage_gate' },
  reader: { type: 'string', id: true, description: 'For grant: the agent that may read the garden' },
  note: { type: 'string', line: true, description: 'Result of the review; required for force_position' },
  expires: { type: 'string', description: 'ISO 8601 time at which the approval expires' },
  ...ADMIN_KEY,
  repo: { type: 'string', default: '.', description: 'Git repository' },
  source: { type: 'string', default: 'instructions', description: 'Folder of the sources' },
  ref: { type: 'string', default: 'HEAD', description: 'Commit whose text is approved' },
  base: { type: 'string', description: 'Branch that the ref will be merged into; default: the trunk' },
  'dry-run': DRY_RUN,
  trust,
  dev,
} as const satisfies Flags;

export const approveCommand = defineCommand({
  path: 'approve',
  description: 'Sign an approval of exact text as an administrator; commit the file it writes',
  danger: 'mutating',
  scopes: ['admin:sign'],
  flags,
  exits: ['PRECONDITION', 'NOT_FOUND', 'CONFLICT', 'PERMISSION_DENIED'],
  output: z.object({
    effect: z.enum(['created', 'updated', 'noop', 'would_create', 'would_update', 'would_noop']),
    file: z.string(),
    value: z.string(),
    by: z.string().nullable(),
    signatures: z.int(),
    needed: z.int().nullable(),
  }),
  examples: [
    {
      description: 'Let every recall return a unit',
      command: 'vade approve --kind guarantee_load --agent cto --unit limits --key ann.pem',
    },
  ],
  run: async (args, world) => {
    const signer = adminKey({ ...args, dev: false }, world);
    checkFlags(args, world.now());
    const { readSubject } = await import('../../../app/approve/approval-subject.ts');
    const { inWorkingTree } = await import('../../../app/approve/approval-sources.ts');
    const draft = await readSubject(args, world);
    const { by, warnings } = checkApprover(signer, draft);
    const { note = null, expires = null } = args;
    const approval = Approval.parse({ ...draft.subject, note, expires });
    const path = inWorkingTree(args, world, 'approvals', fileName(approval));
    const { bytes, change } = addToFile(path, approval, signer);
    if (!args['dry-run'] && change !== 'noop')
      (await import('../../../io/files/durable.ts')).replaceFile(path, bytes, { folders: true });
    const signatures = claimedKeyIds(bytes, APPROVAL_TYPE).length;
    const { needed } = draft;
    const file = relative(world.cwd, path);
    const effect = args['dry-run'] ? `would_${change}` : DONE[change];
    return {
      data: { effect, file, value: approval.value, by, signatures, needed },
      text: `${effect}: ${file}, ${signatures} of ${needed ?? '?'} signature(s); commit it`,
      warnings: [...warnings, ...draft.notices.map((message) => ({ code: 'SOURCE_NOTICE', message }))],
    };
  },
});

const DONE = { create: 'created', update: 'updated', noop: 'noop' } as const;

interface ApprovalFlags {
  readonly kind: ApprovalKind;
  readonly unit: string | undefined;
  readonly reader: string | undefined;
  readonly note: string | undefined;
  readonly expires: string | undefined;
}

/** Checks which flags the kind requires and which it does not take. @throws argument_invalid */
function checkFlags({ kind, unit, reader, note, expires }: ApprovalFlags, now: Date): void {
  const problems: string[] = [];
  const ofUnit = (UNIT_KINDS as readonly string[]).includes(kind);
  if (ofUnit !== (unit !== undefined)) problems.push(`--kind ${kind} ${ofUnit ? 'needs' : 'does not take'} --unit`);
  if ((kind === 'grant') !== (reader !== undefined))
    problems.push('--kind grant needs --reader; other kinds do not take it');
  // §21.3.3 S6: an administrator who puts a unit first must have reviewed it
  if (kind === 'force_position' && (note ?? '').trim() === '') problems.push('--kind force_position needs a --note');
  if (!Approval.shape.note.safeParse(note ?? null).success) problems.push('--note is longer than 2000 characters');
  if (!Approval.shape.expires.safeParse(expires ?? null).success)
    problems.push('--expires is not an ISO 8601 time in UTC');
  else if (expires !== undefined && Date.parse(expires) <= now.getTime()) problems.push('--expires is in the past');
  if (problems.length > 0) throw new VadeError('argument_invalid', problems.join('; '), { faults: problems });
}

/** The owner of the key, if a compile will count their approval. @throws signing_key_required, approval_required */
function checkApprover(
  signer: Signer,
  { trust: root, authors, onBranch }: ApprovalDraft,
): { by: string | null; warnings: readonly Warning[] } {
  const admin = root !== null && adminKeys(root.root).includes(signer.keyid);
  const [by = null] = root && admin ? ownersOf(root.root, [signer.keyid]) : [];
  if (by !== null && canonicalNames(authors).has(canonicalName(by))) {
    throw new VadeError('approval_required', `${by} is an author of the text; another administrator must approve it`);
  }
  if (by !== null) return { by, warnings: warningsOf(by, onBranch(by)) };
  if (root === null) {
    const message = 'the owner of this key was not checked, nor whether they are an author of the text; give --trust';
    return { by, warnings: [{ code: 'APPROVER_UNKNOWN', message }] };
  }
  throw noAdministrator(root.root);
}

/** After a squash merge, the commits may no longer show that the approver wrote part of the text. */
function warningsOf(by: string, commits: readonly string[]): Warning[] {
  return commits.length === 0 ? [] : [{ code: 'APPROVER_ON_BRANCH', message: describeApprover(by, commits) }];
}

function fileName(approval: Approval): string {
  const digest = sha256(canonicalBytes(approval)).slice(0, 12);
  return `${[approval.garden, approval.unit ?? [], approval.kind, digest].flat().join('-')}.json`;
}

/** The file with this signature added: administrators who approve the same text sign one file. @throws already_exists */
function addToFile(path: string, approval: Approval, signer: Signer): { bytes: Buffer; change: keyof typeof DONE } {
  if (!existsSync(path)) return { bytes: signApproval(approval, [signer]), change: 'create' };
  const before = readFileSync(path);
  if (!peekPayload(before, APPROVAL_TYPE).equals(canonicalBytes(approval))) {
    throw new VadeError('already_exists', `${path} contains another approval`);
  }
  const bytes = addSignature(before, APPROVAL_TYPE, signer);
  return { bytes, change: bytes.equals(before) ? 'noop' : 'update' };
}

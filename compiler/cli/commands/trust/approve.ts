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
  kind: { type: 'enum', required: true, values: ApprovalKind.options, description: 'What to say yes to' },
  agent: { type: 'string', id: true, required: true, description: 'Agent whose garden it is in, by name; or shared' },
  unit: { type: 'string', id: true, description: 'Unit; not for grant and skip_coverage_gate' },
  reader: { type: 'string', id: true, description: 'For grant: the agent that may read the garden' },
  note: { type: 'string', line: true, description: 'What the review found; force_position needs it' },
  expires: { type: 'string', description: 'ISO 8601 instant from which it does not count' },
  ...ADMIN_KEY,
  repo: { type: 'string', default: '.', description: 'Git repository' },
  source: { type: 'string', default: 'instructions', description: 'Folder of the sources' },
  ref: { type: 'string', default: 'HEAD', description: 'Commit whose text is approved' },
  base: { type: 'string', description: 'Branch that it will be merged into; by default the trunk' },
  'dry-run': DRY_RUN,
  trust,
  dev,
} as const satisfies Flags;

export const approveCommand = defineCommand({
  path: 'approve',
  description: 'Approve, as an administrator, exactly what a commit asks for; commit the file it writes',
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
      description: 'Let a unit come with every recall',
      command: 'vade approve --kind guarantee_load --agent cto --unit limits --key ann.pem',
    },
  ],
  run: async (args, world) => {
    const signer = adminKey({ ...args, dev: false }, world);
    checkFlags(args, world.now());
    const { readSubject } = await import('../../../app/approve/approval-subject.ts');
    const { inWorkingTree } = await import('../../../app/approve/approval-sources.ts');
    const asked = await readSubject(args, world);
    const { by, warnings } = judge(signer, asked);
    const { note = null, expires = null } = args;
    const approval = Approval.parse({ ...asked.subject, note, expires });
    const path = inWorkingTree(args, world, 'approvals', fileName(approval));
    const { bytes, change } = filed(path, approval, signer);
    if (!args['dry-run'] && change !== 'noop')
      (await import('../../../io/files/durable.ts')).replaceFile(path, bytes, { folders: true });
    const signatures = claimedKeyIds(bytes, APPROVAL_TYPE).length;
    const { needed } = asked;
    const file = relative(world.cwd, path);
    const effect = args['dry-run'] ? `would_${change}` : DONE[change];
    return {
      data: { effect, file, value: approval.value, by, signatures, needed },
      text: `${effect}: ${file}, ${signatures} of ${needed ?? '?'} signature(s); commit it`,
      warnings: [...warnings, ...asked.notices.map((message) => ({ code: 'SOURCE_NOTICE', message }))],
    };
  },
});

const DONE = { create: 'created', update: 'updated', noop: 'noop' } as const;

interface Given {
  readonly kind: ApprovalKind;
  readonly unit: string | undefined;
  readonly reader: string | undefined;
  readonly note: string | undefined;
  readonly expires: string | undefined;
}

/** What the kinds need, and what they have no use for. @throws argument_invalid */
function checkFlags({ kind, unit, reader, note, expires }: Given, now: Date): void {
  const faults: string[] = [];
  const ofUnit = (UNIT_KINDS as readonly string[]).includes(kind);
  if (ofUnit !== (unit !== undefined)) faults.push(`--kind ${kind} ${ofUnit ? 'needs' : 'has no'} --unit`);
  if ((kind === 'grant') !== (reader !== undefined)) faults.push('--reader belongs to --kind grant, which needs it');
  // §21.3.3 S6: who puts a unit first has read it, and says so
  if (kind === 'force_position' && (note ?? '').trim() === '') faults.push('--kind force_position needs a --note');
  if (!Approval.shape.note.safeParse(note ?? null).success) faults.push('--note is longer than 2000 characters');
  if (!Approval.shape.expires.safeParse(expires ?? null).success)
    faults.push('--expires is no ISO 8601 instant in UTC');
  else if (expires !== undefined && Date.parse(expires) <= now.getTime()) faults.push('--expires is over already');
  if (faults.length > 0) throw new VadeError('argument_invalid', faults.join('; '), { faults });
}

/** Who the key belongs to, and whether a compile will listen to them. @throws signing_key_required, approval_required */
function judge(
  signer: Signer,
  { trust: root, authors, onBranch }: ApprovalDraft,
): { by: string | null; warnings: readonly Warning[] } {
  const admin = root !== null && adminKeys(root.root).includes(signer.keyid);
  const [by = null] = root && admin ? ownersOf(root.root, [signer.keyid]) : [];
  if (by !== null && canonicalNames(authors).has(canonicalName(by))) {
    throw new VadeError('approval_required', `${by} is an author of it; another administrator has to approve it`);
  }
  if (by !== null) return { by, warnings: warningsOf(by, onBranch(by)) };
  if (root === null) {
    const message = 'the owner of this key is unknown, and so is whether they wrote the text; give --trust';
    return { by, warnings: [{ code: 'APPROVER_UNKNOWN', message }] };
  }
  throw noAdministrator(root.root);
}

/** Whoever worked on a branch may have written more of it than its commits will say when they are squashed. */
function warningsOf(by: string, commits: readonly string[]): Warning[] {
  return commits.length === 0 ? [] : [{ code: 'APPROVER_ON_BRANCH', message: describeApprover(by, commits) }];
}

function fileName(approval: Approval): string {
  const digest = sha256(canonicalBytes(approval)).slice(0, 12);
  return `${[approval.garden, approval.unit ?? [], approval.kind, digest].flat().join('-')}.json`;
}

/** The file with this signature: administrators who approve the very same thing sign one file. @throws already_exists */
function filed(path: string, approval: Approval, signer: Signer): { bytes: Buffer; change: keyof typeof DONE } {
  if (!existsSync(path)) return { bytes: signApproval(approval, [signer]), change: 'create' };
  const before = readFileSync(path);
  if (!peekPayload(before, APPROVAL_TYPE).equals(canonicalBytes(approval))) {
    throw new VadeError('already_exists', `${path} is another approval`);
  }
  const bytes = addSignature(before, APPROVAL_TYPE, signer);
  return { bytes, change: bytes.equals(before) ? 'noop' : 'update' };
}

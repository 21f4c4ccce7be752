import { z } from 'zod';
import { adminKey } from '../../../app/approve/admin-key.ts';
import type { approveText } from '../../../app/approve/approve-text.ts';
import type { Warning } from '../../../app/world/world.ts';
import { describeApprover } from '../../../build/approvals/branch-approvers.ts';
import { VadeError } from '../../../schema/errors.ts';
import { Approval, ApprovalKind, ROLE_KINDS, UNIT_KINDS } from '../../../schema/source/approval.ts';
import { CAPABILITIES } from '../../../schema/uri.ts';
import { ADMIN_KEY, MODELS } from '../../flags.ts';
import { BUNDLE_FLAGS, defineCommand, DRY_RUN, type Flags } from '../../registry.ts';

const { trust, dev } = BUNDLE_FLAGS;

const flags = {
  kind: { type: 'enum', required: true, values: ApprovalKind.options, description: 'What to approve' },
  agent: { type: 'string', id: true, description: 'Agent, by short name; or shared; not for role and bypass' },
  unit: { type: 'string', id: true, description: 'Unit; only for kinds that concern one' },
  role: { type: 'string', id: true, description: 'For role and bypass: the role' },
  reader: { type: 'string', id: true, description: 'For grant: the agent that may read the garden' },
  note: { type: 'string', line: true, description: 'Result of the review; required for force_position, bypass' },
  expires: { type: 'string', description: 'ISO 8601 time at which it expires' },
  ...ADMIN_KEY,
  repo: { type: 'string', default: '.', description: 'Git repository' },
  source: { type: 'string', default: 'instructions', description: 'Folder of the sources' },
  ref: { type: 'string', default: 'HEAD', description: 'Commit whose text is approved' },
  base: { type: 'string', description: 'Branch that the ref will be merged into; default: the trunk' },
  models: MODELS,
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
    {
      description: 'Put a role in force as it is',
      command: 'vade approve --kind role --role edit-local --key ann.pem',
    },
  ],
  run: async (args, world) => {
    const signer = adminKey({ ...args, dev: false }, world);
    checkFlags(args, world.now());
    const { approveText } = await import('../../../app/approve/approve-text.ts');
    const signed = await approveText({ ...args, agent: args.agent ?? CAPABILITIES }, signer, world);
    const { effect, file, value, by, signatures, needed } = signed;
    return {
      data: { effect, file, value, by, signatures, needed },
      text: `${effect}: ${file}, ${signatures} of ${needed ?? '?'} signature(s); commit it`,
      warnings: warningsOf(signed),
    };
  },
});

interface ApprovalFlags {
  readonly kind: ApprovalKind;
  readonly agent: string | undefined;
  readonly role: string | undefined;
  readonly unit: string | undefined;
  readonly reader: string | undefined;
  readonly note: string | undefined;
  readonly expires: string | undefined;
}

/** Checks which flags the kind requires and which it does not take. @throws argument_invalid */
function checkFlags({ kind, agent, role, unit, reader, note, expires }: ApprovalFlags, now: Date): void {
  const problems: string[] = [];
  const ofUnit = (UNIT_KINDS as readonly string[]).includes(kind);
  if (ofUnit !== (unit !== undefined)) problems.push(`--kind ${kind} ${ofUnit ? 'needs' : 'does not take'} --unit`);
  const ofRole = (ROLE_KINDS as readonly string[]).includes(kind);
  if (ofRole !== (role !== undefined)) problems.push(`--kind ${kind} ${ofRole ? 'needs' : 'does not take'} --role`);
  if (ofRole === (agent !== undefined)) problems.push(`--kind ${kind} ${ofRole ? 'does not take' : 'needs'} --agent`);
  // whoever keeps a switch for a gate says why
  if (kind === 'bypass' && (note ?? '').trim() === '') problems.push('--kind bypass needs a --note');
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

type Signed = Awaited<ReturnType<typeof approveText>>;

function warningsOf({ by, commits, notices }: Signed): Warning[] {
  return [...approverWarnings(by, commits), ...notices.map((message) => ({ code: 'SOURCE_NOTICE', message }))];
}

/** After a squash merge, the commits may no longer show that the approver wrote part of the text. */
function approverWarnings(by: string | null, commits: readonly string[]): Warning[] {
  if (by === null) {
    const message = 'the owner of this key was not checked, nor whether they are an author of the text; give --trust';
    return [{ code: 'APPROVER_UNKNOWN', message }];
  }
  return commits.length === 0 ? [] : [{ code: 'APPROVER_ON_BRANCH', message: describeApprover(by, commits) }];
}

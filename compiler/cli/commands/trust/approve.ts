import { z } from 'zod';
import { adminKey } from '../../../app/approve/admin-key.ts';
import type { approveText } from '../../../app/approve/approve-text.ts';
import { APPROVE } from '../../../app/flags/trust.ts';
import { describeApprover } from '../../../gardens/approvals/branch-approvers.ts';
import { VadeError } from '../../../schema/errors.ts';
import { Approval, ROLE_KINDS, UNIT_KINDS } from '../../../schema/source/approval.ts';
import { CAPABILITIES } from '../../../schema/uri.ts';
import type { Arguments } from '../../../world/flags/flag.ts';
import type { Warning } from '../../../world/world.ts';
import { defineCommand } from '../../registry.ts';

export const approveCommand = defineCommand({
  path: 'approve',
  description: 'Sign an approval of exact text as an administrator; commit the file it writes',
  danger: 'mutating',
  scopes: ['admin:sign'],
  flags: APPROVE,
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

/** Checks which flags the kind requires and which it does not take. @throws argument_invalid */
function checkFlags({ kind, agent, role, unit, reader, note, expires }: Arguments<typeof APPROVE>, now: Date): void {
  const problems: string[] = [];
  const ofUnit = (UNIT_KINDS as readonly string[]).includes(kind);
  if (ofUnit !== (unit !== undefined)) problems.push(`--kind ${kind} ${ofUnit ? 'needs' : 'does not take'} --unit`);
  const ofRole = (ROLE_KINDS as readonly string[]).includes(kind);
  if (ofRole !== (role !== undefined)) problems.push(`--kind ${kind} ${ofRole ? 'needs' : 'does not take'} --role`);
  if (ofRole === (agent !== undefined)) problems.push(`--kind ${kind} ${ofRole ? 'does not take' : 'needs'} --agent`);
  // a switch for a gate needs a reason
  if (kind === 'bypass' && (note ?? '').trim() === '') problems.push('--kind bypass needs a --note');
  if ((kind === 'grant') !== (reader !== undefined))
    problems.push('--kind grant needs --reader; other kinds do not take it');
  // §21.3.3 S6: an administrator who puts a unit first must have reviewed it
  if (kind === 'force_position' && (note ?? '').trim() === '') problems.push('--kind force_position needs a --note');
  if (!Approval.shape.note.safeParse(note ?? null).success) problems.push('--note is longer than 2000 characters');
  if (!Approval.shape.expires.safeParse(expires ?? null).success)
    problems.push('--expires must be an ISO 8601 time in UTC');
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

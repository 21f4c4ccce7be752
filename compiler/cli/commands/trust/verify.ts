import { z } from 'zod';
import { VERIFY } from '../../../app/flags/trust.ts';
import { VadeError } from '../../../schema/errors.ts';
import { REFUSALS, type Refusal } from '../../../schema/refusals.ts';
import { defineCommand } from '../../registry.ts';

const Reason = z.enum(Object.keys(REFUSALS) as [Refusal, ...Refusal[]]);

const Step = z.object({
  step: z.enum(['trust', 'garden', 'approvals', 'certificate', 'lineage', 'withdrawals', 'freshness', 'rollback']),
  of: z.string(),
  status: z.enum(['ok', 'warning', 'failed']),
  reason: Reason.nullable(),
  message: z.string(),
});

type Step = z.infer<typeof Step>;

export const verifyCommand = defineCommand({
  path: 'verify',
  description: 'Verify a whole bundle: trust, every file, approvals, certificates and sidecar files',
  danger: 'safe',
  flags: VERIFY,
  exits: ['PRECONDITION', 'NOT_FOUND', 'PERMISSION_DENIED'],
  output: z.object({ revision: z.string(), steps: z.array(Step) }),
  examples: [
    { description: 'Everything', command: 'vade verify --trust root.json' },
    { description: 'One garden', command: 'vade verify --trust root.json --agent cto' },
  ],
  run: async (args, world) => {
    const { verifyWhole } = await import('../../../app/trust/verify-whole.ts');
    const { revision, steps } = await verifyWhole(args, world);
    const failed = steps.filter((it) => it.status === 'failed');
    const lines = steps.map((it) => `${it.status.padEnd(7)} ${it.step} ${it.of}: ${it.message}`);
    if (failed.length > 0) {
      world.say(lines);
      const message = `${failed.length} of ${steps.length} steps failed: ${failed[0]?.message ?? ''}`;
      throw new VadeError('bundle_unverified', message, { reason: failed[0]?.reason ?? null, revision, steps });
    }
    const doubtful = steps.filter((it) => it.status === 'warning');
    const warnings = doubtful.map((it) => ({ code: codeOf(it.step), message: `${it.of}: ${it.message}`, context: it }));
    return { data: { revision, steps }, text: lines, warnings };
  },
});

const CODES: Readonly<Partial<Record<Step['step'], string>>> = {
  rollback: 'ROLLBACK_OVER',
  withdrawals: 'WITHDRAWAL_INVALID',
};

function codeOf(step: Step['step']): string {
  return CODES[step] ?? 'RECERTIFICATION_DUE';
}

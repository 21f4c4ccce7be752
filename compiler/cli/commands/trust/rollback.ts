import { z } from 'zod';
import type { planRollback } from '../../../app/trust/plan-rollback.ts';
import { VadeError } from '../../../schema/errors.ts';
import { ADMIN_KEY } from '../../flags.ts';
import { BUNDLE_FLAGS, defineCommand, DRY_RUN, YES, type Flags, type Outcome } from '../../registry.ts';

const flags = {
  revision: { type: 'string', required: true, description: 'Root to return to: a folder of roots/ in the bundle' },
  reason: { type: 'string', line: true, required: true, description: 'Why; it is signed' },
  days: { type: 'integer', default: 1, min: 1, max: 30, description: 'How long servers may load it' },
  ...ADMIN_KEY,
  out: { type: 'string', description: 'File that collects signatures if several administrators must sign' },
  yes: YES,
  'dry-run': DRY_RUN,
  ...BUNDLE_FLAGS,
} as const satisfies Flags;

export const rollbackCommand = defineCommand({
  path: 'rollback',
  description: 'Make an older root of a bundle current, and authorise servers to load it',
  danger: 'destructive',
  scopes: ['admin:sign'],
  flags,
  exits: ['PRECONDITION', 'NOT_FOUND', 'CONFLICT', 'PERMISSION_DENIED'],
  output: z.object({
    effect: z.enum(['updated', 'noop', 'would_update', 'would_noop']),
    revision: z.string(),
    from: z.string(),
    allowed: z.boolean(),
    by: z.array(z.string()),
    expires: z.string(),
    out: z.string().nullable(),
  }),
  examples: [
    {
      description: 'Return to an earlier root; the bundle keeps three',
      command: `vade rollback --revision 41-${'0'.repeat(64)} --reason "drops data" --key ann.pem --trust root.json --yes`,
    },
  ],
  run: async (args, world) => {
    const { applyRollback, planRollback } = await import('../../../app/trust/plan-rollback.ts');
    const plan = await planRollback(args, world);
    if (args['dry-run']) return report(plan.noop ? 'would_noop' : 'would_update', plan);
    if (!args.yes) {
      const message = `this makes ${args.revision} the current root for every agent; confirm with --yes`;
      throw new VadeError('confirmation_required', message, { suggestion: 'add --yes, or --dry-run to see' });
    }
    applyRollback(plan);
    return report(plan.noop ? 'noop' : 'updated', plan);
  },
});

type Plan = Awaited<ReturnType<typeof planRollback>>;

function report(effect: string, { consent, from, to, out, stale }: Plan): Outcome {
  const { rollback, allowed, by } = consent;
  const { expires } = rollback;
  const next = `restart its servers before ${expires}, and revert the commit, since the next compile makes its own root current`;
  const text = allowed
    ? `${effect}: the current root is ${to}; ${next}`
    : `${effect}: ${from} stays current until more administrators sign`;
  const data = { effect, revision: to, from, allowed, by, expires, out };
  return { data, text, warnings: allowed && stale !== null ? [{ code: 'FRESHNESS_DUE', message: stale }] : [] };
}

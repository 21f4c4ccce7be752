import { z } from 'zod';
import { ROLLBACK } from '../../../app/flags/trust.ts';
import type { planRollback } from '../../../app/trust/plan-rollback.ts';
import { requireYes } from '../../../world/require-yes.ts';
import { defineCommand, type CommandResult } from '../../registry.ts';

export const rollbackCommand = defineCommand({
  path: 'rollback',
  description: 'Make an older root of a bundle current, and authorise servers to load it',
  danger: 'destructive',
  scopes: ['admin:sign'],
  flags: ROLLBACK,
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
    requireYes(args, `this makes ${args.revision} the current root for every agent`);
    applyRollback(plan);
    return report(plan.noop ? 'noop' : 'updated', plan);
  },
});

type Plan = Awaited<ReturnType<typeof planRollback>>;

function report(effect: string, { consent, from, to, out, stale }: Plan): CommandResult {
  const { rollback, allowed, by } = consent;
  const { expires } = rollback;
  const next = `restart its servers before ${expires}, and revert the commit, since the next compile makes its own root current`;
  const text = allowed
    ? `${effect}: the current root is ${to}; ${next}`
    : `${effect}: ${from} stays current until more administrators sign`;
  const data = { effect, revision: to, from, allowed, by, expires, out };
  return { data, text, warnings: allowed && stale !== null ? [{ code: 'FRESHNESS_DUE', message: stale }] : [] };
}

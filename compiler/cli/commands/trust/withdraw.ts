import { z } from 'zod';
import { WITHDRAW } from '../../../app/flags/trust.ts';
import type { planWithdrawal } from '../../../app/trust/plan-withdrawal.ts';
import { requireYes } from '../../../world/require-yes.ts';
import type { Warning } from '../../../world/world.ts';
import { defineCommand } from '../../registry.ts';

export const withdrawCommand = defineCommand({
  path: 'withdraw',
  description: 'Withdraw a fact from a bundle at once; a running server applies it without a compile',
  danger: 'destructive',
  scopes: ['admin:sign'],
  flags: WITHDRAW,
  exits: ['PRECONDITION', 'NOT_FOUND', 'CONFLICT', 'PERMISSION_DENIED'],
  output: z.object({
    effect: z.enum(['updated', 'noop', 'would_update', 'would_noop']),
    fact_uri: z.string(),
    withdrawn: z.boolean(),
    by: z.array(z.string()),
    file: z.string().nullable(),
    /** Until when a host can hide the withdrawal from servers with --fail-stale; null: without limit. */
    hidden_until: z.string().nullable(),
  }),
  examples: [
    {
      description: 'Withdraw a bad text, now and in later compiles',
      command:
        'vade withdraw --agent cto --unit deploy --reason "deletes data" --key ann.pem --repo . --trust root.json --yes',
    },
  ],
  run: async (args, world) => {
    const { applyWithdrawal, planWithdrawal } = await import('../../../app/trust/plan-withdrawal.ts');
    const plan = planWithdrawal(args, world);
    const { fact, noop } = plan;
    const data = describe(plan);
    if (args['dry-run']) {
      return { data: { effect: noop ? 'would_noop' : 'would_update', ...data }, text: `would withdraw ${fact.uri}` };
    }
    requireYes(args, `this permanently withdraws ${fact.uri} from its agents`);
    applyWithdrawal(plan);
    const text = data.withdrawn
      ? `withdrew ${fact.uri}`
      : `signed, but ${fact.uri} stays in service until more administrators sign`;
    const warnings = data.withdrawn ? nextSteps(data) : [];
    return { data: { effect: noop ? 'noop' : 'updated', ...data }, text, warnings };
  },
});

function describe({ fact, order, already, file, freshUntil }: ReturnType<typeof planWithdrawal>) {
  return { fact_uri: fact.uri, withdrawn: already || order.holds, by: order.by, file, hidden_until: freshUntil };
}

/** Steps that remain, so that no host can hide the withdrawal and it stays valid if its administrators leave. */
function nextSteps({ hidden_until, file }: Pick<ReturnType<typeof describe>, 'hidden_until' | 'file'>): Warning[] {
  const until = hidden_until === null ? 'without limit' : `until ${hidden_until}, from servers with --fail-stale`;
  const hidden = `a host can hide the withdrawal ${until}: run vade freshen, so that every list must contain it`;
  const unfiled =
    'the order is not in the repository: write it there with --repo and commit it, so that it stays valid if the administrator leaves';
  return [
    { code: 'FRESHEN_NEEDED', message: hidden },
    ...(file !== null ? [] : [{ code: 'WITHDRAWAL_NOT_FILED', message: unfiled }]),
  ];
}

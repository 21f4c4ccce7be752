import { z } from 'zod';
import { FRESHEN } from '../../../app/flags/trust.ts';
import type { Withdrawals } from '../../../trust/judge-withdrawals.ts';
import type { Warning } from '../../../world/world.ts';
import { defineCommand } from '../../registry.ts';

export const freshenCommand = defineCommand({
  path: 'freshen',
  description: 'Sign a freshness statement: the newest revision and the withdrawn facts; run it on a schedule',
  danger: 'mutating',
  scopes: ['bundle:sign'],
  flags: FRESHEN,
  exits: ['PRECONDITION', 'NOT_FOUND', 'CONFLICT', 'PERMISSION_DENIED'],
  output: z.object({
    effect: z.enum(['updated', 'would_update']),
    revision: z.string(),
    expires: z.string(),
    /** Number of withdrawals that every list must contain from now on. */
    withdrawals: z.int(),
  }),
  examples: [
    { description: 'For another week', command: 'vade freshen --trust root.json --key signing.pem --bundle bundle' },
  ],
  run: async (args, world) => {
    const { freshenBundle } = await import('../../../app/trust/freshen-bundle.ts');
    const { statement, withdrawals } = freshenBundle(args, world);
    const effect = args['dry-run'] ? 'would_update' : 'updated';
    const { revision, expires } = statement;
    const count = statement.withdrawals.length;
    const text = [
      `${effect}: revision ${revision} is fresh until ${expires}, with ${count} withdrawals`,
      `if a host hides a later withdrawal, a server with --fail-stale serves the fact until ${expires} at most; other servers serve it until they get the withdrawal`,
    ].join('\n');
    return { data: { effect, revision, expires, withdrawals: count }, text, warnings: warningsOf(withdrawals) };
  },
});

function warningsOf({ skipped, outlived }: Withdrawals): Warning[] {
  return [
    ...(skipped.length > 0
      ? [
          {
            code: 'WITHDRAWAL_INVALID',
            message: `${skipped.length} records of the list of withdrawals do not verify and are not included; vade verify reports why`,
          },
        ]
      : []),
    ...outlived.map((key) => ({
      code: 'WITHDRAWAL_OUTLIVED',
      message: `no administrator of the current trust root ordered the withdrawal of ${key.split(' ')[0] ?? ''}: one must order it again with vade withdraw --repo`,
    })),
  ];
}

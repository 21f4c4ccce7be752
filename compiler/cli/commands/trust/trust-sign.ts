import { z } from 'zod';
import { TRUST_SIGN } from '../../../app/flags/trust.ts';
import { defineCommand } from '../../registry.ts';

export const trustSignCommand = defineCommand({
  path: 'trust.sign',
  description: 'Sign the next trust root; it needs enough signatures of the previous root’s keys and of its own',
  danger: 'mutating',
  scopes: ['root:sign'],
  flags: TRUST_SIGN,
  exits: ['PRECONDITION', 'NOT_FOUND', 'CONFLICT', 'PERMISSION_DENIED'],
  output: z.object({
    effect: z.enum(['created', 'updated', 'noop', 'would_create', 'would_update', 'would_noop']),
    version: z.int(),
    out: z.string(),
    missing: z.object({ before: z.int(), own: z.int() }),
  }),
  examples: [
    {
      description: 'Sign as a holder of a root key',
      command:
        'vade trust sign --draft draft.json --trust root.json --key root-key.pem --out instructions/trust/2.json',
    },
  ],
  run: async (args, world) => {
    const { signRoot } = await import('../../../app/trust/sign-root.ts');
    const { effect, version, missing } = signRoot(args, world);
    const left = `${missing.before} signature(s) of root ${version - 1} and ${missing.own} of its own are missing`;
    const data = { effect, version, out: args.out, missing };
    return { data, text: `${effect}: ${args.out}; ${missing.before + missing.own === 0 ? 'commit it' : left}` };
  },
});

import { z } from 'zod';
import { shadowText } from '../../../present/terminal/shadow.ts';
import { SHADOW } from '../../../world/flags/quality.ts';
import { AUDIT_EXITS } from '../../exit.ts';
import { defineCommand } from '../../registry.ts';

export const shadowCommand = defineCommand({
  path: 'shadow',
  description: 'Compare lazy loading with eager loading for each heartbeat of an agent; attest its migration stage',
  danger: 'mutating',
  scopes: ['audit:read'],
  flags: SHADOW,
  exits: ['PRECONDITION', 'NOT_FOUND', 'CONFLICT', 'PERMISSION_DENIED', ...AUDIT_EXITS],
  output: z.object({
    effect: z.enum(['created', 'updated', 'noop', 'would_create', 'would_update', 'would_noop']),
    // short, since the manifest pays for tokens; the full shapes are in compiler/schema/report/shadow.ts
    shadow: z.looseObject({
      next: z.string().nullable(),
      miss_rate: z.number().nullable(),
      coverage: z.number().nullable(),
      rules: z.array(z.looseObject({ rule: z.string(), met: z.boolean() })),
    }),
    listed: z.array(z.looseObject({ heartbeat_id: z.string(), regressions: z.array(z.string()) })),
    omitted: z.int(),
    evidence: z.looseObject({ file: z.string(), signatures: z.int() }).nullable(),
  }),
  examples: [
    { description: 'What lazy loading saves and misses', command: 'vade shadow --dev --agent cto' },
    {
      description: 'Let an agent move to its next stage',
      command: 'vade shadow --agent cto --attest --key ann.pem --trust root.json',
    },
  ],
  run: async (args, world) => {
    const { compareAndAttest } = await import('../../../app/replay/attest.ts');
    const { data, attested, warnings } = await compareAndAttest(args, world);
    return { data, text: shadowText(data, attested), warnings };
  },
});

import { z } from 'zod';
import type { Attested } from '../../../app/replay/attest.ts';
import { renderCheck } from '../../../schema/bundle/migration-stage.ts';
import { printable } from '../../../schema/diagnostics.ts';
import type { Shadow, ShadowHeartbeat } from '../../../schema/report/shadow.ts';
import { spooledWarnings } from '../../../world/audit-place.ts';
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
    const { openShadowRun, compareAgent } = await import('../../../app/replay/shadow.ts');
    const run = openShadowRun(args, world);
    const compared = await compareAgent(run);
    const attested = args.attest
      ? await (await import('../../../app/replay/attest.ts')).attest(args, run, compared, world)
      : null;
    const { effect = 'noop', checks, warnings = [], evidence = null } = attested ?? {};
    const all = compared.shadowed.heartbeats;
    const listed = args.limit === 0 ? all : all.slice(0, args.limit);
    const data = {
      effect,
      shadow: { ...compared.shadow, rules: [...(checks ?? compared.shadow.rules)] },
      listed,
      omitted: all.length - listed.length,
      evidence,
    };
    const text = toText(data, attested);
    return { data, text, warnings: [...warnings, ...spooledWarnings(run.spooled)] };
  },
});

interface ShadowSummary {
  readonly effect: string;
  readonly shadow: Shadow;
  readonly listed: readonly ShadowHeartbeat[];
  readonly omitted: number;
}

function toText({ effect, shadow, listed, omitted }: ShadowSummary, attested: Attested | null): string {
  const { heartbeats, recalls, tokens } = shadow;
  const percent = (share: number | null) => (share === null ? 'unknown' : `${Math.round(share * 10_000) / 100} %`);
  return [
    `${shadow.agent} in ${shadow.mode}, ${shadow.since} to ${shadow.until}`,
    `${heartbeats.total} heartbeats, ${heartbeats.judged} of them judged; ${recalls.total} recalls, ${recalls.unclosed} unclosed, ${recalls.silent} closed without a report, ${recalls.unattributed} without a heartbeat`,
    `tokens: ${tokens.lazy} lazy, ${tokens.eager} eager (${percent(tokens.share)})`,
    `coverage ${percent(shadow.coverage)}; miss rate ${percent(shadow.miss_rate)} over ${recalls.events} events`,
    ...shadow.regressions.map((it) => `  missed and not loaded: ${it.name}, in ${it.heartbeats} heartbeats`),
    ...(shadow.unknown.length > 0 ? [`  missed, but not a unit: ${shadow.unknown.join(', ')}`] : []),
    ...listed.map(toLine),
    ...(omitted > 0 ? [`  ${omitted} more heartbeats`] : []),
    ...(shadow.next === null ? [] : [`conditions for ${shadow.next}:`]),
    ...shadow.rules.map((it) => `  ${it.met ? 'met' : 'not met'}: ${renderCheck(it)}`),
    ...(attested
      ? [
          `${effect}: ${attested.evidence.file}, ${attested.evidence.signatures} of ${attested.evidence.needed ?? '?'} signature(s); commit it`,
          ...attested.hints,
        ]
      : []),
  ]
    .map(printable)
    .join('\n');
}

function toLine({ heartbeat_id, at, tokens, wanted, brought, regressions, judged }: ShadowHeartbeat): string {
  const found = judged ? `${brought} of ${wanted} wanted units` : 'not judged';
  const missing = regressions.length > 0 ? `; missing: ${regressions.join(', ')}` : '';
  return `  ${at} ${heartbeat_id}: ${tokens.lazy} of ${tokens.eager} tokens, ${found}${missing}`;
}

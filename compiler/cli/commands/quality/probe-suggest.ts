import { z } from 'zod';
import type { ProbeSuggestions } from '../../../schema/report/probe-candidate.ts';
import { auditPlaceFrom, spooledWarnings } from '../../../world/audit-place.ts';
import { PROBE_SUGGEST } from '../../../world/flags/quality.ts';
import { windowFrom } from '../../../world/time-window.ts';
import type { Warning } from '../../../world/world.ts';
import { AUDIT_EXITS } from '../../exit.ts';
import { defineCommand, type CommandResult } from '../../registry.ts';

export const probeSuggestCommand = defineCommand({
  path: 'probe.suggest',
  description:
    'Propose probes from the intents of an agent and the units it used or missed; personal data is redacted, a person decides',
  danger: 'mutating',
  scopes: ['audit:read'],
  flags: PROBE_SUGGEST,
  exits: ['PRECONDITION', 'NOT_FOUND', 'CONFLICT', 'PERMISSION_DENIED', ...AUDIT_EXITS],
  // short, since the manifest pays for tokens; the full shape is ProbeSuggestions
  output: z.looseObject({
    agent: z.string(),
    read: z.int(),
    candidates: z.array(z.looseObject({ intent: z.string(), required: z.array(z.string()) })),
    omitted: z.int(),
    left_out: z.looseObject({}),
    yaml: z.string(),
    out: z.string().nullable(),
  }),
  examples: [
    { description: 'From the last month', command: 'vade probe suggest --dev --agent cto' },
    { description: 'Into a file', command: 'vade probe suggest --dev --agent cto --out proposed.yaml' },
  ],
  run: async (args, world) => {
    const { countWordings, openProbeSuggester, placeOut, writeOut } =
      await import('../../../app/probe/suggest-probes.ts');
    const { spooledRows } = await import('../../../../server/audit/queue/spool-file.ts');
    const window = windowFrom(args, world);
    const place = auditPlaceFrom(args, world);
    const out = args.out === undefined ? null : placeOut(args.out, args, world);
    const suggesting = await openProbeSuggester(args, world);
    const { takeWaitingArrivals } = await import('../../../app/report/waiting-arrivals.ts');
    await takeWaitingArrivals(args, world);
    const wordings = await countWordings(suggesting, place, window);
    const data = await suggesting.suggest(wordings, args);
    if (out !== null) writeOut(out, data.yaml);
    const { warnIfExposed } = await import('../../../world/exposed-file.ts');
    const exposed = out === null ? [] : await warnIfExposed(out);
    return conclude({ ...data, out: args.out ?? null }, [...spooledWarnings(spooledRows(place)), ...exposed]);
  },
});

function conclude(data: ProbeSuggestions, warnings: readonly Warning[]): CommandResult {
  const leftOut = Object.entries(data.left_out).map(([why, count]) => `${count} ${why.replaceAll('_', ' ')}`);
  const lines = [
    `# ${data.candidates.length} of ${data.candidates.length + data.omitted} probes proposed for ${data.agent}, from ${data.read} entries`,
    ...(leftOut.length > 0 ? [`# left out: ${leftOut.join(', ')}`] : []),
    ...(data.out === null ? data.yaml.trimEnd().split('\n') : [`# written to ${data.out}`]),
  ];
  return { data, text: lines, warnings };
}

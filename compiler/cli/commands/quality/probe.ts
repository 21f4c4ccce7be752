import { z } from 'zod';
import type { judgeProbes } from '../../../app/probe/judge-probes.ts';
import { renderProbes } from '../../../present/terminal/probes.ts';
import { renderDiagnostic } from '../../../schema/diagnostics.ts';
import { VadeError } from '../../../schema/errors.ts';
import { PROBE } from '../../../world/flags/quality.ts';
import type { World } from '../../../world/world.ts';
import { defineCommand, type CommandResult } from '../../registry.ts';

/** Short, since the manifest pays for tokens; the full shapes are ProbeSummary and ProbeResult. */
const ProbedAgents = z.array(
  z.looseObject({
    agent: z.string(),
    summary: z.looseObject({
      probes: z.int(),
      passed: z.int(),
      coverage_at_k: z.number(),
      hit_at_k: z.number(),
      units: z.array(z.looseObject({ name: z.string(), coverage_at_k: z.number() })),
    }),
    before: z.looseObject({ coverage_at_k: z.number(), hit_at_k: z.number() }).nullable(),
    won: z.array(z.string()),
    lost: z.array(z.string()),
    failed: z.array(z.looseObject({ intent: z.string() })),
    uncounted: z.array(z.looseObject({ intent: z.string() })),
    unprobed: z.array(z.string()),
    untriggered: z.array(z.string()),
    findability: z.array(z.looseObject({ name: z.string(), score: z.number() })),
  }),
);

export const probeCommand = defineCommand({
  path: 'probe',
  description: 'Run the curated probes against a bundle, and report which units are found',
  danger: 'safe',
  flags: PROBE,
  exits: ['PRECONDITION', 'NOT_FOUND', 'PERMISSION_DENIED'],
  output: z.object({ revision: z.string(), k: z.int(), agents: ProbedAgents }),
  examples: [
    { description: 'Every agent that has probes', command: 'vade probe --dev' },
    { description: 'Annotate a pull request', command: 'vade probe --dev --report github' },
    { description: 'What a change wins and loses', command: 'vade probe --dev --previous main-bundle' },
  ],
  run: async (args, world) => {
    const { judgeProbes } = await import('../../../app/probe/judge-probes.ts');
    return conclude(await judgeProbes(args, world), world);
  },
});

/** @throws probe_regression where a compile of these sources would fail by their probes */
function conclude({ judged, ...about }: Awaited<ReturnType<typeof judgeProbes>>, world: World): CommandResult {
  const faults = judged.flatMap((it) => it.faults);
  const agents = judged.map((it) => it.data);
  for (const it of faults) world.say(renderDiagnostic(it));
  const errors = faults.filter((it) => it.severity === 'error').length;
  const data = { ...about, agents };
  if (errors > 0) throw new VadeError('probe_regression', `${errors} probe errors`, { ...data, faults });
  const warnings = faults.map((it) => ({ code: it.rule.toUpperCase(), message: it.message, context: it }));
  return { data, text: agents.flatMap(renderProbes), warnings };
}

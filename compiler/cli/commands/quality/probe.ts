import { z } from 'zod';
import type { Arguments } from '../../../app/flags/flag.ts';
import { PROBE } from '../../../app/flags/quality.ts';
import type { ProbeSources, ProbeTarget } from '../../../app/probe/probe.ts';
import { previousRoot } from '../../../app/world/trust-keys.ts';
import type { World } from '../../../app/world/world.ts';
import { counted } from '../../../quality/copied-probes.ts';
import { compareProbes, passes, summarise } from '../../../quality/probes.ts';
import { isHardToFind, type Findability, type UnitCoverage } from '../../../schema/bundle/coverage.ts';
import { printable } from '../../../schema/diagnostics.ts';
import { VadeError } from '../../../schema/errors.ts';
import { probeExample, type Probe, type ProbeResult, type ProbeSummary } from '../../../schema/source/probe.ts';
import { defineCommand, type Outcome } from '../../registry.ts';

interface ProbedAgent {
  readonly agent: string;
  readonly summary: ProbeSummary;
  readonly before: { readonly coverage_at_k: number; readonly hit_at_k: number } | null;
  readonly won: readonly string[];
  readonly lost: readonly string[];
  readonly failed: readonly ProbeResult[];
  /** How surely other people’s words find each unit, by its coverage gate; the hardest to find first. */
  readonly findability: readonly FoundUnit[];
}

/** A unit's findability, with its nearest rivals. */
type FoundUnit = Findability & { readonly name: string };

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
    { description: 'What a change wins and loses', command: 'vade probe --dev --previous main-bundle --max-lost 0' },
  ],
  run: async (args, world) => {
    if (args['max-lost'] !== undefined && args.previous === undefined) {
      throw new VadeError('argument_invalid', '--max-lost needs --previous', { flag: 'max-lost' });
    }
    const { openProbeTarget, readProbes } = await import('../../../app/probe/probe.ts');
    const { probes, placeOf } = await readProbes(args, world);
    const wanted = [...probes].filter(([agent]) => args.agent === undefined || agent === args.agent).sort();
    if (wanted.length === 0) {
      const whom = args.agent ?? 'any agent';
      throw new VadeError('source_not_found', `${args.source}/probes/ has no probes for ${whom}`, {
        suggestion: probeExample(`${args.source}/probes/${args.agent ?? '<agent>'}.yaml`),
      });
    }
    const probed = await openProbeTarget(args.bundle, args, world);
    const pinned = previousRoot(args, world);
    const earlier = args.previous === undefined ? null : await openProbeTarget(args.previous, args, world, pinned);
    const agents: ProbedAgent[] = [];
    for (const [agent, own] of wanted) agents.push(await probeOne(probed, earlier, agent, own, args));
    if (args.report === 'github') await annotate(agents, placeOf, args.k, world);
    return conclude(args, { revision: probed.bundle.revision, k: args.k, agents });
  },
});

/** Each failing probe at its line; a lost one is an error, since the change has made it fail. */
async function annotate(agents: readonly ProbedAgent[], placeOf: ProbeSources['placeOf'], k: number, world: World) {
  const { annotationLine } = await import('../../../present/terminal/annotation.ts');
  for (const { agent, failed, lost } of agents)
    for (const it of failed) {
      const isLost = lost.includes(it.intent);
      const severity = isLost ? 'error' : 'warning';
      const title = isLost ? 'probe lost' : 'probe fails';
      const message = `${agent}: “${it.intent}”: ${reasons(it, k).join(', ')}`;
      world.say(annotationLine({ severity, title, ...placeOf(agent, it.intent), message }));
    }
}

async function probeOne(
  probed: ProbeTarget,
  earlier: ProbeTarget | null,
  agent: string,
  own: readonly Probe[],
  { k }: { readonly k: number },
): Promise<ProbedAgent> {
  const { probeAgent } = await import('../../../app/probe/probe.ts');
  const now = await probeAgent(probed, agent, own);
  if (now === null) throw new VadeError('agent_not_found', `the bundle has no agent ${agent}`);
  const before = earlier && (await probeAgent(earlier, agent, own));
  const { results, garden } = now;
  const { coverage_at_k, hit_at_k } = summarise(before?.results ?? [], k, 0);
  return {
    agent,
    summary: summarise(results, k, garden.facts.length),
    before: before && { coverage_at_k, hit_at_k },
    ...compareProbes(before?.results ?? [], results, k),
    failed: counted(results).filter((it) => !passes(it, k)),
    findability: findabilityIn(probed.coverage(agent)),
  };
}

function findabilityIn(units: readonly UnitCoverage[]): FoundUnit[] {
  const found = units.flatMap(({ name, findability }) => (findability ? [{ name, ...findability }] : []));
  return found.sort((a, b) => a.score - b.score || (a.name < b.name ? -1 : 1));
}

function conclude(
  args: Arguments<typeof PROBE>,
  data: { readonly revision: string; readonly k: number; readonly agents: readonly ProbedAgent[] },
): Outcome {
  const lost = data.agents.reduce((all, it) => all + it.lost.length, 0);
  const max = args['max-lost'];
  if (max !== undefined && lost > max) {
    throw new VadeError('probe_regression', `${lost} probes are lost; --max-lost allows ${max}`, { ...data });
  }
  return { data, text: data.agents.map(toText).join('\n') };
}

function toText({ agent, summary: it, before, won, lost, failed, findability }: ProbedAgent): string {
  const was = before === null ? '' : ` (before ${before.coverage_at_k} and ${before.hit_at_k})`;
  const small = it.hit_at_3 === null ? '' : `, hit@3 ${it.hit_at_3}`;
  const left = it.uncounted === 0 ? '' : `, ${it.uncounted} more do not count`;
  const head = `${agent}: ${it.passed} of ${it.probes} probes pass${left}; coverage@${it.k} ${it.coverage_at_k}, hit@${it.k} ${it.hit_at_k}${was}, hit@10 ${it.hit_at_10}${small}`;
  const units = it.units.map(
    (unit) => `  ${unit.name}: ${unit.probe_count} probes, coverage@${it.k} ${unit.coverage_at_k}`,
  );
  const fails = failed.map((probe) => `  fails: “${probe.intent}” ${reasons(probe, it.k).join(', ')}`);
  const least = findability.map((unit) => `  ${describeFindability(unit)}`);
  return [
    head,
    ...units,
    ...fails,
    ...least,
    ...won.map((it) => `  won: “${it}”`),
    ...lost.map((it) => `  lost: “${it}”`),
  ]
    .map(printable)
    .join('\n');
}

/** A unit's findability, and where it is low the units that come near or before it. */
function describeFindability({ name, score, paraphrases, rivals }: FoundUnit): string {
  const shown = `${name}: findability ${score.toFixed(2)}`;
  if (!isHardToFind({ findability: { score, paraphrases, rivals } }) || rivals.length === 0) return shown;
  const nearest = rivals.map((it) => `${it.name} (before it for ${it.ahead} of ${paraphrases} paraphrases)`);
  return `${shown}, hard to find; nearest: ${nearest.join(', ')}`;
}

/** Why a probe fails. */
function reasons({ required, forbidden }: ProbeResult, k: number): string[] {
  const isWithin = (rank: number | null): rank is number => rank !== null && rank <= k;
  return [
    ...required
      .filter(({ rank }) => !isWithin(rank))
      .map(({ name, rank }) => `${name} ${rank === null ? 'is not ranked' : `ranks ${rank}`}`),
    ...forbidden
      .filter(({ rank }) => isWithin(rank))
      .map(({ name, rank }) => `${name} is forbidden, but ranks ${rank ?? 0}`),
  ];
}

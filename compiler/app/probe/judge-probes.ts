import { agentMissing } from '../../io/bundle/load-garden.ts';
import { annotationLine } from '../../present/terminal/annotation.ts';
import type { FoundUnit, ProbedAgent } from '../../present/terminal/probes.ts';
import { counted, uncounted } from '../../quality/copied-probes.ts';
import { probeFaults, whyItFails, type ProbePolicy } from '../../quality/probe-faults.ts';
import { compareProbes, passes, summarise, unprobed } from '../../quality/probes.ts';
import { untriggeredIn, type UnitCoverage } from '../../schema/bundle/coverage.ts';
import type { Diagnostic } from '../../schema/diagnostics.ts';
import { VadeError } from '../../schema/errors.ts';
import { Org } from '../../schema/source/org.ts';
import { probeExample } from '../../schema/source/probe.ts';
import { parseUri } from '../../schema/uri.ts';
import type { ConfiguredProbes } from '../../sources/config.ts';
import type { Arguments } from '../../world/flags/flag.ts';
import type { PROBE } from '../../world/flags/quality.ts';
import { previousRoot } from '../../world/trust-keys.ts';
import type { World } from '../../world/world.ts';
import { openProbeTarget, probeAgent, readProbes, type ProbeTarget } from './probe.ts';

/** An agent's figures, and what the policy finds wrong with them. */
export interface JudgedAgent {
  readonly data: ProbedAgent;
  readonly probes: ConfiguredProbes;
  readonly faults: readonly Diagnostic[];
}

/**
 * Asks the curated probes of a bundle, and of an earlier one where the flags name it, and judges the results.
 *
 * @throws argument_invalid, source_not_found, agent_not_found, bundle_not_found, bundle_unverified
 */
export async function judgeProbes(args: Arguments<typeof PROBE>, world: World) {
  if (args['max-lost'] !== undefined && args.previous === undefined) {
    throw new VadeError('argument_invalid', '--max-lost needs --previous', { flag: 'max-lost' });
  }
  const { org, probes } = await readProbes(args, world);
  const wanted = [...probes].filter(([agent]) => args.agent === undefined || agent === args.agent).sort();
  if (wanted.length === 0) throw nothingToAsk(args);
  const policy = policyOf(org, args);
  const probed = await openProbeTarget(args.bundle, args, world);
  const pinned = previousRoot(args, world);
  const earlier = args.previous === undefined ? null : await openProbeTarget(args.previous, args, world, pinned);
  const judged: JudgedAgent[] = [];
  for (const [agent, own] of wanted) judged.push(await probeOne({ probed, earlier }, agent, own, policy));
  if (args.report === 'github') annotate(judged, policy.k, world);
  return { judged, revision: probed.bundle.revision, k: policy.k };
}

function nothingToAsk({ agent, source }: Pick<Arguments<typeof PROBE>, 'agent' | 'source'>): VadeError {
  return new VadeError('source_not_found', `${source}/probes/ has no probes for ${agent ?? 'any agent'}`, {
    suggestion: probeExample(`${source}/probes/${agent ?? '<agent>'}.yaml`),
  });
}

/** The policy of the deployment, as far as the arguments leave it; its required coverage is for its own depth only. */
function policyOf(org: Org | null, args: Pick<Arguments<typeof PROBE>, 'k' | 'max-lost'>): ProbePolicy {
  const own = org?.probes ?? Org.shape.probes.parse(undefined);
  const { k = own.k, 'max-lost': max_lost = own.max_lost } = args;
  return { ...own, k, max_lost, ...(k !== own.k && { least_coverage: 0, wanted_coverage: 0 }) };
}

async function probeOne(
  { probed, earlier }: { readonly probed: ProbeTarget; readonly earlier: ProbeTarget | null },
  agent: string,
  probes: ConfiguredProbes,
  policy: ProbePolicy,
): Promise<JudgedAgent> {
  const { k } = policy;
  const now = await probeAgent(probed, agent, probes.set.probes);
  if (now === null) throw agentMissing(probed.bundle, agent);
  const before = earlier && (await probeAgent(earlier, agent, probes.set.probes));
  const { results, garden } = now;
  const { coverage_at_k, hit_at_k } = summarise(before?.results ?? [], k, 0);
  const own = garden.facts.filter(({ uri }) => parseUri(uri)?.agent !== null).map(({ name }) => name);
  const coverage = probed.coverage(agent);
  const data: ProbedAgent = {
    agent,
    summary: summarise(results, k, garden.facts.length),
    before: before && { coverage_at_k, hit_at_k },
    ...compareProbes(before?.results ?? [], results, k),
    failed: counted(results).filter((it) => !passes(it, k)),
    uncounted: uncounted(results),
    unprobed: unprobed(own, results),
    untriggered: untriggeredIn(coverage),
    findability: findabilityIn(coverage),
  };
  const answered = { agent, units: garden.facts, results, before: before?.results ?? [] };
  const { file, at } = probes;
  return { data, probes, faults: probeFaults({ ...answered, file, at }, policy) };
}

function findabilityIn(units: readonly UnitCoverage[]): FoundUnit[] {
  const found = units.flatMap(({ name, findability }) => (findability ? [{ name, ...findability }] : []));
  return found.sort((a, b) => a.score - b.score || (a.name < b.name ? -1 : 1));
}

/** Each failing probe at its line; a lost one is an error, since the change has made it fail. */
function annotate(judged: readonly JudgedAgent[], k: number, world: World) {
  for (const { data, probes } of judged) {
    for (const it of data.failed) {
      const isLost = data.lost.includes(it.intent);
      const severity = isLost ? 'error' : 'warning';
      const title = isLost ? 'probe lost' : 'probe fails';
      const message = `${data.agent}: “${it.intent}”: ${whyItFails(it, k)}`;
      const at = probes.set.probes.findIndex(({ intent }) => intent === it.intent);
      const place = { file: probes.file, ...probes.at(['probes', at, 'intent']) };
      world.say(annotationLine({ severity, title, ...place, message }));
    }
  }
}

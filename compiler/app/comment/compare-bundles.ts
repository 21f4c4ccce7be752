import { agentNames } from '../../io/bundle/load-garden.ts';
import { filesOf, readReading } from '../../io/bundle/read-garden.ts';
import { withdrawnFrom } from '../../io/bundle/sidecar-files.ts';
import { compareAgent } from '../../present/comment/compare-agents.ts';
import { probedUnits, unprobedGardens, type ProbedUnits } from '../../present/comment/unprobed-gardens.ts';
import { changedRecalls, intentsOf, type AskedGarden } from '../../quality/changed-recalls.ts';
import type { AgentReading } from '../../quality/report/garden-reading.ts';
import { VadeError } from '../../schema/errors.ts';
import type { AgentComparison, ChangedRecall, Comparison, ReportedDiagnostic } from '../../schema/report/comparison.ts';
import { SHARED } from '../../schema/uri.ts';
import type { Arguments } from '../../world/flags/flag.ts';
import type { COMMENT } from '../../world/flags/quality.ts';
import { pinnedRoot } from '../../world/trust-keys.ts';
import type { World } from '../../world/world.ts';
import { openProbeTarget, type ProbeTarget } from '../probe/probe.ts';
import { readReplay, readResult } from './read-results.ts';

export type CommentFlags = Arguments<typeof COMMENT> & { readonly base: string };

/**
 * Compares two bundles for a reviewer. A head that compiles only with `--dev` is compared too, beside the errors that
 * main would have; without a head bundle only these errors are reported.
 *
 * @throws argument_invalid, bundle_not_found, bundle_unverified, model_unavailable, source_not_found
 */
export async function compareBundles(args: CommentFlags, world: World): Promise<Comparison> {
  const pinned = pinnedRoot({ trust: args['base-trust'] ?? args.trust, dev: args.dev }, world);
  const base = await openProbeTarget(args.base, args, world, pinned);
  const diagnostics = distinct(args.result.flatMap((file) => readResult(file, world)));
  const failed = diagnostics.some((it) => it.severity === 'error');
  const head = await openHead(args, failed, world);
  return {
    format: 1,
    deployment: base.bundle.root.predicate.deployment,
    base: sideOf(base),
    head: head && sideOf(head),
    ...(head ? await compareAgents(base, head, replayed(args, world)) : { agents: [], unprobed: [] }),
    diagnostics,
  };
}

/** Each once: two runs that check the same sources find the same. */
function distinct(diagnostics: readonly ReportedDiagnostic[]): ReportedDiagnostic[] {
  return [...new Map(diagnostics.map((it) => [JSON.stringify(it), it])).values()];
}

/** Null if the head's compile failed, so that there is no bundle of it; a development compile may have made one. */
async function openHead(args: CommentFlags, failed: boolean, world: World): Promise<ProbeTarget | null> {
  try {
    return await openProbeTarget(args.head, args, world);
  } catch (error) {
    if (!(error instanceof VadeError) || error.code !== 'bundle_not_found') throw error;
    if (failed) return null;
    const suggestion = 'compile it first; if that failed, give its output with --result';
    throw new VadeError(error.code, error.message, { ...error.details, suggestion });
  }
}

function sideOf({ bundle }: ProbeTarget): Comparison['base'] {
  const { serial, commit } = bundle.root.predicate;
  return { revision: bundle.revision, serial, commit };
}

type Replayed = (agent: string) => ChangedRecall[];

function replayed({ replay }: CommentFlags, world: World): Replayed {
  const changed = replay === undefined ? [] : readReplay(replay, world);
  return (agent) =>
    changed
      .filter((it) => it.agent === agent)
      .map(({ id, intent = null, gained, dropped }) => ({ id, intent, source: 'audit', gained, dropped }));
}

async function compareAgents(
  base: ProbeTarget,
  head: ProbeTarget,
  audited: Replayed,
): Promise<Pick<Comparison, 'agents' | 'unprobed'>> {
  const names = [...new Set([...agentNames(base.bundle), ...agentNames(head.bundle)])].sort();
  const agents: AgentComparison[] = [];
  const probed: ProbedUnits[] = [];
  for (const name of names) {
    const sides = { before: readAgent(base, name), after: readAgent(head, name) };
    const recalls = [...(await recallsOf(base, head, sides, name)), ...audited(name)];
    agents.push(compareAgent(name, sides, recalls));
    if (sides.after) probed.push(probedUnits(name, sides.after));
  }
  return { agents, unprobed: unprobedGardens(probed) };
}

/** The files of an agent; null if the bundle does not have it. */
function readAgent({ bundle }: ProbeTarget, agent: string): AgentReading | null {
  if (!agentNames(bundle).includes(agent)) return null;
  const withdrawn = withdrawnFrom(bundle);
  const read = (garden: string) => readReading(filesOf(bundle), garden, withdrawn);
  return { own: read(agent), shared: read(SHARED) };
}

async function recallsOf(
  base: ProbeTarget,
  head: ProbeTarget,
  { before, after }: { readonly before: AgentReading | null; readonly after: AgentReading | null },
  agent: string,
): Promise<ChangedRecall[]> {
  const sides = [askedOf(base, agent), askedOf(head, agent)] as const;
  const [from, to] = sides;
  if (from === null || to === null) return [];
  const probed = [after, before].flatMap((it) => it?.own.probes?.results.map(({ intent }) => intent) ?? []);
  return changedRecalls(from, to, intentsOf([from.garden, to.garden], probed), head.now);
}

function askedOf({ garden: gardenOf, queries }: ProbeTarget, agent: string): AskedGarden | null {
  const garden = gardenOf(agent);
  return garden && { garden, queryOf: (intent) => queries(intent, garden.index) };
}

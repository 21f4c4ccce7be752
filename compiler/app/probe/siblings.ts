import { resolve } from 'node:path';
import { agentNames, findGarden, loadProven, loadShared } from '../../io/bundle/load-garden.ts';
import { openBundle } from '../../io/bundle/open-bundle.ts';
import { filesOf, readReading } from '../../io/bundle/read-garden.ts';
import { openQueries } from '../../io/models/encoder.ts';
import { readLexicon } from '../../io/models/lexicon.ts';
import { annotationLine } from '../../present/terminal/annotation.ts';
import { rivalryLines, type CompetingAgent } from '../../present/terminal/siblings.ts';
import { createParaphraser } from '../../quality/paraphrase/paraphrase.ts';
import { probesOf } from '../../quality/probes.ts';
import { siblingsOf } from '../../quality/siblings/siblings.ts';
import { intentsByUnit } from '../../quality/siblings/unit-intents.ts';
import { agentUnknown } from '../../schema/known-keys.ts';
import type { SiblingReport } from '../../schema/report/siblings.ts';
import type { Arguments } from '../../world/flags/flag.ts';
import type { SIBLINGS } from '../../world/flags/quality.ts';
import { inForce } from '../../world/in-force.ts';
import { hubOf } from '../../world/model-hub.ts';
import { pinnedRoot } from '../../world/trust-keys.ts';
import type { World } from '../../world/world.ts';

type SiblingFlags = Pick<Arguments<typeof SIBLINGS>, 'trust' | 'dev' | 'models' | 'bundle'>;

/** A bundle whose gardens can be searched for competing units. */
interface SiblingSearch {
  readonly revision: string;
  /** Short names, sorted. */
  readonly agents: readonly string[];
  readonly find: (agent: string) => string | null;
  readonly siblings: (agent: string) => Promise<SiblingReport>;
  /** The file of an agent's unit in the sources. */
  readonly fileOf: (agent: string, unit: string) => string | null;
}

/** Opens a bundle to search it for competing units. @throws bundle_not_found, bundle_unverified, model_unavailable */
async function openSiblingSearch(flags: SiblingFlags, world: World): Promise<SiblingSearch> {
  const now = world.now().toISOString();
  const bundle = openBundle(resolve(world.cwd, flags.bundle), { pinned: pinnedRoot(flags, world), now });
  const queries = await openQueries(bundle.org.model, resolve(world.cwd, flags.models), hubOf(world));
  const shared = loadShared(bundle);
  const served = inForce(bundle);
  const paraphrase = createParaphraser(readLexicon().lexicon);
  const siblings = async (agent: string) => {
    const proven = bundle.readGarden(agent);
    const garden = served(loadProven(bundle, proven, shared).recall);
    const { probes, phrases } = readReading(filesOf(bundle), agent, new Set());
    const intents = intentsByUnit(garden, { probes: probesOf(probes), phrases }, paraphrase);
    return siblingsOf(garden, intents, (intent) => queries(intent, garden.index), now);
  };
  return {
    revision: bundle.revision,
    agents: agentNames(bundle),
    find: (agent) => findGarden(bundle, agent),
    siblings,
    fileOf: (agent, unit) => {
      const own = readReading(filesOf(bundle), agent, new Set()).facts;
      return [...own, ...shared].find((it) => it.name === unit)?.file ?? null;
    },
  };
}

/**
 * Finds the units of an agent, or of all, that compete for the same intents.
 *
 * @throws agent_not_found, bundle_not_found, bundle_unverified, model_unavailable
 */
export async function findCompeting({ agent, least, report, ...flags }: Arguments<typeof SIBLINGS>, world: World) {
  const search = await openSiblingSearch(flags, world);
  const names = agent === undefined ? search.agents : [search.find(agent)];
  const agents: CompetingAgent[] = [];
  for (const name of names) {
    if (name === null) throw agentUnknown('the bundle', agent ?? '', search.agents);
    world.progress('asking', agents.length, names.length);
    agents.push(above(name, await search.siblings(name), least));
  }
  if (report === 'github') annotate(agents, search, world);
  return { revision: search.revision, least, agents };
}

/** Each rivalry at the file of the unit that loses. */
function annotate(agents: readonly CompetingAgent[], { fileOf }: SiblingSearch, world: World): void {
  for (const it of agents)
    for (const one of it.rivalries) {
      const message = [`${it.agent}:`, ...rivalryLines(one, it)].map((line) => line.trim()).join('\n');
      const file = fileOf(it.agent, one.unit);
      world.say(
        annotationLine({ severity: 'warning', title: 'units compete', ...(file !== null && { file }), message }),
      );
    }
}

/** The rivalries in which a rival wins or almost wins at least this percentage of a unit's intents. */
function above(agent: string, { units, rivalries }: SiblingReport, least: number): CompetingAgent {
  const asked = new Map(units.map((it) => [it.name, it.asked]));
  const listed = rivalries.filter((it) => 100 * (it.outranks + it.close) >= least * (asked.get(it.unit) ?? 0));
  return { agent, units, rivalries: listed, below: rivalries.length - listed.length };
}

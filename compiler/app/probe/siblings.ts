import { resolve } from 'node:path';
import { agentNames, findGarden, loadProven, loadShared } from '../../io/bundle/load-garden.ts';
import { openBundle } from '../../io/bundle/open-bundle.ts';
import { filesOf, readReading } from '../../io/bundle/read-garden.ts';
import { openQueries } from '../../io/models/encoder.ts';
import { readLexicon } from '../../io/models/lexicon.ts';
import { createParaphraser } from '../../quality/paraphrase/paraphrase.ts';
import { probesOf } from '../../quality/probes.ts';
import { siblingsOf } from '../../quality/siblings/siblings.ts';
import { intentsByUnit } from '../../quality/siblings/unit-intents.ts';
import type { SiblingReport } from '../../schema/report/siblings.ts';
import type { Arguments } from '../../world/flags/flag.ts';
import type { SIBLINGS } from '../../world/flags/quality.ts';
import { inForce } from '../../world/in-force.ts';
import { hubOf } from '../../world/model-hub.ts';
import { pinnedRoot } from '../../world/trust-keys.ts';
import type { World } from '../../world/world.ts';

type SiblingFlags = Pick<Arguments<typeof SIBLINGS>, 'trust' | 'dev' | 'models'>;

/** A bundle whose gardens can be searched for competing units. */
export interface SiblingSearch {
  readonly revision: string;
  /** Short names, sorted. */
  readonly agents: readonly string[];
  readonly find: (agent: string) => string | null;
  readonly siblings: (agent: string) => Promise<SiblingReport>;
  /** The file of an agent's unit in the sources. */
  readonly fileOf: (agent: string, unit: string) => string | null;
}

/** Opens a bundle to search it for competing units. @throws bundle_not_found, bundle_unverified, model_unavailable */
export async function openSiblingSearch(folder: string, flags: SiblingFlags, world: World): Promise<SiblingSearch> {
  const now = world.now().toISOString();
  const bundle = openBundle(folder, { pinned: pinnedRoot(flags, world), now });
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

import { resolve } from 'node:path';
import { openBundle, type OpenBundle } from '../../edge/bundle.ts';
import { openQueries } from '../../edge/encoder.ts';
import { findGarden, loadProven, loadShared } from '../../edge/garden.ts';
import { readLexicon } from '../../edge/lexicon.ts';
import { askedOf } from '../../evaluate/askedfor.ts';
import { openParaphraser } from '../../evaluate/paraphrase/paraphrase.ts';
import { siblingsOf } from '../../evaluate/siblings.ts';
import { ProbeReport, type Probe } from '../../model/probe.ts';
import type { SiblingReport } from '../../model/siblings.ts';
import { inForce } from '../inforce.ts';
import { hubOf } from '../models.ts';
import type { World } from '../registry.ts';
import { pinnedRoot } from '../trust.ts';

interface CompetingFlags {
  readonly trust: string | undefined;
  readonly dev: boolean;
  readonly models: string;
}

/** A bundle whose gardens can be asked who competes in them. */
export interface Competing {
  readonly revision: string;
  /** Short names, sorted. */
  readonly agents: readonly string[];
  readonly find: (agent: string) => string | null;
  readonly siblings: (agent: string) => Promise<SiblingReport>;
}

/** Opens a bundle to ask for its siblings. @throws bundle_not_found, bundle_unverified, model_unavailable */
export async function openCompeting(folder: string, flags: CompetingFlags, world: World): Promise<Competing> {
  const now = world.now().toISOString();
  const bundle = openBundle(folder, { pinned: pinnedRoot(flags, world), now });
  const queries = await openQueries(bundle.org.model, resolve(world.cwd, flags.models), hubOf(world));
  const shared = loadShared(bundle);
  const paraphrase = openParaphraser(readLexicon().lexicon);
  const siblings = async (agent: string) => {
    const proven = bundle.readGarden(agent);
    const garden = inForce(bundle, loadProven(bundle, proven, shared).recall);
    const asked = askedOf(garden, probesIn(proven.files.get('probes.json')), paraphrase);
    return siblingsOf(garden, asked, (intent) => queries(intent, garden.index), now);
  };
  return { revision: bundle.revision, agents: agentsOf(bundle), find: (agent) => findGarden(bundle, agent), siblings };
}

function agentsOf({ root }: OpenBundle): string[] {
  const gardens = root.predicate.gardens.filter((it) => it.agent_id !== null);
  return gardens.map((it) => it.garden).sort();
}

/** The probes that a garden was compiled with. */
function probesIn(bytes: Buffer | undefined): Probe[] {
  const report = bytes && ProbeReport.parse(JSON.parse(bytes.toString('utf8')));
  const namesOf = (placed: readonly { readonly name: string }[]) => placed.map(({ name }) => name);
  return (report?.results ?? []).map((it) => ({
    intent: it.intent,
    required: namesOf(it.required),
    forbidden: namesOf(it.forbidden),
  }));
}

import { byDocument, type ExportedAgent, type ExportedUnit, type Left } from '../../export/exported-agent.ts';
import { rulesIn } from '../../gardens/manifest/boot-stub.ts';
import { gardenOf, loadGarden, loadShared, type LoadedGarden } from '../../io/bundle/load-garden.ts';
import { filesOf, readReading } from '../../io/bundle/read-garden.ts';
import type { GardenReading } from '../../quality/report/garden-reading.ts';
import type { RecallFact, RecallGarden } from '../../recall/recall-garden.ts';
import { servingAt } from '../../recall/resolve-content.ts';
import type { Fact } from '../../schema/bundle/fact.ts';
import { SHARED } from '../../schema/uri.ts';
import { byText } from '../../trust/canonical.ts';
import type { Arguments } from '../../world/flags/flag.ts';
import { inForce } from '../../world/in-force.ts';
import { pinnedBundle } from '../../world/pinned-bundle.ts';
import type { World } from '../../world/world.ts';
import type { EXPORT } from '../flags/sources.ts';

export type BundleFlags = Pick<Arguments<typeof EXPORT>, 'agent' | 'bundle' | 'trust' | 'dev'>;

/**
 * An agent of a verified bundle, with the texts that a recall would give it now.
 *
 * @throws trust_required, bundle_not_found, bundle_unverified, agent_not_found
 */
export function readExportedAgent(args: BundleFlags, world: World): ExportedAgent {
  const now = world.now().toISOString();
  const bundle = pinnedBundle(args, world);
  const name = gardenOf(bundle, args.agent);
  const garden = loadGarden(bundle, name, loadShared(bundle));
  const readings = [name, SHARED].map((it) => readReading(filesOf(bundle), it, new Set()));
  const files = new Map(readings.flatMap(({ facts }) => facts.filter(isOfHandbook).map((it) => [it.uri, it.file])));
  const { served, absent } = unitsOf(inForce(bundle)(garden.recall), files, now);
  const { rules, unread } = rulesOf(garden);
  return {
    deployment: bundle.root.predicate.deployment,
    agent: name,
    role: garden.predicate.agent?.role ?? name,
    revision: bundle.revision,
    rules,
    units: served,
    left: [...unread, ...absent, ...heldIn(readings)],
  };
}

/** Skills in place are not exported: their host reads them where they are. */
const isOfHandbook = ({ skill }: Fact) => skill === undefined;

/** The rules of `boot.md`: a bundle has them only as the end of a stub. */
function rulesOf(garden: LoadedGarden): { rules: string; unread: Left[] } {
  const rules = rulesIn(garden.stub('generic')?.text ?? '');
  return { rules: rules ?? '', unread: rules === null ? [{ unit: 'boot', part: 'unit', reason: 'unread' }] : [] };
}

function unitsOf(
  garden: RecallGarden,
  files: ReadonlyMap<string, string>,
  now: string,
): { served: ExportedUnit[]; absent: Left[] } {
  const { serve, absent } = servingAt(garden, now);
  const served = garden.facts.flatMap((fact, unit) => {
    const [text, file] = [serve(unit), files.get(fact.uri)];
    return text === null || file === undefined ? [] : [exportedUnit(fact, text, file)];
  });
  const left = [...absent].map(([unit, why]) => {
    const reason = why === 'withdrawn' || why === 'expired' ? why : 'unavailable';
    return { unit: garden.facts[unit]?.name ?? '', part: 'unit', reason } satisfies Left;
  });
  return { served: served.sort(byDocument), absent: left.sort((a, b) => byText(a.unit, b.unit)) };
}

function exportedUnit(
  { name, uri, delivery }: RecallFact,
  { content, digest }: { content: string; digest: string },
  file: string,
): ExportedUnit {
  const { description, load_triggers, guarantee_load, listed, priority = 0, files = [], source = null } = delivery;
  const { intents, keywords } = load_triggers;
  const words = { description, intents, keywords };
  return { name, uri, digest, file, source, ...words, content, always: guarantee_load, listed, priority, files };
}

/** Quarantined facts of the agent and of the shared garden. */
function heldIn(readings: readonly GardenReading[]): Left[] {
  const names = new Set(readings.flatMap(({ held }) => held.map((it) => it.name)));
  return [...names].sort(byText).map((unit) => ({ unit, part: 'unit', reason: 'quarantined' }));
}

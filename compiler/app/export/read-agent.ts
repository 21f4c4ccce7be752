import type { ExportedAgent, ExportedUnit, Left } from '../../export/exported-agent.ts';
import { rulesIn } from '../../gardens/manifest/boot-stub.ts';
import { gardenOf, loadGarden, loadShared, type LoadedGarden } from '../../io/bundle/load-garden.ts';
import { filesOf, readReading } from '../../io/bundle/read-garden.ts';
import type { GardenReading } from '../../quality/report/garden-reading.ts';
import type { RecallFact, RecallGarden } from '../../recall/recall-garden.ts';
import { servingAt } from '../../recall/resolve-content.ts';
import type { Delivery } from '../../schema/source/unit.ts';
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
  const files = new Map(readings.flatMap(({ facts }) => facts.map((it) => [it.uri, it.file])));
  const phrased = new Set(readings.flatMap(({ phrases }) => phrases.map((it) => it.name)));
  const { served, absent } = unitsOf(inForce(bundle)(garden.recall), { files, phrased }, now);
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

/** The rules of `boot.md`: a bundle has them only as the end of a stub. */
function rulesOf(garden: LoadedGarden): { rules: string; unread: Left[] } {
  const rules = rulesIn(garden.stub('generic')?.text ?? '');
  return { rules: rules ?? '', unread: rules === null ? [{ unit: 'boot', part: 'unit', reason: 'unread' }] : [] };
}

function unitsOf(
  garden: RecallGarden,
  { files, phrased }: { readonly files: ReadonlyMap<string, string>; readonly phrased: ReadonlySet<string> },
  now: string,
): { served: ExportedUnit[]; absent: Left[] } {
  const { serve, absent } = servingAt(garden, now);
  const served = garden.facts.flatMap((fact, unit) => {
    const text = serve(unit);
    return text === null ? [] : [exportedUnit(fact, text, files.get(fact.uri) ?? '', phrased.has(fact.name))];
  });
  const left = [...absent].map(([unit, why]) => {
    const reason = why === 'withdrawn' || why === 'expired' ? why : 'unavailable';
    return { unit: garden.facts[unit]?.name ?? '', part: 'unit', reason } satisfies Left;
  });
  return { served: served.sort(byWeight), absent: left.sort((a, b) => byText(a.unit, b.unit)) };
}

function exportedUnit(
  fact: RecallFact,
  { content, digest }: { content: string; digest: string },
  file: string,
  hasPhrases: boolean,
): ExportedUnit {
  const { name, uri, delivery } = fact;
  return {
    name,
    uri,
    digest,
    file,
    content,
    description: delivery.description,
    intents: delivery.load_triggers.intents,
    always: delivery.guarantee_load,
    listed: delivery.listed,
    files: delivery.files ?? [],
    without: withoutPlace(delivery, hasPhrases),
  };
}

/**
 * Parts of a unit that no file of a host can state: a host's model chooses by descriptions, and has no search to find
 * phrases.
 */
function withoutPlace(
  { load_triggers: { keywords, task_types }, ...delivery }: Delivery,
  hasPhrases: boolean,
): string[] {
  const { aliases, priority = 0, related, required_by_task_types, valid_until } = delivery;
  const used = {
    aliases,
    keywords,
    phrases: hasPhrases ? [true] : [],
    priority: priority === 0 ? [] : [priority],
    related,
    required_by_task_types,
    task_types,
    valid_until: valid_until === null ? [] : [valid_until],
  };
  return Object.entries(used).flatMap(([member, values]) => (values.length > 0 ? [member] : []));
}

/** The order of units: those that always apply first. Where a file is full, the last ones are left out. */
function byWeight(a: ExportedUnit, b: ExportedUnit): number {
  return Number(b.always) - Number(a.always) || Number(b.listed) - Number(a.listed) || byText(a.name, b.name);
}

/** Quarantined facts of the agent and of the shared garden. */
function heldIn(readings: readonly GardenReading[]): Left[] {
  const names = new Set(readings.flatMap(({ held }) => held.map((it) => it.name)));
  return [...names].sort(byText).map((unit) => ({ unit, part: 'unit', reason: 'quarantined' }));
}

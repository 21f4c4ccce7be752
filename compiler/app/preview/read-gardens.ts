import { lintUnit } from '../../lint/lint-unit.ts';
import { SECURITY_RULES, type Diagnostic } from '../../schema/diagnostics.ts';
import { VadeError } from '../../schema/errors.ts';
import type { Org } from '../../schema/source/org.ts';
import type { Probe } from '../../schema/source/probe.ts';
import type { Sources, TreeFile } from '../../schema/source/sources.ts';
import type { Unit } from '../../schema/source/unit.ts';
import { SHARED } from '../../schema/uri.ts';
import { blobStore } from '../../sources/blobs.ts';
import { classifyFiles, type Site } from '../../sources/classify-files.ts';
import { configure, type Configuration } from '../../sources/config.ts';
import { parseUnit } from '../../sources/unit.ts';
import { readSources, type SourceFlags } from '../../world/read-sources.ts';
import type { World } from '../../world/world.ts';

/** The gardens of the sources, as a compile would read them. */
export interface ReadGardens {
  readonly sources: Sources;
  readonly org: Org;
  readonly configuration: Configuration;
  /** By garden: an agent's own, or the shared ones. */
  readonly units: ReadonlyMap<string, readonly Unit[]>;
  /** Files that a compile would quarantine because of their content; their units are in no garden. */
  readonly quarantined: readonly string[];
}

/** Reads the sources, at a commit or from the working tree. @throws source_not_found, ref_not_found, sources_invalid */
export async function readGardens(flags: SourceFlags, world: World): Promise<ReadGardens> {
  const sources = await readSources(flags, world);
  const { site } = classifyFiles(sources);
  const blobs = blobStore(sources);
  await blobs.loadFiles([...sources.tree.values()]);
  const { configuration, faults } = await configure(site, blobs);
  const read = await readUnits(site, blobs.read);
  const broken = [...faults, ...read.faults].filter((it) => it.severity === 'error');
  const { org } = configuration;
  if (broken.length > 0 || org === null) {
    throw new VadeError('sources_invalid', `${flags.source}/ has errors; vade lint reports them`, { faults: broken });
  }
  const { units, quarantined } = read;
  return { sources, org, configuration, units, quarantined };
}

/** The units that an agent recalls; of `shared`, the shared ones. */
export function recalledUnits({ units }: Pick<ReadGardens, 'units'>, garden: string): readonly Unit[] {
  const shared = units.get(SHARED) ?? [];
  return garden === SHARED ? shared : [...(units.get(garden) ?? []), ...shared];
}

/** The probes of an agent. */
export function probesOf({ configuration }: Pick<ReadGardens, 'configuration'>, agent: string): readonly Probe[] {
  return configuration.probes.get(agent)?.set.probes ?? [];
}

/** The units of every garden, by its name, without unsafe ones, which a compile quarantines (DESIGN §7). */
async function readUnits(site: Site, read: (file: TreeFile) => Buffer) {
  const units = new Map<string, Unit[]>();
  const quarantined: string[] = [];
  const faults: Diagnostic[] = [];
  const gardens = [...site.agents.values()].map((it) => [it.name, it.units] as const);
  for (const [garden, files] of [...gardens, [SHARED, site.shared] as const]) {
    const safe: Unit[] = [];
    units.set(garden, safe);
    for (const file of files) {
      const parsed = parseUnit(file, read(file), garden);
      faults.push(...parsed.faults);
      if (parsed.value === null) continue;
      const found = await lintUnit(parsed.value, read(file).toString('utf8'));
      if (found.some(({ rule }) => SECURITY_RULES.has(rule))) quarantined.push(file.path);
      else safe.push(parsed.value);
    }
  }
  return { units, quarantined: quarantined.sort(), faults };
}

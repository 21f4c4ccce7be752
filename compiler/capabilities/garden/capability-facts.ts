import type { CapabilityFact } from '../../schema/bundle/capability-garden.ts';
import { atomFolder } from '../../schema/capability/atom-name.ts';
import { atomUri, roleUri } from '../../schema/uri.ts';
import type { CapabilitySite } from '../../sources/place-capability.ts';
import { byText } from '../../trust/canonical.ts';
import type { CapabilityContext } from './capability-context.ts';
import { versionCapability, type CapabilitySeries } from './capability-versions.ts';

/** The history that versions of atoms and roles are made from. */
export interface CapabilityHistory extends Pick<CapabilityContext, 'commits' | 'attribute' | 'blob'> {
  /** The folder of the sources. */
  readonly folder: string;
  readonly deployment: string;
}

/** Every version of every present atom and role, the one in force last. */
export interface VersionedCapabilities {
  readonly atoms: ReadonlyMap<string, readonly CapabilityFact[]>;
  readonly roles: ReadonlyMap<string, readonly CapabilityFact[]>;
}

/** Numbers atoms and roles by their history. */
export function versionCapabilities(site: CapabilitySite, history: CapabilityHistory): VersionedCapabilities {
  const { folder, deployment } = history;
  const atoms = [...site.atoms.keys()].map((name): CapabilitySeries => {
    const place = `${folder}/capabilities/${atomFolder(name)}`;
    const uri = (version: number) => atomUri(deployment, name, version);
    return { name, file: `${place}/capability.toml`, textFile: `${place}/text.md`, uri };
  });
  const roles = [...site.roles].map(([name, { path }]): CapabilitySeries => {
    return { name, file: path, textFile: null, uri: (version) => roleUri(deployment, name, version) };
  });
  return { atoms: versionAll(atoms, history), roles: versionAll(roles, history) };
}

function versionAll(series: readonly CapabilitySeries[], history: CapabilityHistory) {
  const named = series.toSorted((a, b) => byText(a.name, b.name));
  const versions = named.map((it) => [it.name, versionsOf(it, history)] as const);
  return new Map(versions);
}

function versionsOf(series: CapabilitySeries, { commits, blob, attribute }: CapabilityHistory): CapabilityFact[] {
  return versionCapability(series, commits, blob, attribute);
}

import type { ResolvedRole } from '../../schema/capability/resolved-role.ts';
import { VadeError } from '../../schema/errors.ts';
import type { CapabilitySite } from '../../sources/place-capability.ts';
import { lintCapabilities } from '../lint/lint-capabilities.ts';
import { readCapabilities, type Capabilities } from '../read-capabilities.ts';
import { resolveRole } from '../resolve/resolve-role.ts';

/** A role as a compile would resolve it from the same sources. */
interface ResolvedSources {
  readonly resolved: ResolvedRole;
  readonly capabilities: Capabilities;
}

/**
 * Resolves a role of the sources, where nothing is wrong with any atom or role.
 *
 * @param folder of the sources
 * @param read a blob that has been loaded
 * @throws fact_not_found, sources_invalid
 */
export function resolveSources(
  name: string,
  site: CapabilitySite,
  folder: string,
  read: Parameters<typeof readCapabilities>[2],
): ResolvedSources {
  if (!site.roles.has(name)) throw new VadeError('fact_not_found', `${folder}/roles/ has no ${name}.toml`);
  const { capabilities, faults } = readCapabilities(site, folder, read);
  const found = [...faults, ...lintCapabilities(capabilities)].filter((it) => it.severity === 'error');
  const { resolved } = resolveRole(name, capabilities);
  if (resolved !== null && found.length === 0) return { resolved, capabilities };
  const message = `role ${name} cannot be used while any role or atom has errors; run vade capability lint`;
  throw new VadeError('sources_invalid', message, { faults: found });
}

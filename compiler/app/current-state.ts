import { traceGardens } from '../history/garden-timeline.ts';
import type { CurrentUnit } from '../publish/entry-edits.ts';
import type { CurrentManifest } from '../publish/plan-edits.ts';
import type { Diagnostic } from '../schema/diagnostics.ts';
import { VadeError } from '../schema/errors.ts';
import type { TreeFile } from '../schema/source/sources.ts';
import { SHARED } from '../schema/uri.ts';
import { normaliseText } from '../sources/front-matter.ts';
import { parseUnit } from '../sources/unit.ts';
import type { World } from '../world/world.ts';
import { openSite, type OpenSite, type SiteFlags } from './approve/open-site.ts';

/** An agent's manifest as the sources have it at a commit. */
export interface CurrentState {
  readonly site: OpenSite;
  readonly manifest: CurrentManifest;
  /** The number that counts its versions (DESIGN §6.2). */
  readonly version: number;
  /** The last commit that touched the sources, which a bundle of them names. */
  readonly commit: string;
}

/** @throws agent_not_found, sources_invalid, and what opening the sources may */
export async function readCurrentState(flags: SiteFlags, agent: string, world: World): Promise<CurrentState> {
  const site = await openSite(flags, agent, world);
  const configured = agent === SHARED ? undefined : site.agents.get(agent);
  const own = site.site.agents.get(agent);
  if (!configured || !own?.config) {
    throw new VadeError('agent_not_found', `${site.sources.folder}/agents/ has no agent ${agent}`);
  }
  const { config, file } = configured;
  const faults: Diagnostic[] = [];
  const units = (files: readonly TreeFile[], garden: string) =>
    files.flatMap((it) => readUnit(site, it, garden, faults));
  const manifest: CurrentManifest = {
    agent: { name: agent, file, text: normaliseText(site.read(own.config)) ?? '' },
    mode: config.migration_mode,
    own: units(own.units, agent),
    shared: units(site.site.shared, SHARED),
    listed: config.shared,
  };
  if (faults.length > 0) throw new VadeError('sources_invalid', 'the sources have errors', { faults });
  const { commits } = site.past;
  const places = await site.sources.places();
  const trace = traceGardens(commits, site.sources.folder, [agent], places, new Map()).get(agent);
  return { site, manifest, version: trace?.version ?? 0, commit: commits.at(-1)?.id ?? '' };
}

function readUnit(site: OpenSite, file: TreeFile, garden: string, faults: Diagnostic[]): CurrentUnit[] {
  const bytes = site.read(file);
  const parsed = parseUnit(file, bytes, garden);
  faults.push(...parsed.faults);
  const fact = site.versions(file).at(-1);
  return parsed.value && fact ? [{ unit: parsed.value, text: normaliseText(bytes) ?? '', uri: fact.uri }] : [];
}

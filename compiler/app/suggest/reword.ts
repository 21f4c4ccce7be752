import { resolve } from 'node:path';
import { loadEncoder } from '../../io/models/encoder.ts';
import { countTokens } from '../../io/models/tokens.ts';
import { lintText } from '../../lint/lint-text.ts';
import type { PreviewGarden } from '../../quality/suggest/reword.ts';
import type { Encoder } from '../../recall/signals/semantic.ts';
import { SECURITY_RULES, type Diagnostic } from '../../schema/diagnostics.ts';
import { VadeError } from '../../schema/errors.ts';
import type { Org } from '../../schema/source/org.ts';
import type { TreeFile } from '../../schema/source/sources.ts';
import type { Unit } from '../../schema/source/unit.ts';
import { SHARED } from '../../schema/uri.ts';
import { blobStore } from '../../sources/blobs.ts';
import { classifyFiles, type Site } from '../../sources/classify-files.ts';
import { configure } from '../../sources/config.ts';
import { normaliseText } from '../../sources/front-matter.ts';
import { parseUnit } from '../../sources/unit.ts';
import type { Arguments } from '../flags/flag.ts';
import type { SUGGEST } from '../flags/quality.ts';
import { hubOf } from '../world/model-hub.ts';
import { readSources } from '../world/read-sources.ts';
import type { World } from '../world/world.ts';
import { cachedEncoder, previewOf } from './preview.ts';

type PreviewFlags = Pick<Arguments<typeof SUGGEST>, 'repo' | 'source' | 'ref' | 'models'>;

/** The gardens that a compile would build from the sources; nothing is signed or written. */
export interface PreviewGardens {
  readonly org: Org;
  /** Short names, sorted. */
  readonly agents: readonly string[];
  readonly preview: (agent: string) => PreviewGarden;
  /** A unit of an agent's garden, with the text of its file. */
  readonly source: (agent: string, unit: string) => { readonly unit: Unit; readonly text: string } | null;
  /** Files that a compile would quarantine because of their content; they are in no garden. */
  readonly quarantined: readonly string[];
}

/**
 * Reads the sources, at a commit or from the working tree.
 *
 * @param instead an encoder to try in place of the one that `org.yaml` names
 * @throws source_not_found, ref_not_found, sources_invalid, model_unavailable
 */
export async function openPreviewGardens(
  flags: PreviewFlags,
  world: World,
  instead?: { readonly encoder: Encoder | null },
): Promise<PreviewGardens> {
  const sources = await readSources(flags, world);
  const { site } = classifyFiles(sources);
  const blobs = blobStore(sources);
  await blobs.load([...sources.tree.values()].map(({ blob }) => blob));
  const { configuration, faults } = configure(site, blobs.read);
  const { org, agents, probes } = configuration;
  const read = await readUnits(site, blobs.read);
  const broken = [...faults, ...read.faults].filter((it) => it.severity === 'error');
  if (broken.length > 0 || org === null) {
    throw new VadeError('sources_invalid', `${flags.source}/ has errors; vade lint reports them`, { faults: broken });
  }
  const inputs = { deployment: org.deployment, folder: sources.folder, countTokens };
  const encoder = instead ? cached(instead.encoder) : await encoderOf(org.model, flags, world);
  const unitsOf = (agent: string) => [...(read.units.get(agent) ?? []), ...(read.units.get(SHARED) ?? [])];
  const now = world.now().toISOString();
  const source = (agent: string, name: string) => {
    const unit = unitsOf(agent).find((it) => it.name === name);
    const file = unit && sources.tree.get(unit.file);
    return unit && file ? { unit, text: normaliseText(blobs.read(file)) ?? '' } : null;
  };
  const preview = (agent: string) =>
    previewOf(unitsOf(agent), { ...inputs, encoder }, probes.get(agent)?.set.probes ?? [], now);
  return { org, agents: [...agents.keys()].sort(), preview, source, quarantined: read.quarantined };
}

async function encoderOf(model: Org['model'], flags: PreviewFlags, world: World) {
  if (model === 'none') return null;
  const { encoder } = await loadEncoder(resolve(world.cwd, flags.models), model, hubOf(world));
  return cached(encoder);
}

const cached = (encoder: Encoder | null) => encoder && cachedEncoder(encoder);

/** The units of every garden, by its name, without unsafe ones, which a compile quarantines (DESIGN §7). */
async function readUnits(site: Site, read: (file: TreeFile) => Buffer) {
  const units = new Map<string, Unit[]>();
  const quarantined: string[] = [];
  const faults: Diagnostic[] = [];
  const gardens = [...site.agents.values()].map((it) => [it.name, it.units] as const);
  for (const [garden, files] of [...gardens, [SHARED, site.shared] as const]) {
    for (const file of files) {
      const parsed = parseUnit(file, read(file), garden);
      faults.push(...parsed.faults);
      if (parsed.value === null) continue;
      const found = await lintText(file.path, read(file).toString('utf8'));
      if (found.some(({ rule }) => SECURITY_RULES.has(rule))) quarantined.push(file.path);
      else units.set(garden, [...(units.get(garden) ?? []), parsed.value]);
    }
  }
  return { units, quarantined: quarantined.sort(), faults };
}

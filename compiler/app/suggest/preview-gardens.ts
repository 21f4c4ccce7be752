import { resolve } from 'node:path';
import { previewIn } from '../../gardens/language/model-for-language.ts';
import { loadEncoder } from '../../io/models/encoder.ts';
import { countTokens } from '../../io/models/tokens.ts';
import type { PreviewGarden } from '../../quality/suggest/reword.ts';
import type { Encoder } from '../../recall/signals/semantic.ts';
import { languageOf } from '../../schema/source/language.ts';
import type { ModelChoice, Org } from '../../schema/source/org.ts';
import type { Unit } from '../../schema/source/unit.ts';
import { SHARED } from '../../schema/uri.ts';
import { phrasesFor } from '../../sources/config.ts';
import { normaliseText } from '../../sources/front-matter.ts';
import type { Arguments } from '../../world/flags/flag.ts';
import type { SUGGEST } from '../../world/flags/quality.ts';
import { hubOf } from '../../world/model-hub.ts';
import type { World } from '../../world/world.ts';
import { cachedEncoder, previewOf } from './preview.ts';
import { readGardens } from './read-gardens.ts';

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
 * @param instead an encoder to try in place of the one that `org.yaml` names, and its own name there
 * @throws source_not_found, ref_not_found, sources_invalid, model_unavailable
 */
export async function openPreviewGardens(
  flags: PreviewFlags,
  world: World,
  instead?: { readonly encoder: Encoder | null; readonly model?: ModelChoice },
): Promise<PreviewGardens> {
  const { sources, org, configuration, units, quarantined, read } = await readGardens(flags, world);
  const { agents, probes } = configuration;
  const inputs = { deployment: org.deployment, folder: sources.folder, countTokens };
  const encoder = instead ? cached(instead.encoder) : await encoderOf(org.model, flags, world);
  const unitsOf = (agent: string) => [...(units.get(agent) ?? []), ...(units.get(SHARED) ?? [])];
  const now = world.now().toISOString();
  const source = (agent: string, name: string) => {
    const unit = unitsOf(agent).find((it) => it.name === name);
    const file = unit && sources.tree.get(unit.file);
    return unit && file ? { unit, text: normaliseText(read(file)) ?? '' } : null;
  };
  const spoken = new Map<string, Awaited<ReturnType<typeof previewIn>>>();
  for (const [agent, { config }] of agents) {
    spoken.set(agent, await previewIn(languageOf(org, config), instead?.model ?? org.model, encoder));
  }
  const preview = (agent: string) => {
    const own = { ...inputs, encoder, ...spoken.get(agent), phrases: phrasesFor(configuration, agent) };
    return previewOf(unitsOf(agent), own, probes.get(agent)?.set.probes ?? [], now);
  };
  return { org, agents: [...agents.keys()].sort(), preview, source, quarantined };
}

/** The encoder that `org.yaml` names, for many gardens; null without one. @throws model_unavailable */
export async function encoderOf(model: Org['model'], flags: Pick<PreviewFlags, 'models'>, world: World) {
  if (model === 'none') return null;
  const { encoder } = await loadEncoder(resolve(world.cwd, flags.models), model, hubOf(world));
  return cached(encoder);
}

const cached = (encoder: Encoder | null) => encoder && cachedEncoder(encoder);

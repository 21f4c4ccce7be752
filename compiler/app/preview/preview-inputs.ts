import { resolve } from 'node:path';
import { previewIn } from '../../gardens/language/model-for-language.ts';
import type { PreviewInputs } from '../../gardens/preview.ts';
import { loadEncoder } from '../../io/models/encoder.ts';
import { countTokens } from '../../io/models/tokens.ts';
import type { QueryOf } from '../../quality/probes.ts';
import type { RecallGarden } from '../../recall/recall-garden.ts';
import { quantise, type Encoder } from '../../recall/signals/semantic.ts';
import { languageOf } from '../../schema/source/language.ts';
import type { Org } from '../../schema/source/org.ts';
import { hubOf } from '../../world/model-hub.ts';
import type { World } from '../../world/world.ts';
import type { ReadGardens } from './read-gardens.ts';

/**
 * The inputs by which a compile would build an agent's garden, but for its phrases.
 *
 * @param model of the encoder; by default as `org.yaml` names it
 */
export async function previewInputs(
  { org, sources, configuration }: Pick<ReadGardens, 'org' | 'sources' | 'configuration'>,
  agent: string,
  encoder: Encoder | null,
  model: Org['model'] = org.model,
): Promise<PreviewInputs> {
  const language = languageOf(org, configuration.agents.get(agent)?.config ?? null);
  const spoken = await previewIn(language, model, encoder);
  return { deployment: org.deployment, folder: sources.folder, countTokens, ...spoken };
}

/** How intents are encoded for a garden that was built with this encoder. */
export function queriesOf({ index: { vectors } }: RecallGarden, encoder: Encoder | null): QueryOf {
  return async (intent) => {
    const [vector] = vectors && encoder ? await encoder.encode([intent], 'query') : [];
    return vectors && quantise(vector ?? null, vectors.mean);
  };
}

/** The encoder that `org.yaml` names, for many gardens; null without one. @throws model_unavailable */
export async function openEncoder(model: Org['model'], models: string, world: World): Promise<Encoder | null> {
  if (model === 'none') return null;
  return cachedEncoder((await loadEncoder(resolve(world.cwd, models), model, hubOf(world))).encoder);
}

/** An encoder that encodes each text once, however often a garden is rebuilt. */
export function cachedEncoder(encoder: Encoder): Encoder {
  const known = new Map<string, Float32Array | null>();
  const encode: Encoder['encode'] = async (texts, role) => {
    const fresh = [...new Set(texts)].filter((text) => !known.has(`${role} ${text}`));
    const vectors = await encoder.encode(fresh, role);
    fresh.forEach((text, i) => known.set(`${role} ${text}`, vectors[i] ?? null));
    return texts.map((text) => known.get(`${role} ${text}`) ?? null);
  };
  return { ...encoder, encode };
}

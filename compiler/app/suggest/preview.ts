import { buildPreviewGarden, type PreviewInputs } from '../../gardens/preview.ts';
import { readLexicon } from '../../io/models/lexicon.ts';
import type { PreviewGarden, Rewordings } from '../../quality/suggest/reword.ts';
import { measureCoverage } from '../../quality/unit-coverage/coverage.ts';
import type { RecallGarden } from '../../recall/recall-garden.ts';
import { quantise, type Encoder } from '../../recall/signals/semantic.ts';
import { passes, type UnitCoverage } from '../../schema/bundle/coverage.ts';
import type { Probe } from '../../schema/source/probe.ts';
import type { Unit } from '../../schema/source/unit.ts';

/** A garden of the sources that can be rebuilt with added words. @param now ISO 8601 */
export function previewOf(
  units: readonly Unit[],
  inputs: PreviewInputs,
  probes: readonly Probe[],
  now: string,
): PreviewGarden {
  const { encoder } = inputs;
  const queryOf =
    ({ index: { vectors } }: RecallGarden) =>
    async (intent: string) => {
      const [vector] = vectors && encoder ? await encoder.encode([intent], 'query') : [];
      return vectors && quantise(vector ?? null, vectors.mean);
    };
  return {
    probes,
    phrasesOf: (unit) => inputs.phrases?.get(unit) ?? [],
    units: new Set(units.map(({ name }) => name)),
    build: (rewordings) => {
      const reworded = units.map((unit) => withWords(unit, rewordings));
      return buildPreviewGarden(reworded, inputs);
    },
    queryOf,
    coverage: (garden, only) => coverageOf(garden, only, inputs, now),
    refused: async (garden) => {
      const units = await coverageOf(garden, null, inputs, now);
      return units.filter((it) => !passes(it)).map(({ name }) => name);
    },
  };
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

function withWords(unit: Unit, rewordings: Rewordings): Unit {
  const more = rewordings.get(unit.name);
  if (!more) return unit;
  const { load_triggers, aliases } = unit.delivery;
  const intents = [...load_triggers.intents, ...more.intents];
  const keywords = [...load_triggers.keywords, ...more.keywords];
  const reworded = { load_triggers: { ...load_triggers, intents, keywords }, aliases: [...aliases, ...more.aliases] };
  const description = [unit.delivery.description, ...(more.description ?? [])].join(', ');
  return { ...unit, delivery: { ...unit.delivery, ...reworded, description } };
}

/** Coverage of units, as the gate of a compile measures it. */
async function coverageOf(
  garden: RecallGarden,
  only: readonly string[] | null,
  { encoder: encode, phrases }: Pick<PreviewInputs, 'encoder' | 'phrases'>,
  now: string,
): Promise<UnitCoverage[]> {
  const wanted = garden.facts.filter(({ name }) => only?.includes(name) ?? true);
  const judged = wanted.map(({ name, delivery: { load_triggers, description } }) => {
    return { name, intents: load_triggers.intents, description, phrases: phrases?.get(name) ?? [] };
  });
  const { units } = await measureCoverage(garden, judged, { encode, lexicon: readLexicon().lexicon }, now);
  return units;
}

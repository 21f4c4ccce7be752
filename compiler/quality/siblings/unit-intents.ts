import type { RecallGarden } from '../../recall/recall-garden.ts';
import type { UnitPhrases } from '../../schema/source/phrases.ts';
import type { Probe } from '../../schema/source/probe.ts';
import type { Paraphraser } from '../paraphrase/paraphrase.ts';
import { triggerFilter } from '../paraphrase/stems.ts';
import type { UnitIntents } from './siblings.ts';

/** The probes and phrases that a garden was compiled with, beside its units. */
export interface GardenWords {
  readonly probes: readonly Probe[];
  readonly phrases: readonly Pick<UnitPhrases, 'name' | 'phrases'>[];
}

/**
 * The intents that each unit of a garden should answer: its trigger intents, or its description if it has none; with a
 * paraphraser, also their paraphrases; its phrases; and the probes that require it.
 */
export function intentsByUnit(
  garden: RecallGarden,
  { probes, phrases }: GardenWords,
  paraphrase: Paraphraser | null,
): UnitIntents[] {
  const triggers = garden.facts.flatMap(({ delivery: { load_triggers: it } }) => [...it.intents, ...it.keywords]);
  const isTrigger = triggerFilter(triggers);
  const said = new Map(phrases.map((it) => [it.name, it.phrases]));
  return garden.facts.map(({ name, delivery }) => {
    const { intents } = delivery.load_triggers;
    const own = intents.length > 0 ? intents : [delivery.description];
    const paraphrased = own.flatMap(
      (intent) => paraphrase?.(intent, undefined, isTrigger).map(({ text }) => text) ?? [],
    );
    const probed = probes.filter(({ required }) => required.includes(name)).map(({ intent }) => intent);
    return { unit: name, intents: [...new Set([...own, ...(said.get(name) ?? []), ...paraphrased, ...probed])] };
  });
}

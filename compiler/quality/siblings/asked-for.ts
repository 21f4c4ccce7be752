import type { RecallGarden } from '../../recall/recall-garden.ts';
import type { Probe } from '../../schema/source/probe.ts';
import type { Paraphraser } from '../paraphrase/paraphrase.ts';
import { triggerFilter } from '../paraphrase/stems.ts';
import type { AskedFor } from './siblings.ts';

/**
 * What each unit of a garden is asked for: its trigger intents, or its description where it has none; the same in the
 * coverage gate's other words, where they are asked for; and the probes that require it.
 */
export function askedOf(garden: RecallGarden, probes: readonly Probe[], paraphrase: Paraphraser | null): AskedFor[] {
  const triggers = garden.facts.flatMap(({ delivery: { load_triggers: it } }) => [...it.intents, ...it.keywords]);
  const isTrigger = triggerFilter(triggers);
  return garden.facts.map(({ name, delivery }) => {
    const { intents } = delivery.load_triggers;
    const said = intents.length > 0 ? intents : [delivery.description];
    const otherwise = said.flatMap((intent) => paraphrase?.(intent, undefined, isTrigger) ?? []);
    const probed = probes.filter(({ required }) => required.includes(name)).map(({ intent }) => intent);
    return { unit: name, intents: [...new Set([...said, ...otherwise, ...probed])] };
  });
}

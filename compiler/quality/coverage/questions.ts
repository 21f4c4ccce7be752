import type { RecallGarden } from '../../recall/recall-garden.ts';
import type { Lexicon } from '../../schema/source/lexicon.ts';
import { createParaphraser, PARAPHRASES, type Paraphrase } from '../paraphrase/paraphrase.ts';
import { triggerFilter } from '../paraphrase/stems.ts';
import type { JudgedUnit } from './judged-unit.ts';

/** A paraphrase, with the unit and the intent that it comes from. */
export interface ParaphraseQuestion {
  readonly unit: JudgedUnit;
  /** The trigger, or the description, that it puts in other words. */
  readonly intent: string;
  readonly paraphrase: string;
  readonly kind: Paraphrase['kind'];
}

/** The texts by which a unit is judged: every trigger (§21.8.3), or its description if it has none. */
export function sourcesOf({ intents, description }: JudgedUnit): readonly string[] {
  return intents.length > 0 ? intents : [description];
}

/** Paraphrases of the texts by which units are judged, without those that say the same as a trigger of the garden. */
export function paraphraseAll(
  { facts }: RecallGarden,
  units: readonly JudgedUnit[],
  lexicon: Lexicon,
): ParaphraseQuestion[] {
  const paraphrase = createParaphraser(lexicon);
  const triggers = facts.flatMap(({ delivery }) => [
    ...delivery.load_triggers.intents,
    ...delivery.load_triggers.keywords,
  ]);
  const isTrigger = triggerFilter(triggers);
  return units.flatMap((unit) =>
    sourcesOf(unit).flatMap((intent) =>
      paraphrase(intent, PARAPHRASES, isTrigger).map(({ text, kind }) => {
        return { unit, intent, paraphrase: text, kind };
      }),
    ),
  );
}

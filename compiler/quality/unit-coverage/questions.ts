import type { RecallGarden } from '../../recall/recall-garden.ts';
import type { KeptResults } from '../../schema/kept-results.ts';
import type { Lexicon } from '../../schema/source/lexicon.ts';
import type { Paraphrase } from '../paraphrase/drafts.ts';
import { createIsOtherLanguage } from '../paraphrase/language.ts';
import { createParaphraser, PARAPHRASES } from '../paraphrase/paraphrase.ts';
import { triggerFilter } from '../paraphrase/stems.ts';
import type { JudgedUnit } from './judged-unit.ts';

/** A paraphrase, with the unit and the intent that it comes from. */
export interface ParaphraseQuestion {
  readonly unit: JudgedUnit;
  /** The trigger that it puts in other words. */
  readonly intent: string;
  readonly paraphrase: string;
  readonly kind: Paraphrase['kind'];
}

/** The test of a garden's triggers. An index has function words where its handbook declares another language. */
export const otherLanguageIn = ({ index }: Pick<RecallGarden, 'index'>, lexicon: Lexicon) =>
  createIsOtherLanguage(lexicon, index.lexical.functionWords !== undefined);

/** Paraphrases of the triggers of units alone (§21.8.3 S8), without those that repeat a trigger of the garden. */
export function paraphraseAll(
  { facts, index }: RecallGarden,
  units: readonly JudgedUnit[],
  lexicon: Lexicon,
  kept: KeptResults | null = null,
): ParaphraseQuestion[] {
  const paraphrase = createParaphraser(lexicon, kept);
  const triggers = facts.flatMap(({ delivery }) => [
    ...delivery.load_triggers.intents,
    ...delivery.load_triggers.keywords,
  ]);
  const isTrigger = triggerFilter(triggers);
  const isOther = otherLanguageIn({ index }, lexicon);
  return units.flatMap((unit) =>
    unit.intents
      .filter((it) => !isOther(it))
      .flatMap((intent) =>
        paraphrase(intent, PARAPHRASES, isTrigger).map(({ text, kind }) => {
          return { unit, intent, paraphrase: text, kind };
        }),
      ),
  );
}

import { isScriptOf, languageIn, writtenIn, type WrittenIn } from '../quality/paraphrase/written-in.ts';
import { diagnostic, type Diagnostic } from '../schema/diagnostics.ts';
import { ENGLISH, LANGUAGES, type Language } from '../schema/source/language.ts';
import type { Unit } from '../schema/source/unit.ts';

/** All that a unit says, by which its language is known. */
export const asText = ({ delivery, content }: Pick<Unit, 'delivery' | 'content'>) =>
  [delivery.description, ...delivery.load_triggers.intents, content].join('\n');

/** The script or language of a unit, where the handbook declares another. English stands beside any language. */
function differing(written: WrittenIn, language: Language): string | null {
  if (written === 'unclear') return null;
  if ('script' in written) {
    const isDeclared = written.script === '' || isScriptOf(written.script, language);
    return isDeclared ? null : `in ${written.script} script`;
  }
  return written.language !== ENGLISH && language === ENGLISH ? `in ${LANGUAGES[written.language]}` : null;
}

const isEnglish = (unit: Unit) => {
  const written = writtenIn(asText(unit));
  return typeof written === 'object' && 'language' in written && written.language === ENGLISH;
};

/**
 * Units that are in another language than the handbook declares, as far as script and function words say. Where the
 * handbook declares another language than English, also that all of it is English.
 *
 * @param file where the declaration stands, or would
 */
export function findOtherLanguage(language: Language, units: readonly Unit[], file: string): Diagnostic[] {
  if (language !== ENGLISH && units.length > 0 && units.every(isEnglish)) {
    const message = `the handbook declares ${LANGUAGES[language]}, but all its units are in English`;
    const help = 'remove language:, so that recall also compares with the built-in vectors';
    return [diagnostic('language_differs', file, message, help)];
  }
  return units.flatMap((unit) => {
    const text = asText(unit);
    const found = differing(writtenIn(text), language);
    if (found === null) return [];
    const message = `the unit is ${found}, but the handbook declares ${LANGUAGES[language]}`;
    const spoken = languageIn([text]);
    const help = `if most of the handbook is, declare its language in org.yaml or agent.yaml (language: ${spoken}), and let administrators approve it: vade approve --kind other_language`;
    return [diagnostic('language_differs', unit.file, message, help, unit.at('description'))];
  });
}

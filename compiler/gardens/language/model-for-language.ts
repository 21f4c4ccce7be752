import type { Encoder } from '../../recall/signals/semantic.ts';
import { ENGLISH, type Language } from '../../schema/source/language.ts';
import type { Org } from '../../schema/source/org.ts';
import { functionWordsOf } from './function-words.ts';

/** A loaded encoder, with the name that it is pinned by. */
interface Named {
  readonly pin: { readonly name: string };
}

/**
 * The model of a garden in a language: none where the deployment has the built-in one, which knows English alone. Its
 * vectors of other texts are those of the few tokens that look like English, and would outweigh the words.
 */
export function modelIn<M extends Named>(language: Language, model: M | null): M | null {
  return model !== null && knowsLanguage(model.pin.name, language) ? model : null;
}

/** Whether the vectors of a model mean something in a language: the card of a named model says so to who pins it. */
function knowsLanguage(model: string, language: Language): boolean {
  return language === ENGLISH || model !== 'builtin';
}

/** The same of a garden that is only built to be asked. @param model as `org.yaml` names it */
export async function previewIn(
  language: Language,
  model: Org['model'],
  encoder: Encoder | null,
): Promise<{ readonly encoder: Encoder | null; readonly functionWords: readonly string[] | null }> {
  const name = typeof model === 'string' ? model : model.name;
  return {
    encoder: knowsLanguage(name, language) ? encoder : null,
    functionWords: await functionWordsOf(language),
  };
}

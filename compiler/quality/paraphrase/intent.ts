import { asVerb, readBare, readQuestion, type Intent } from './bare.ts';
import { ASKS, DETERMINER, FINITE, isAction, isName, isTurned, PRONOUN } from './clauses.ts';
import { parseEnglish, type Word } from './english.ts';
import type { IntentForm } from './frames.ts';
import { isPlea, openingOf } from './openings.ts';

/** Finds what an intent asks for, and in which form. */
export function readIntent(text: string): Intent {
  const plain = text.replace(/\s+/g, ' ').trim();
  const { form, rest, whole, isTelling } = openingOf(plain);
  if (isSeveral(rest))
    return { form: /\?\s*$/.test(plain) ? 'asked' : 'label', words: parseEnglish(withoutEnd(plain)) };
  const parsed = parseEnglish(rest);
  const words = lowered(parsed);
  const read = form === null ? readBare(words, isPlea(plain)) : readOpened(form, words, isTelling);
  if (read) return read;
  const all = whole === rest ? parsed : parseEnglish(whole);
  return readBare(lowered(all), false) ?? { form: 'label', words: all };
}

const withoutEnd = (text: string) => text.replace(/[?!.\s]+$/, '');

/** More than one sentence, or a list: no frame fits around it. */
const isSeveral = (text: string) => /[.?!;]\s+\S|[:;]\s|\n/.test(text);

/** Reads what follows an opening; null where it is not what the opening announces. */
function readOpened(form: IntentForm, words: readonly Word[], isTelling: boolean): Intent | null {
  const [first] = words;
  if (!first) return null;
  if (form === 'told') return readTold(words, isTelling);
  if (form === 'thing') return isName(words) ? { form, words } : null;
  if (form === 'wanted') return isName(words) && !words.some(isAction) ? { form, words } : null;
  if (
    PRONOUN.test(first.text) ||
    (ASKS.test(first.text) && !/^(?:have|do)$/i.test(first.text)) ||
    DETERMINER.test(first.text)
  )
    return null;
  if (first.part === 'verb' && first.form !== 'plain') return null;
  if (isTurned(words)) return null;
  if (form === 'want' && words.some(({ text }) => /^but$/i.test(text))) return null;
  return { form, words: asVerb(words) };
}

/** A thing to be told of, or an indirect question; a direct one behind an opening is read as such. */
function readTold(words: readonly Word[], isTelling: boolean): Intent | null {
  const [first, second] = words;
  if (/^(?:who|whom|what|when|where|why|how|which|if|whether)$/i.test(first?.text ?? '')) {
    if (FINITE.test(second?.text ?? '')) return readQuestion(words);
    const isIf = /^if$/i.test(first?.text ?? '');
    return { form: 'question', words: words.map((it, i) => (i === 0 && isIf ? { ...it, text: 'whether' } : it)) };
  }
  if (ASKS.test(first?.text ?? '')) return readQuestion(words);
  const isOne = !words.some(({ text }, i) => /,$/.test(text) || (i > 0 && /^(?:what|how)$/i.test(text)));
  return (isTelling && isOne && DETERMINER.test(first?.text ?? '')) || isName(words) ? { form: 'told', words } : null;
}

/** Removes the capital of the first word, unless it may be a name: a noun, or a word with other capitals. */
function lowered(words: readonly Word[]): Word[] {
  return words.map((word, i) => {
    const isPlain = i === 0 && word.part !== 'noun' && /^[A-Z][a-z]*$/.test(word.text) && word.text !== 'I';
    return isPlain ? { ...word, text: word.text.toLowerCase() } : word;
  });
}

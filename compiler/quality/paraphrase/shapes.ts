import { reform, type Word } from './english.ts';

const DETERMINER = /^(?:a|an|the|this|that|these|those|my|our|your|their|his|her|its|some|any|every|each)$/i;
const LINK =
  /^(?:to|for|of|in|on|at|by|with|from|into|about|before|after|between|against|without|during|over|under|who|that|which|when|while|if|because|as|and|or|than|until|so|where|how)$/i;
const BE = /^(?:is|are|was|were|am)$/i;
const MODAL =
  /^(?:am|is|are|was|were|can|could|will|would|should|may|might|must|has|have|can['’]t|cannot|won['’]t|isn['’]t|aren['’]t|wasn['’]t|don['’]t|doesn['’]t|didn['’]t|hasn['’]t|haven['’]t|shouldn['’]t|couldn['’]t|wouldn['’]t)$/i;
const DO = /^(?:do|does|did)$/i;
const SUBJECT = /^(?:i|we|you|he|she|it|they|there|someone|somebody|this|that|everyone)$/i;
const ASKING = /^(?:who|whom|whose|what|which|when|where|why|how)$/i;

const other = (text: string): Word => ({ text, lemma: text, part: 'other', form: 'plain' });

/** Whether a text that begins with a gerund is about doing something: `writing a test`, not `missing parts`. */
export function gerundAt(words: readonly Word[]): boolean {
  const [first, second] = words;
  if (/^(?:missing|building|meeting|setting|training|shipping|billing|banking)$/i.test(first?.text ?? '')) return false;
  return DETERMINER.test(second?.text ?? '') || LINK.test(second?.text ?? '') || second?.form === 'plural';
}

/**
 * The order of a question in a sentence: `am i allowed to decide` → `whether i am allowed to decide`; null if it is not
 * certain where the subject ends.
 */
export function indirect(words: readonly Word[]): readonly Word[] | null {
  const [first, second] = words;
  if (!first || !second || words.length > 14 || words.some(({ text }) => /[,;:]$|[`“”]/.test(text))) return null;
  // `who owns this`: the question word is the subject, and the order stays
  if (
    /^(?:who|what|which)$/i.test(first.text) &&
    second.part === 'verb' &&
    second.form !== 'plain' &&
    !MODAL.test(second.text) &&
    !DO.test(second.text)
  )
    return words;
  const at = words.findIndex(({ text }) => MODAL.test(text) || DO.test(text));
  const asks = words.slice(0, at);
  const auxiliary = words[at];
  const after = words.slice(at + 1);
  if (!auxiliary || at > 5 || after.length === 0 || (at > 0 && !ASKING.test(first.text))) return null;
  if (asks.some(({ text }, i) => i > 0 && LINK.test(text) && !/^of$/i.test(text))) return null;
  // `who am i and what do i do`: the order of the second question would stay
  if (
    after.some(
      ({ text }, i) =>
        /^(?:and|or|but)$/i.test(text) &&
        /^(?:who|what|when|where|why|how|which|is|are|do|does|can)$/i.test(after[i + 1]?.text ?? ''),
    )
  )
    return null;
  const opening = asks.length === 0 ? [other('whether')] : asks;
  const end = subjectEnd(after, auxiliary);
  if (end === null) return null;
  const subject = after.slice(0, end);
  const rest = after.slice(end);
  if (MODAL.test(auxiliary.text)) return placed(opening, subject, lowerOf(auxiliary), rest);
  return withoutAuxiliary(auxiliary.text.toLowerCase(), rest, (predicate) => [...opening, ...subject, ...predicate]);
}

const lowerOf = (word: Word): Word => ({ ...word, text: word.text.toLowerCase() });

/** `what the rate is`; a rest that begins with a link could belong to the subject. */
function placed(
  opening: readonly Word[],
  subject: readonly Word[],
  auxiliary: Word,
  rest: readonly Word[],
): Word[] | null {
  if (rest.length === 0 && !BE.test(auxiliary.text)) return null;
  if (rest.length === 0 && /^whether$/i.test(opening[0]?.text ?? '')) return null;
  return [...opening, ...subject, auxiliary, ...rest];
}

/** The number of words of the subject; null if it is uncertain. */
function subjectEnd(after: readonly Word[], auxiliary: Word): number | null {
  const [first] = after;
  if (SUBJECT.test(first?.text ?? '')) {
    if (!/^(?:this|that)$/i.test(first?.text ?? '')) return 1;
    // `should this message sound …`: two words that say something, the first of which may be the subject's
    const [, second, third] = after;
    if (second?.part !== 'noun' && !(second?.part === 'verb' && third?.part === 'verb')) return 1;
  }
  if (!DETERMINER.test(first?.text ?? '')) return null;
  const last = after.findIndex(
    ({ part, text }, i) => i > 0 && part === 'noun' && after[i + 1]?.part !== 'noun' && /\w$/.test(text),
  );
  if (last < 1 || after.slice(1, last).some(({ part, text }) => part === 'verb' || LINK.test(text) || MODAL.test(text)))
    return null;
  const next = after[last + 1];
  if (!next) return last + 1;
  if (LINK.test(next.text) || next.part === 'other') return null;
  // `is the report finished` and `will the package arrive`, but `has the lead assigned tasks …`
  const isPredicate = BE.test(auxiliary.text) ? next.part !== 'noun' : next.part === 'verb' || next.part === 'adverb';
  return isPredicate ? last + 1 : null;
}

/** Removes `do`, `does` or `did`, and gives its form to the verb of the question. */
function withoutAuxiliary(
  auxiliary: string,
  [verb, ...rest]: readonly Word[],
  build: (predicate: Word[]) => Word[],
): Word[] | null {
  if (!verb || LINK.test(verb.text) || /^(?:last|first|ever|still|usually|originally)$/i.test(verb.text)) return null;
  const isHave = /^have$/i.test(verb.text);
  if (isHave && auxiliary !== 'do') return build([other(auxiliary === 'does' ? 'has' : 'had'), ...rest]);
  if (auxiliary === 'do') return build([verb, ...rest]);
  if (verb.part !== 'verb' || verb.form !== 'plain') return null;
  return build([reform(verb, auxiliary === 'does' ? 'third' : 'past'), ...rest]);
}

/** Telegraphic style: without articles. */
export function telegram(words: readonly Word[]): Word[] {
  return words.filter(({ text }) => !/^(?:a|an|the)$/i.test(text));
}

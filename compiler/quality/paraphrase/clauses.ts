import type { Word } from './english.ts';

/** Subjects that are one word. */
export const PRONOUN =
  /^(?:(?:i|we|you|he|she|it|they|there|this|that)(?:['’](?:m|ve|ll|d|re|s))?|someone|somebody|nobody|everyone|everybody|these|those|nothing|something|im|ive|thats|youre)$/i;
/** Words that a question begins with. */
export const ASKS =
  /^(?:who|whom|whose|what|which|when|where|why|how|whats|what['’]s|who['’]s|where['’]s|how['’]s|when['’]s|am|is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|shall|may|might|must|isn['’]t|aren['’]t|don['’]t|doesn['’]t|didn['’]t|won['’]t|can['’]t)$/i;
/** Auxiliaries and forms of `be`: each makes a sentence of the words around it. */
export const FINITE =
  /^(?:is|are|was|were|am|has|have|had|can|cannot|can['’]t|could|will|would|should|must|may|might|does|do|did|doesn['’]t|don['’]t|didn['’]t|isn['’]t|aren['’]t|wasn['’]t|won['’]t|hasn['’]t|haven['’]t)$/i;
/** Words that open the name of a thing. */
export const DETERMINER = /^(?:a|an|the|my|our|your|his|her|their|this|that|these|those|some|any)$/i;
/** A verb after one of these is not the main verb of the sentence. */
const SUBORDINATE =
  /^(?:who|whom|which|that|whose|when|where|before|after|if|because|while|until|unless|to|how|why|what|whether|as)$/i;
export const PREPOSITION = /^(?:for|of|about|by|with|from|in|on|at|into|over|under)$/i;

/** Nouns that look like verbs at the end of a name: `benefit details`. */
const NOUNS =
  /^(?:benefits|books|changes|charges|checks|contacts|controls|costs|deposits|designs|details|estimates|exports|figures|files|forms|guides|imports|issues|limits|links|lists|logs|models|needs|notes|offers|orders|plans|points|prices|purchases|questions|rates|records|refunds|reports|requests|results|returns|reviews|scores|searches|skills|stops|supplies|tests|times|transfers|trends|updates|uses|views|visits|works)$/i;

/** Ends of a question about a thing that make it no name of the thing: `what is the traffic like`. */
const OPEN_END =
  /^(?:like|called|named|for|about|with|from|on|in|at|to|of|and|or|by|doing|going|right|today|now|that)$/i;

/** Whether the words have a subject and a finite verb. */
export function isClause(words: readonly Word[]): boolean {
  let isInside = false;
  for (const [i, word] of words.entries()) {
    if (i === 0) continue;
    if (FINITE.test(word.text)) return true;
    if (word.part === 'verb' && !isInside && isFinite(words, i)) return true;
    // `the manual mentions a system`: a noun in the plural has no article after it
    if (
      !isInside &&
      word.form === 'plural' &&
      words[i - 1]?.part === 'noun' &&
      DETERMINER.test(words[i + 1]?.text ?? '')
    )
      return true;
    if (SUBORDINATE.test(word.text)) return false;
    isInside ||= PREPOSITION.test(word.text);
  }
  return false;
}

/** A plain form is a verb only after a pronoun or a plural; else it is mostly a noun (`a decision record`). */
function isFinite(words: readonly Word[], at: number): boolean {
  const { form, text } = words[at] as Word;
  if (at === words.length - 1 && NOUNS.test(text)) return false;
  const before = words[at - 1];
  if (form === 'third' || form === 'past')
    return (
      before?.part === 'noun' ||
      (before?.part === 'adjective' && DETERMINER.test(words[at - 2]?.text ?? '')) ||
      PRONOUN.test(before?.text ?? '') ||
      before?.part === 'adverb'
    );
  const subject = before?.part === 'adverb' ? words[at - 2] : before;
  return (
    form === 'plain' &&
    (PRONOUN.test(subject?.text ?? '') ||
      (before?.form === 'plural' && at + 1 < words.length && words[at + 1]?.part !== 'noun'))
  );
}

/** Whether a clause tells what somebody does, in the present: nobody notices that `an enquiry arrives`. */
export function isEvent(words: readonly Word[]): boolean {
  const at = words.findIndex(
    ({ text, part }, i) => i > 0 && (FINITE.test(text) || (part === 'verb' && isFinite(words, i))),
  );
  const verb = words[at];
  return (
    verb?.part === 'verb' &&
    verb.form !== 'past' &&
    !/^(?:require|need|involve|want|lack|have|contain|mean)$/.test(verb.lemma)
  );
}

/** Whether the words name a thing and say nothing else. */
export function isName(words: readonly Word[]): boolean {
  return (
    !OPEN_END.test(words.at(-1)?.text ?? '') &&
    !isClause(words) &&
    !words.some(
      ({ text, form }, i) => /,$|^(?:like|what|is)$/.test(text) || (form === 'plural' && words[i + 1]?.part === 'noun'),
    )
  );
}

/** A verb or a person where a name has none: `checks before I exit` has both behind its link. */
export const isVerbLike = ({ text, part, form }: Word, i: number, words: readonly Word[]) =>
  !words.slice(0, i).some((it) => /^(?:before|after|when|while)$/i.test(it.text)) &&
  ((i > 0 && part === 'verb' && (form === 'plain' || form === 'third')) || /^(?:i|you|we|me|please)$/i.test(text));

/** A finite verb, an infinitive or a relative clause. */
export const isAction = ({ text, part, form }: Word) =>
  (part === 'verb' && form !== 'gerund') || /^(?:to|that|which|who|if)$/i.test(text);

/** `… do i need`: the order of a question, somewhere in the words. */
export const isTurned = (words: readonly Word[]) =>
  words.some(({ text }, i) => FINITE.test(text) && /^(?:i|you|we|they|he|she|it)$/i.test(words[i + 1]?.text ?? ''));

/** `today is what date`: a question in the order of a statement. */
export function endsAsking(words: readonly Word[]): boolean {
  return (
    words
      .slice(1)
      .slice(-3)
      .some(({ text }) => /^(?:what|where|how|which)$/i.test(text)) &&
    FINITE.test(words.slice(0, -1).find(({ text }) => FINITE.test(text))?.text ?? '') &&
    !words.some(({ text }) => /^(?:i|me|to|know|sure)$/i.test(text))
  );
}

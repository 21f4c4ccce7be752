import { parseEnglish, type Word } from './english.ts';
import type { Slot } from './frames.ts';

/** What an intent is about, without the opening words of the request. */
export interface Intent {
  readonly slot: Slot;
  readonly words: readonly Word[];
}

/** Openings of requests to do something. */
const ASKING =
  /^(?:(?:hi|hey|hello|ok|okay|so|and|please|kindly)[, ]+)*(?:(?:can|could|would|will) you (?:please |kindly )?(?:(?:help|show|tell) (?:me|us) (?:how )?(?:to )?)?|(?:can|may|should|could|shall|do|must) (?:i|we) (?:(?:need|have) to )?|(?:how|where|when) (?:do|can|should|would|could|shall|did|must) (?:i|we|you|one) (?:(?:need|have) to )?|how to |what(?:['’]s| is| are) the (?:best |right )?(?:way|ways|steps) to |what (?:do|should) i do to |(?:i|we) (?:need|want|have|would like|wish|got) (?:you )?to |(?:i|we)['’]d like (?:you )?to |i would like (?:you )?to |(?:i am|i['’]m|we are|we['’]re) (?:trying|going|about|looking) to |let['’]?s |(?:help|teach|show|tell) (?:me|us) (?:how )?to |help (?:me|us) |let (?:me|us) |(?:know|find out|figure out|see|understand) (?=(?:who|what|when|where|why|how|which|if|whether|the|my|our|a|an) )|go ahead and |is it (?:possible|okay|ok) (?:for me )?to |am i able to |please |try to |remember to )+/i;

/** Openings of requests for a thing. */
const WANTING =
  /^(?:(?:please|hi|hey)[, ]+)*(?:what(?:['’]s| is| are| was| were)(?= (?:the|my|our|a|an|your) )|(?:please )?tell me(?: about)?(?= (?:the|my|our|about) )|give me|show me|(?:(?:i|we) )?(?:need|want|would like)(?! (?:you )?to )|do (?:i|we|you) have|is there|are there|i['’]d like(?! (?:you )?to )|looking for|help with|about) /i;

const PRONOUN =
  /^(?:i|we|you|he|she|it|they|someone|somebody|nobody|everyone|everybody|there|this|that|these|those|nothing|i['’]m|i['’]ve|we['’]re|it['’]s|there['’]s|that['’]s)$/i;
const ASKS =
  /^(?:who|whom|whose|what|which|when|where|why|how|what['’]s|who['’]s|where['’]s|how['’]s|when['’]s|am|is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|shall|may|might|must|isn['’]t|aren['’]t|don['’]t|doesn['’]t|didn['’]t|won['’]t|can['’]t)$/i;
const FINITE =
  /^(?:is|are|was|were|am|has|have|had|can|cannot|can['’]t|could|will|would|should|must|may|might|does|do|did|doesn['’]t|don['’]t|didn['’]t|isn['’]t|aren['’]t|wasn['’]t|won['’]t|hasn['’]t|haven['’]t)$/i;

/** A verb after one of these is not the main verb of the sentence. */
const SUBORDINATE =
  /^(?:who|whom|which|that|whose|when|where|before|after|if|because|while|until|unless|to|for|of|about|how|why|what|whether|by|with)$/i;

/** Finds what an intent asks for: something to do, a thing, something that happens, or a question. */
export function readIntent(text: string): Intent {
  const plain = text
    .replace(/[?!.\s]+$/, '')
    .replace(/,? please$/i, '')
    .trim();
  const thing = plain.replace(WANTING, '');
  if (thing !== plain) return readStatement(thing, true);
  const task = plain.replace(ASKING, '');
  if (task === plain || task === '') return readStatement(plain, false);
  const wanted = task.replace(/^(?:need|want) (?!to )/i, '');
  if (wanted !== task || /^(?:the|my|our|a|an) /i.test(task)) return readStatement(wanted, true);
  const words = lowered(parseEnglish(task));
  const [first] = words;
  if (!first || ASKS.test(first.text) || PRONOUN.test(first.text)) return readStatement(task, false);
  return { slot: 'verb', words: asVerb(withoutMe(words)) };
}

/** Turns `buy me a car` into `buy a car`, but leaves `walk me through it`. */
function withoutMe(words: readonly Word[]): readonly Word[] {
  const isGiven =
    /^(?:me|us)$/i.test(words[1]?.text ?? '') &&
    words[2] !== undefined &&
    !SUBORDINATE.test(words[2].text) &&
    !/^through$/i.test(words[2].text);
  return isGiven ? words.filter((_, i) => i !== 1) : words;
}

function readStatement(text: string, isWanted: boolean): Intent {
  const words = lowered(parseEnglish(text));
  const [first] = words;
  if (isWanted) return { slot: isClause(words) ? 'clause' : 'noun', words };
  if (first && ASKS.test(first.text)) return { slot: 'question', words };
  if (first && PRONOUN.test(first.text) && words.length > 2) return { slot: 'clause', words };
  if (first?.part === 'verb' && first.form === 'plain') return { slot: 'verb', words: withoutMe(words) };
  return { slot: isClause(words) ? 'clause' : 'noun', words };
}

/** After `how do i`, the first word is a verb, even if the parser takes it for a noun. */
function asVerb(words: readonly Word[]): Word[] {
  return words.map((word, i) => {
    const isBare = i === 0 && (word.part === 'noun' || word.part === 'adjective') && word.form === 'plain';
    return isBare ? { ...word, lemma: word.text.toLowerCase(), part: 'verb' } : word;
  });
}

/** Removes the capital of the first word, unless the word has other capitals. */
function lowered(words: readonly Word[]): Word[] {
  return words.map((word, i) => {
    const isPlain = i === 0 && /^[A-Z][a-z]+$/.test(word.text);
    return isPlain ? { ...word, text: word.text.toLowerCase() } : word;
  });
}

function isClause(words: readonly Word[]): boolean {
  for (const [i, { text, part, form }] of words.entries()) {
    if (i > 0 && FINITE.test(text)) return true;
    if (i > 0 && part === 'verb' && (form === 'past' || form === 'third' || form === 'plain')) return i < words.length;
    if (SUBORDINATE.test(text)) return false;
  }
  return false;
}

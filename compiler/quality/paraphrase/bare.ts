import {
  ASKS,
  DETERMINER,
  endsAsking,
  FINITE,
  isAction,
  isClause,
  isEvent,
  isName,
  isTurned,
  isVerbLike,
  PREPOSITION,
  PRONOUN,
} from './clauses.ts';
import type { Word } from './english.ts';
import type { IntentForm } from './frames.ts';
import { gerundAt, indirect } from './shapes.ts';

/** The subject of an intent, without the opening words of the request. */
export interface Intent {
  readonly form: IntentForm;
  readonly words: readonly Word[];
}

const CONDITION = /^(?:when|before|after|if|while|once|until|during)$/i;

/** Verbs that are as often nouns before another noun. */
const AMBIGUOUS =
  /^(?:access|audit|backup|build|change|charge|check|code|contact|cost|deploy|design|file|issue|list|log|market|merge|order|plan|post|press|process|pull|queue|rate|record|release|report|request|research|review|run|schedule|share|start|study|support|test|track|trade|transfer|update|work)$/i;

/** Reads an intent that begins with no known opening; null where its form is uncertain. */
export function readBare(words: readonly Word[], isPolite: boolean): Intent | null {
  const [first, second] = words;
  if (!first) return null;
  if (/^(?:do not|don['’]t) (?!i |you |we |they )/i.test(words.map(({ text }) => text).join(' '))) return null;
  if (endsAsking(words)) return { form: 'asked', words };
  if (/^do$/i.test(first.text) && DETERMINER.test(second?.text ?? ''))
    return { form: addressOf(words, isPolite), words };
  if (!ASKS.test(first.text) && isTurned(words)) return { form: 'asked', words };
  if (words.some(({ text }, i) => /,$/.test(text) && ASKS.test(words[i + 1]?.text ?? '')))
    return { form: 'asked', words };
  if (CONDITION.test(first.text) && !(second && FINITE.test(second.text))) return { form: 'condition', words };
  if (ASKS.test(first.text)) return readQuestion(words);
  if (PRONOUN.test(first.text) || /^(?:my|our|your)$/i.test(first.text)) return readSaid(words);
  if (/^(?:let['’]?s|lets|let|do|don['’]t|never|not|no)$/i.test(first.text)) return null;
  if (PREPOSITION.test(first.text) || /^(?:to|than|as)$/i.test(first.text)) return null;
  if (/^need$/i.test(first.text)) return readNeed(words.slice(1));
  // `pull requests`, `process invoices`: two words do not say whether the first is a verb
  if (words.length === 2 && second?.part === 'noun' && AMBIGUOUS.test(first.text)) return null;
  if (first.part === 'verb' && first.form === 'plain' && second) return { form: addressOf(words, isPolite), words };
  if (first.part === 'verb' && first.form === 'gerund' && second)
    return gerundAt(words) ? { form: 'doing', words } : null;
  if (isClause(words)) return { form: isEvent(words) ? 'situation' : 'fact', words: withArticle(words) };
  return isName(words) && first.part !== 'verb' && first.part !== 'adverb' && !words.some(isVerbLike)
    ? { form: 'thing', words }
    : null;
}

/** `need permission`, `need to restart`: the speaker left himself out. */
function readNeed(words: readonly Word[]): Intent | null {
  const [first, second] = words;
  if (/^to$/i.test(first?.text ?? '')) return second ? { form: 'want', words: asVerb(words.slice(1)) } : null;
  return isName(words) && !words.some(isAction) ? { form: 'wanted', words } : null;
}

/** A question, in the order of a statement where that is certain. */
export function readQuestion(words: readonly Word[]): Intent {
  const turned = indirect(words);
  return turned ? { form: 'question', words: turned } : { form: 'asked', words };
}

/** A sentence about the speaker, or about what was said before; not a name alone. */
function readSaid(words: readonly Word[]): Intent | null {
  if (isClause(words) || /^(?:(?:i|it|that|there|we)['’]|im$|ive$|thats$|youre$)/i.test(words[0]?.text ?? '')) {
    const isOthers = /^(?:someone|somebody|nobody|everyone|everybody|nothing|something|he|she|they)$/i.test(
      words[0]?.text ?? '',
    );
    return { form: !isOthers ? 'said' : isEvent(words) ? 'situation' : 'fact', words };
  }
  return isName(words) && !words.some(isVerbLike) ? { form: 'thing', words } : null;
}

const PEOPLE =
  /^(?:agent|candidate|client|colleague|contractor|customer|developer|employee|engineer|journalist|lead|manager|reporter|requester|reviewer|supplier|teammate|user|vendor)$/;

/** `customer wants …` → `a customer wants …`: headlines go without the article, sentences do not. */
function withArticle(words: readonly Word[]): readonly Word[] {
  const [first, second] = words;
  if (!first || !PEOPLE.test(first.text) || !(second?.part === 'verb' || FINITE.test(second?.text ?? ''))) return words;
  const article = /^[aeiou](?!s)/.test(first.text) ? 'an' : 'a';
  return [{ text: article, lemma: article, part: 'other', form: 'plain' }, ...words];
}

/** The addressee of an imperative: the reader (`tell me`), or its own speaker. */
function addressOf(words: readonly Word[], isPolite: boolean): IntentForm {
  if (isPolite || words.some(({ text }) => /^(?:me|us|you|your|yourself)[,.]?$/i.test(text))) return 'request';
  return words.some(({ text }) => /^(?:my|our|mine|myself|i)$/i.test(text)) ? 'own' : 'task';
}

/** After `how do i`, the first word is a verb, even if the parser takes it for a noun. */
export function asVerb(words: readonly Word[]): Word[] {
  return words.map((word, i) => {
    const isBare = i === 0 && (word.part === 'noun' || word.part === 'adjective') && word.form === 'plain';
    return isBare ? { ...word, lemma: word.text.toLowerCase(), part: 'verb' } : word;
  });
}

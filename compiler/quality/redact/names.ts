import { englishParser } from '../english-parser.ts';
import { markOf, type Placeholder } from './placeholders.ts';
import type { KnownWords } from './vocabulary.ts';

/** One word of the parser, with the punctuation and spaces around it. */
interface Term {
  readonly pre: string;
  readonly text: string;
  readonly post: string;
  readonly tags: ReadonlySet<string>;
}

/** Replaces people, places and organisations that the parser recognises by their form or their position. */
export function withoutNames(text: string, vocabulary: KnownWords): string {
  const { docs } = englishParser()(text) as unknown as { readonly docs: readonly (readonly Term[])[] };
  const terms = docs.flat();
  const replaced = terms.map(({ pre, text: word, post }, i) => {
    const kind = word === '' ? null : (kindOf(terms, i, vocabulary) ?? null);
    return `${pre}${kind === null ? word : markOf(kind)}${post}`;
  });
  return replaced.join('');
}

/** The placeholder for a word. Words of the agent's units are no secret; people are replaced even if named there. */
function kindOf(terms: readonly Term[], at: number, vocabulary: KnownWords): Placeholder | null {
  const { text, tags } = terms[at] as Term;
  const parts = text.split(/[^\p{L}\p{N}]+/u).filter((part) => part !== '');
  if (TITLE.test(text)) return 'person';
  if (tags.has('Pronoun') || tags.has('Honorific') || tags.has('Date') || isVerbHere(terms, at, vocabulary))
    return null;
  if (tags.has('Person') || tags.has('FirstName') || tags.has('LastName')) return 'person';
  if (parts.length === 1 && isNameHere(terms, at, vocabulary)) return 'person';
  // the parser takes `API` for an organisation
  if (/^[A-Z]{2,5}$/.test(text) && vocabulary.isKnown(text)) return null;
  if (parts.every((part) => vocabulary.isInUnits(part))) return null;
  if (tags.has('Place')) return 'place';
  if (tags.has('Organization')) return 'company';
  return tags.has('ProperNoun') ? 'name' : null;
}

const TITLE = /^(?:mr|mrs|ms|miss|dr|prof|sir|madam|herr|frau|mme|monsieur|se[nñ]or[a]?)$/i;

/** Words before a person's name. If an article follows them, the next word is not a name. */
const TO_SOMEBODY =
  /^(?:ask(?:s|ed|ing)?|tell(?:s|ing)?|told|call(?:ed|ing)?|e?mail(?:ed|ing)?|message[ds]?|messaging|ping(?:ed|ing)?|page[ds]?|from|cc|bcc|contact(?:ed|ing)?|remind(?:ed|ing)?|notif(?:y|ied)|hi|hello|hey|dear|thanks|mr|mrs|ms|dr|named|says?|said|with)$/i;
const AFTER_VERB =
  /^(?:the|a|an|this|that|these|those|my|our|your|their|his|her|its|it|them|him|us|me|all|any|every|each|as|access|permission|rights|for|up|down|out|whether)$/i;

/** For words that are also names (`mark`, `will`, `rose`), the position decides; if unsure, they are names. */
function isNameHere(terms: readonly Term[], at: number, { meaningsOf, isInUnits }: KnownWords): boolean {
  const { text, tags } = terms[at] as Term;
  const meanings = meaningsOf(text);
  if (meanings === null) return false;
  const before = terms[at - 1]?.text ?? '';
  if (TO_SOMEBODY.test(before)) return true;
  if (meanings !== 'name or verb' || isInUnits(text)) return false;
  const afterModal = terms[at - 1]?.tags.has('Modal') === true;
  const next = terms[at + 1]?.tags;
  return !tags.has('Verb') || afterModal || next?.has('Verb') === true;
}

/** Recognises verbs in `grant access`, `mark it`: in small letters, and followed by a word that follows verbs. */
function isVerbHere(terms: readonly Term[], at: number, { meaningsOf }: KnownWords): boolean {
  const text = terms[at]?.text ?? '';
  if (meaningsOf(text) !== 'name or verb' || text !== text.toLowerCase()) return false;
  return AFTER_VERB.test(terms[at + 1]?.text ?? '') && !TO_SOMEBODY.test(terms[at - 1]?.text ?? '');
}

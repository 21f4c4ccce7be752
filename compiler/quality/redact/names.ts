import nlp from 'compromise/two';
import { markOf, type Placeholder } from './placeholders.ts';
import type { Vocabulary } from './vocabulary.ts';

/** One word as the parser sees it; what stands around it belongs to it. */
interface Term {
  readonly pre: string;
  readonly text: string;
  readonly post: string;
  readonly tags: ReadonlySet<string>;
}

/** Takes out people, places and organisations, as far as the parser knows them by their look or their place. */
export function withoutNames(text: string, vocabulary: Vocabulary): string {
  const { docs } = nlp(text) as unknown as { readonly docs: readonly (readonly Term[])[] };
  const terms = docs.flat();
  const kept = terms.map(({ pre, text: said, post }, i) => {
    const kind = said === '' ? null : (kindOf(terms, i, vocabulary) ?? null);
    return `${pre}${kind === null ? said : markOf(kind)}${post}`;
  });
  return kept.join('');
}

/** What the agent's own units write is no secret; a person is nobody's to tell. */
function kindOf(terms: readonly Term[], at: number, vocabulary: Vocabulary): Placeholder | null {
  const { text, tags } = terms[at] as Term;
  const parts = text.split(/[^\p{L}\p{N}]+/u).filter((part) => part !== '');
  if (TITLE.test(text)) return 'person';
  if (tags.has('Pronoun') || tags.has('Honorific') || tags.has('Date') || isVerbHere(terms, at, vocabulary))
    return null;
  if (tags.has('Person') || tags.has('FirstName') || tags.has('LastName')) return 'person';
  if (parts.length === 1 && isNameHere(terms, at, vocabulary)) return 'person';
  // `API` looks like an organisation, and is a word
  if (/^[A-Z]{2,5}$/.test(text) && vocabulary.isPlain(text)) return null;
  if (parts.every((part) => vocabulary.isWritten(part))) return null;
  if (tags.has('Place')) return 'place';
  if (tags.has('Organization')) return 'company';
  return tags.has('ProperNoun') ? 'name' : null;
}

const TITLE = /^(?:mr|mrs|ms|miss|dr|prof|sir|madam|herr|frau|mme|monsieur|se[nñ]or[a]?)$/i;

/** Whoever is asked, told or written to; not so where an article stands between. */
const TO_SOMEBODY =
  /^(?:ask(?:s|ed|ing)?|tell(?:s|ing)?|told|call(?:ed|ing)?|e?mail(?:ed|ing)?|message[ds]?|messaging|ping(?:ed|ing)?|page[ds]?|from|cc|bcc|contact(?:ed|ing)?|remind(?:ed|ing)?|notif(?:y|ied)|hi|hello|hey|dear|thanks|mr|mrs|ms|dr|named|says?|said|with)$/i;
const AFTER_VERB =
  /^(?:the|a|an|this|that|these|those|my|our|your|their|his|her|its|it|them|him|us|me|all|any|every|each|as|access|permission|rights|for|up|down|out|whether)$/i;

/** Words that are names as well: `mark`, `will`, `rose`. Where they stand tells which; in doubt they are names. */
function isNameHere(terms: readonly Term[], at: number, { meaningsOf, isWritten }: Vocabulary): boolean {
  const { text, tags } = terms[at] as Term;
  const meanings = meaningsOf(text);
  if (meanings === null) return false;
  const before = terms[at - 1]?.text ?? '';
  if (TO_SOMEBODY.test(before)) return true;
  if (meanings !== 'name or verb' || isWritten(text)) return false;
  const asked = terms[at - 1]?.tags.has('Modal') === true;
  const next = terms[at + 1]?.tags;
  return !tags.has('Verb') || asked || next?.has('Verb') === true;
}

/** `grant access`, `mark it`: what begins in small letters, and goes on as after a verb. */
function isVerbHere(terms: readonly Term[], at: number, { meaningsOf }: Vocabulary): boolean {
  const text = terms[at]?.text ?? '';
  if (meaningsOf(text) !== 'name or verb' || text !== text.toLowerCase()) return false;
  return AFTER_VERB.test(terms[at + 1]?.text ?? '') && !TO_SOMEBODY.test(terms[at - 1]?.text ?? '');
}

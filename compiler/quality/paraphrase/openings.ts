import type { IntentForm } from './frames.ts';

/** Opening of a request, and the grammatical form of its rest. */
interface Opening {
  readonly form: IntentForm;
  readonly text: RegExp;
}

const GREETING = /^(?:(?:hi|hey|hello|ok|okay|so|and|please|kindly|well|yes|um|alright|thanks)[, ]+)+/i;
const ENDING = /(?:[?!.,\s]|\b(?:please|thanks|thank you|okay|ok)$)+$/i;

const ASKED_FOR =
  "(?=(?:what['’]?s|who['’]s|where['’]s|when['’]s|how['’]s|who|whom|what|when|where|why|how|which|if|whether|the|my|our|your|a|an|his|her|their|this) )";
const NOT_TOLD =
  '(?!(?:know|tell|find out|see|say|learn|hear|ask|mind|like|rather|want|happen|believe|think|consider) )';

/** The first that fits decides; the longer openings stand before those that they begin with. */
const OPENINGS: readonly Opening[] = [
  {
    form: 'how',
    text: /^(?:(?:i(?:['’]d| would) like|i|we)? ?(?:want|need)? ?(?:to )?(?:know|learn|find out|figure out|understand) how (?:to|(?:i|we|you|one) (?:can|could|should)) |(?:can|could|would|will) you (?:please )?(?:tell|show|teach|explain to) me how (?:to|(?:i|we) (?:can|could|should)) |(?:please )?(?:tell|show|teach|explain to) (?:me|us) how (?:to|(?:i|we) (?:can|could|should)) |(?:can|could) you help me figure out how to |i (?:do not|don['’]t) know how to |(?:do you know |any idea )?how to |how (?:do|can|should|would|could|must|might|shall) (?:i|we|you|one|someone) |what(?:['’]s| is| are|s) the (?:best |right |proper |easiest |fastest |quickest |correct )?(?:way|ways|steps|process|procedure) (?:to|for me to) |what (?:do|should) (?:i|we) (?:do|need to do|have to do) to |what steps (?:do|should) (?:i|we) take to |is there (?:a|any|an easy) way to )/i,
  },
  {
    form: 'told',
    text: new RegExp(
      `^(?:(?:can|could|would|will) you (?:please )?(?:tell me|let me know|find out|explain|find out for me) |(?:please )?(?:tell me|let me know|inform me|explain to me|remind me|find out|figure out) |(?:i|we) (?:really )?(?:wanna|gotta|want|need|have|must|would like|would love) (?:to )?(?:know|find out|figure out) |i['’]d (?:like|love) to (?:know|find out) |do you (?:happen to )?know |i (?:am|was) (?:wondering|curious) |i['’]m (?:wondering|curious) |i wonder |i (?:do not|don['’]t) know |any idea )${ASKED_FOR}`,
      'i',
    ),
  },
  { form: 'told', text: /^what(?:['’]?s| is| are)(?= (?:the|my|our|your|his|her|their) )/i },
  {
    form: 'thing',
    text: /^(?:(?:can|could|would) you (?:please )?tell me about |(?:please )?tell me (?:more )?about |what about |(?:i|we) (?:want|need|would like) to (?:know|learn) (?:more )?about |(?:i need )?help with |information (?:on|about) |questions? about )/i,
  },
  {
    form: 'request',
    text: new RegExp(
      `^(?:(?:can|could|would|will) you (?:please |kindly )?${NOT_TOLD}|would you be able to |(?:i|we) (?:want|need|would like) you to |i['’]d like you to |go ahead and )`,
      'i',
    ),
  },
  {
    form: 'may',
    text: /^(?:can|may|could) (?:i|we) (?!(?:have|get|ask|see|talk|speak|help) )|^am i (?:allowed|permitted) to |^is it (?:okay|ok|possible) (?:for me )?to |^is it (?:okay|ok) if i /i,
  },
  {
    form: 'want',
    text: /^(?:(?:i|we) (?:really |just )?(?:need|want|have|would really like|would like|would love|wish|plan|intend|hope|got|gotta) to (?!know )|(?:i|we)['’]d (?:really )?(?:like|love) to (?!know )|i['’]ve got to |(?:i am|i['’]m|we are|we['’]re) (?:trying|going|looking|hoping|planning) to |i (?:wanna|gotta) (?!know )|let me (?!know )|let us |let['’]?s )/i,
  },
  {
    form: 'wanted',
    text: /^(?:(?:i|we) (?:need|want|would like|require|could use)|i['’]d like|i['’]m in need of|(?:can|could|may) i (?:get|have)) (?=(?:a|an|some|more|another|any) )/i,
  },
];

/** An opening with what follows it. */
export interface Opened {
  readonly form: IntentForm | null;
  readonly rest: string;
  /** The request with its opening, without greetings and pleas. */
  readonly whole: string;
  /** Whether it asked to be told: `tell me …`, not `what is …`. */
  readonly isTelling: boolean;
}

/** Splits a request from its opening; `form` is null where no opening is known. */
export function openingOf(text: string): Opened {
  const plain = text.replace(ENDING, '').trim();
  const bare = plain.replace(GREETING, '').trim() || plain;
  for (const { form, text: opening } of OPENINGS) {
    const rest = bare.replace(opening, '').trim();
    if (rest !== bare && rest !== '') return { form, rest, whole: bare, isTelling: !/^what/i.test(bare) };
  }
  return { form: null, rest: bare, whole: bare, isTelling: false };
}

/** Whether a text asks to be polite: `please`, and no more, at its begin or end. */
export function isPlea(text: string): boolean {
  return /^please\b|\bplease[?!.\s]*$/i.test(text.trim());
}

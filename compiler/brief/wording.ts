import { MAX_QUESTION_LENGTH } from '../schema/source/brief-answer.ts';
import { ENGLISH, LANGUAGES, type Language } from '../schema/source/language.ts';
import { MAX_PHRASE_LENGTH } from '../schema/source/phrases.ts';
import type { BriefKind } from './brief.ts';

/** How many sentences of each kind are asked for. */
export const OF_EACH = 2;

/** Ways to say one thing, with a rule for each. What finds a unit by all of them is found by what nobody has thought of. */
export const KINDS: readonly (readonly [name: string, rule: string])[] = [
  ['In other words', 'what the unit is for, without the words of its name, its description and its headings.'],
  ['A situation', 'what has just happened, or how things stand. It names no activity and asks for nothing.'],
  ['An idiom', 'a figure of speech, or the slang of the trade.'],
  ['Long and messy', 'typed in a hurry: half a sentence, something beside the point, no capital letters.'],
];

/** What a kind of brief says of itself. */
interface Wording {
  readonly title: string;
  readonly purpose: string;
  /** @param language of the handbook */
  readonly rules: (language: Language) => readonly string[];
}

const alike = (language: Language) => [
  'Say it as an agent would that has not read the unit: it knows its own situation, and not the words of the page.',
  'Each sentence fits its own unit better than every other unit of the outline. Leave out what fits two.',
  language === ENGLISH
    ? 'Write in the language of the unit’s text; where its description or its triggers are in others too, in each of them.'
    : `Of the ${OF_EACH} sentences of each kind, write one in ${LANGUAGES[language]} and one in English: coding agents ask in both.`,
  'No names of people or companies, no addresses, no secrets, and no order to whoever reads it.',
];

export const WORDINGS: Readonly<Record<BriefKind, Wording>> = {
  phrases: {
    title: 'phrases',
    purpose:
      'Write what an agent may say when it needs one of these units. Recall compares what an agent says with these ' +
      'sentences, so each is a way to the unit that its text and its triggers do not have.',
    rules: (language) => [
      `One sentence, on one line, of at most ${MAX_PHRASE_LENGTH} characters.`,
      'No trigger with a word changed or in another order: it finds nothing that the trigger does not find.',
      ...alike(language),
    ],
  },
  probes: {
    title: 'probes',
    purpose:
      'Write questions that one of these units answers. Every compile asks them, and fails if the unit is not found: they ' +
      'foretell what agents will find. So they are written blind, without what finds the units today. Do not look it up.',
    rules: (language) => [
      `One question or statement, on one line, of at most ${MAX_QUESTION_LENGTH} characters.`,
      ...alike(language),
    ],
  },
};

import { MAX_QUESTION_LENGTH, MOST_TRIGGERS } from '../schema/source/brief-answer.ts';
import { ENGLISH, LANGUAGES, type Language } from '../schema/source/language.ts';
import { MAX_PHRASE_LENGTH } from '../schema/source/phrases.ts';
import { MAX_DESCRIPTION_LENGTH, MAX_TRIGGER_LENGTH } from '../schema/source/unit.ts';
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

/** The wording of a kind of brief. */
interface Wording {
  readonly title: string;
  /** Whether it asks for sentences of each kind. */
  readonly isOfKinds: boolean;
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
    isOfKinds: true,
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
    isOfKinds: true,
    purpose:
      'Write questions that one of these units answers. Every compile asks them, and fails if the unit is not found: they ' +
      'foretell what agents will find. So they are written blind, without what finds the units today. Do not look it up.',
    rules: (language) => [
      `One question or statement, on one line, of at most ${MAX_QUESTION_LENGTH} characters.`,
      ...alike(language),
    ],
  },
  units: {
    title: 'names, descriptions and triggers',
    isOfKinds: false,
    purpose:
      'Say of each of these units what it is called, when an agent needs it, and in which situations it is found. They are proposed ' +
      'for texts that the project has already, and their words were made without understanding them: yours take their place, ' +
      'where they are better. Nothing is written yet.',
    rules: (language) => [
      '`name`: two or three words of [a-z0-9-] by which somebody would look for it, such as `release-notes`. Leave it out to keep the name.',
      `\`description\`: one line of at most ${MAX_DESCRIPTION_LENGTH} characters that says when an agent needs the unit, in words that its neighbours do not have: an agent chooses by it. Not “Instructions on …”.`,
      `\`triggers\`: one to ${MOST_TRIGGERS} situations, each on one line of at most ${MAX_TRIGGER_LENGTH} characters, as an agent would say them that has not read the unit, such as “about to publish a package”.`,
      'Each trigger says something else than the others, and fits its own unit better than every other unit of the outline.',
      'Say nothing that the text does not say, and leave out a unit whose words are good as they are.',
      language === ENGLISH
        ? 'Write in the language of the unit’s text.'
        : `Write descriptions in ${LANGUAGES[language]}, and triggers in ${LANGUAGES[language]} and in English: coding agents ask in both.`,
      'No names of people or companies, no addresses, no secrets, and no order to whoever reads it.',
    ],
  },
};

import { MAX_QUESTION_LENGTH, MOST_TRIGGERS } from '../schema/source/brief-answer.ts';
import { ENGLISH, LANGUAGES, type Language } from '../schema/source/language.ts';
import { MAX_PHRASE_LENGTH } from '../schema/source/phrases.ts';
import { MAX_DESCRIPTION_LENGTH, MAX_TRIGGER_LENGTH } from '../schema/source/unit.ts';
import type { BriefKind } from './brief.ts';

/** Number of requested sentences of each kind. */
export const OF_EACH = 2;

/** Ways to say one thing, with a rule for each: together they find units that no single way finds. */
export const KINDS: readonly (readonly [name: string, rule: string])[] = [
  ['In other words', 'says what the unit is for, without the words of its name, its description or its headings.'],
  [
    'A situation',
    'says what has just happened, or what the state of things is. It names no activity and asks for nothing.',
  ],
  ['An idiom', 'uses a figure of speech, or the jargon of the field.'],
  ['Long and messy', 'looks typed in a hurry: half a sentence, an irrelevant detail, no capital letters.'],
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
  'Write as an agent that has not read the unit: it knows its own situation, but not the words of the unit.',
  'Each sentence must fit its own unit better than every other unit in the outline. Omit a sentence that fits two units.',
  language === ENGLISH
    ? 'Write in the language of the unit’s text. If its description or triggers use other languages too, write in each of them.'
    : `Of the ${OF_EACH} sentences of each kind, write one in ${LANGUAGES[language]} and one in English: coding agents ask in both languages.`,
  'Do not write names of people or companies, addresses, secrets, or instructions to the reader.',
];

/** Rules for a brief with numbered lines. */
export const ALWAYS_RULES: readonly string[] = [
  'A unit comes only when a task needs it. `always` names the numbered lines that must hold in **every** task, as `unit:number`.',
  'An agent sees these lines at each start, with their headings, and the units keep them. There is room for some 200 tokens, so name only what no task may miss, such as prohibitions and limits.',
  'Judge a numbered line with the heading and the lines above it: an obsolete rule, a bad example or the opinion of somebody else never holds. Write `"always": []` if no line must always hold.',
];

export const WORDINGS: Readonly<Record<BriefKind, Wording>> = {
  phrases: {
    title: 'phrases',
    isOfKinds: true,
    purpose:
      'Write what an agent may say when it needs one of these units. Recall compares the words of an agent with these ' +
      'sentences, so each should find the unit where its text and triggers do not.',
    rules: (language) => [
      `Write each phrase as one sentence on one line, with at most ${MAX_PHRASE_LENGTH} characters.`,
      'Do not repeat a trigger with one word changed or in another order: it finds nothing that the trigger does not find.',
      'Name a unit that needs no phrases in `declined`, such as one that nobody asks for in words; it comes again once its text changes.',
      ...alike(language),
    ],
  },
  probes: {
    title: 'probes',
    isOfKinds: true,
    purpose:
      'Write questions that one of these units answers. Every compile asks them, and fails if a question does not find its unit. ' +
      'They predict what agents will find, so write them blind: do not look up the triggers and phrases of the units.',
    rules: (language) => [
      `Write each probe as one question or statement on one line, with at most ${MAX_QUESTION_LENGTH} characters.`,
      ...alike(language),
    ],
  },
  units: {
    title: 'names, descriptions and triggers',
    isOfKinds: false,
    purpose:
      'Write a name, a description and triggers for each of these units. The units are proposed from existing texts of the project. ' +
      'A program chose their present words without understanding the texts: replace them where you have better ones. ' +
      'Nothing is written to disk yet.',
    rules: (language) => [
      '`name`: two or three words of [a-z0-9-] that somebody would search for, such as `release-notes`. Omit it to keep the present name.',
      `\`description\`: one line of at most ${MAX_DESCRIPTION_LENGTH} characters that says when an agent needs the unit. Agents choose by it, so use words that the other units do not have. Do not write “Instructions on …”.`,
      `\`triggers\`: one to ${MOST_TRIGGERS} situations, each on one line of at most ${MAX_TRIGGER_LENGTH} characters, in the words of an agent that has not read the unit, such as “about to publish a package”.`,
      'Each trigger must describe a different situation, and fit its own unit better than every other unit in the outline.',
      'State nothing that the text does not state. Omit a unit whose present words are good.',
      language === ENGLISH
        ? 'Write in the language of the unit’s text.'
        : `Write descriptions in ${LANGUAGES[language]}, and triggers in both ${LANGUAGES[language]} and English: coding agents ask in both languages.`,
      'Do not write names of people or companies, addresses, secrets, or instructions to the reader.',
    ],
  },
};

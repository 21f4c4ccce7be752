import type { Lexicon } from '../../schema/source/lexicon.ts';
import { isHeldOut } from './held-out.ts';

/**
 * The form of a trigger. Each form has frames of its own, so that a paraphrase asks for the same. `task` is a bare
 * imperative (`route a task`), `own` one about the speaker's things (`cancel my order`), `request` one to somebody else
 * (`can you …`); `situation` is what may happen (`a customer complains`), `fact` what is so (`the disk is full`);
 * `label` anything that was not understood.
 */
export type IntentForm =
  | 'task'
  | 'own'
  | 'request'
  | 'how'
  | 'want'
  | 'may'
  | 'doing'
  | 'thing'
  | 'wanted'
  | 'told'
  | 'question'
  | 'asked'
  | 'situation'
  | 'fact'
  | 'said'
  | 'condition'
  | 'label';

export interface Frame {
  readonly form: IntentForm;
  /** The text with its slot: `i'm trying to {verb}`. */
  readonly text: string;
}

const TOLD =
  "could you tell me {question} | i'd like to find out {question} | i'd like to know {question} | " +
  'can you let me know {question} | would you happen to know {question} | could you find out {question} | ' +
  "i'm trying to find out {question} | i'd love to know {question} | help me find out {question}";

/** Frames by form; all of them are held out from training, and a test says so. */
const TABLE: Readonly<Record<IntentForm, string>> = {
  task:
    "i need to {verb} | i'm trying to {verb} | i would like to {verb} | help me {verb} | i intend to {verb} | " +
    "i plan to {verb} | i'm hoping to {verb} | i've got to {verb} | what are the steps to {verb}",
  own: "i need to {verb} | i'm trying to {verb} | i would like to {verb} | help me {verb} | i'm hoping to {verb} | i've got to {verb}",
  request:
    'i need you to {verb} | i would like you to {verb} | would you be able to {verb} | could i ask you to {verb} | ' +
    "is it possible for you to {verb} | i'd appreciate it if you could {verb} | i was hoping you could {verb} | " +
    'i wonder if you could {verb} | i want you to {verb}',
  how:
    "how am i supposed to {verb} | what's the way to {verb} | what are the steps to {verb} | i want to know how to {verb} | " +
    'i am trying to find out how to {verb} | please explain how to {verb} | tell me how to {verb} | ' +
    'walk me through how to {verb} | any idea how to {verb} | i need help figuring out how to {verb}',
  want: "i need to {verb} | i would like to {verb} | i'm trying to {verb} | i'm hoping to {verb} | help me {verb} | i've got to {verb}",
  may:
    "would it be possible to {verb} | would it be okay to {verb} | could you tell me if i can {verb} | i'd like to know if i can {verb} | " +
    "i'm wondering if i can {verb} | is there any way i can {verb} | i want to know if i can {verb}",
  doing:
    'steps for {doing} | any guidance on {doing} | looking for guidance on {doing} | tips on {doing} | how do i go about {doing} | ' +
    'help with {doing} | instructions for {doing} | advice on {doing} | i have a question about {doing}',
  thing:
    'i have a question about {noun} | any guidance on {noun} | looking for guidance on {noun} | please tell me about {noun} | ' +
    "help with {noun} | what should i know about {noun} | i'm looking for information on {noun} | details on {noun} | " +
    "i'd like to know more about {noun} | i'm asking about {noun}",
  wanted:
    "i'd like {noun} | i'm in need of {noun} | i require {noun} | could i get {noun} | please give me {noun} | can you give me {noun}",
  told: TOLD,
  question: `${TOLD} | do you know {question} | any idea {question} | i was wondering {question}`,
  asked:
    "let me ask, {asked} | i have a question: {asked} | please tell me, {asked} | excuse me, {asked} | i'm wondering, {asked} | " +
    'just curious, {asked} | out of curiosity, {asked} | i wanted to ask, {asked} | please help me with this: {asked}',
  situation:
    'tell me what to do if {clause} | what happens if {clause} | what should happen when {clause} | how do we react when {clause} | ' +
    "we have a case where {clause} | here's the situation: {clause} | give me the steps when {clause} | " +
    'what am i supposed to do if {clause} | what comes next when {clause}',
  fact:
    'tell me what to do if {clause} | what happens if {clause} | we have a case where {clause} | it looks like {clause} | ' +
    "i noticed that {clause} | i just learned that {clause} | here's the situation: {clause} | it turns out that {clause} | " +
    'what am i supposed to do if {clause} | heads-up, {clause}',
  said:
    'just so you know, {clause} | well, {clause} | i want you to know that {clause} | the thing is that {clause} | ' +
    'the fact is that {clause} | i should mention that {clause} | please note that {clause} | listen, {clause}',
  condition:
    "what must i do {when} | how do i proceed {when} | what are the rules {when} | what applies {when} | what's expected of me {when} | " +
    'which steps to take {when}',
  label:
    'regarding {noun} | with regard to {noun} | on the topic of {noun} | re: {noun} | note: {noun} | query: {noun} | reminder: {noun}',
};

/** All frames of the table, by form. */
export const FRAMES: readonly Frame[] = Object.entries(TABLE).flatMap(([form, texts]) =>
  texts.split(' | ').map((text) => ({ form: form as IntentForm, text })),
);

/** The frames that a lexicon lists, or whose text is held out: none of them has trained a model. */
export function framesOf({ frames }: Pick<Lexicon, 'frames'>): readonly Frame[] {
  const opening = (text: string) => text.replace(/\}.*$/, '}');
  const asNoun = (text: string) => text.replace('{doing}', '{noun}');
  const known = new Set(frames.flatMap((it) => [opening(it), opening(it.replace(/ (?:a|the|my|this) \{/, ' {'))]));
  return FRAMES.filter(({ text }) => known.has(asNoun(text)) || isHeldOut('frame', text));
}

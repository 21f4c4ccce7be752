import type { Lexicon } from '../../schema/source/lexicon.ts';
import { isHeldOut } from './held-out.ts';

/** The ways in which people put the same thing. */
export const MOODS = ['question', 'first', 'gerund', 'telegraphic', 'request', 'order'] as const;

export type Mood = (typeof MOODS)[number];

/**
 * The form of what a frame is put around: something to do (`route a task`), its gerund (`routing a task`), a thing,
 * something that happens, an indirect question (`whether i may`) and a direct one (`may i`).
 */
export type Slot = 'verb' | 'doing' | 'noun' | 'clause' | 'question' | 'asked';

export interface Frame {
  readonly mood: Mood;
  readonly slot: Slot;
  /** The text with its slot: `how can i {verb}`. */
  readonly text: string;
}

/** The frames of `domain/frames.yaml` that fit any work, cut after their first slot, and similar ones. */
const TABLE: Readonly<Record<Slot, Readonly<Partial<Record<Mood, string>>>>> = {
  verb: {
    question:
      'how can i {verb} | how should we {verb} | how would you {verb} | what does it take to {verb} | ' +
      "what's the way to {verb} | what do i need to {verb}",
    first:
      "i need to {verb} | i'm trying to {verb} | i am about to {verb} | i was asked to {verb} | i've got to {verb} | " +
      "it's my turn to {verb} | i was told to {verb} | i'm supposed to {verb} | i will now {verb}",
    request:
      'could you help me {verb} | help me {verb} | tell me how to {verb} | remind me to {verb} | ' +
      'walk me through how to {verb} | would it be possible to {verb} | go ahead and {verb} | kindly {verb}',
    telegraphic: 'how to {verb} | time to {verb}',
  },
  doing: {
    question:
      'what are the rules for {doing} | who should i ask about {doing} | what about {doing} | who decides about {doing}',
    first: "i have a question about {doing} | i'm dealing with {doing} | i'm in the middle of {doing}",
    gerund:
      'steps for {doing} | any guidance on {doing} | looking for guidance on {doing} | notes on {doing} | tips on {doing}',
    request: 'please tell me about {doing} | help with {doing} | someone asked about {doing}',
  },
  noun: {
    question: 'what are the rules for {noun} | who should i ask about {noun} | what about {noun}',
    first: "i have a question about {noun} | i'm dealing with {noun} | stuck on {noun}",
    gerund: 'any guidance on {noun} | looking for guidance on {noun} | notes on {noun} | tips on {noun}',
    request: 'please tell me about {noun} | help with {noun} | help me with {noun} | someone asked about {noun}',
    telegraphic: 'about {noun} | next up: {noun} | question about {noun}',
  },
  clause: {
    question:
      'what should happen when {clause} | how do we react when {clause} | what comes next when {clause} | what if {clause}',
    first: 'it looks like {clause} | i see that {clause} | i noticed that {clause} | we have a case where {clause}',
    request: 'tell me what to do when {clause} | give me the steps when {clause} | heads-up, {clause}',
    telegraphic: 'urgent: {clause} | case: {clause} | in case {clause}',
    gerund: 'my situation: {clause} | here is the situation: {clause}',
  },
  question: {
    question: 'do you know {question} | who knows {question} | can you say {question}',
    first: "i don't know {question}",
    request: 'could you tell me {question} | find out {question}',
    telegraphic: 'any idea {question} | figure out {question}',
  },
  asked: {
    question: 'may i ask, {asked} | let me ask, {asked}',
    first: 'i have a question: {asked} | i was asked this: {asked}',
    request: 'remind me, {asked} | answer me this: {asked}',
    telegraphic: 'just checking: {asked} | asking for a colleague: {asked} | not sure: {asked}',
  },
};

/** All frames of the table, by slot and mood. */
export const FRAMES: readonly Frame[] = Object.entries(TABLE).flatMap(([slot, moods]) =>
  Object.entries(moods).flatMap(([mood, texts]) =>
    texts.split(' | ').map((text) => ({ mood: mood as Mood, slot: slot as Slot, text })),
  ),
);

/** The frames that a lexicon lists, or whose text is held out: none of them has trained a model. */
export function framesOf({ frames }: Pick<Lexicon, 'frames'>): readonly Frame[] {
  const opening = (text: string) => text.replace(/\}.*$/, '}');
  const asNoun = (text: string) => text.replace('{doing}', '{noun}');
  const known = new Set(frames.flatMap((it) => [opening(it), opening(it.replace(/ (?:a|the|my|this) \{/, ' {'))]));
  return FRAMES.filter(({ text }) => known.has(asNoun(text)) || isHeldOut('frame', text));
}

import type { Word } from './english.ts';
import type { Frame, Mood, Slot } from './frames.ts';
import type { Intent } from './intent.ts';
import { gerundOf, happening, indirect, objectFirst, passiveOf, telegram } from './shapes.ts';

/** A way to put an intent, before any word is replaced by a synonym. */
export interface Draft {
  readonly mood: Mood;
  /** The frame with its slot, or the slot alone. */
  readonly frame: string;
  readonly words: readonly Word[];
}

const BARE = '{}';

/** All ways to put an intent that its words allow, by mood. */
export function draftsOf(intent: Intent, frames: readonly Frame[]): ReadonlyMap<Mood, readonly Draft[]> {
  const drafts = new Map<Mood, Draft[]>();
  const add = (mood: Mood, frame: string, words: readonly Word[] | null) => {
    if (words) drafts.set(mood, [...(drafts.get(mood) ?? []), { mood, frame, words }]);
  };
  const frame = (slot: Slot, words: readonly Word[] | null, moods?: readonly Mood[], as?: Mood) => {
    for (const it of frames) {
      if (it.slot !== slot || (moods && !moods.includes(it.mood))) continue;
      add(as ?? it.mood, it.text.replace(`{${slot}}`, BARE), words);
    }
  };
  const { slot, words } = intent;
  if (slot === 'verb') addTask(intent, add, frame);
  else if (slot === 'noun') frame('noun', words);
  else if (slot === 'clause') {
    frame('clause', words);
    add('gerund', BARE, happening(intent));
    frame('doing', happening(intent), ['gerund']);
  } else addQuestion(intent, frame);
  add('telegraphic', BARE, telegram(intent));
  return drafts;
}

type Add = (mood: Mood, frame: string, words: readonly Word[] | null) => void;
type FrameIn = (slot: Slot, words: readonly Word[] | null, moods?: readonly Mood[], as?: Mood) => void;

function addTask(intent: Intent, add: Add, frame: FrameIn): void {
  frame('verb', intent.words);
  add('order', `i've got ${BARE}`, objectFirst(intent));
  add('order', BARE, passiveOf(intent, 'needs to be'));
  add('order', `there is ${BARE}`, objectFirst(intent));
  add('order', BARE, passiveOf(intent, 'must be'));
  const gerund = gerundOf(intent);
  frame('doing', gerund, undefined, 'gerund');
  add('gerund', BARE, gerund);
}

function addQuestion(intent: Intent, frame: FrameIn): void {
  const turned = indirect(intent);
  if (turned) frame('question', turned);
  else frame('asked', intent.words);
}

import type { Lexicon } from '../../schema/source/lexicon.ts';
import { draftsOf, type Draft } from './drafts.ts';
import { framesOf, MOODS, type Frame, type Mood } from './frames.ts';
import { readIntent } from './intent.ts';
import { recontract, respell } from './shorthand.ts';
import { stemsOf, triggerFilter } from './stems.ts';
import { createThesaurus, type Thesaurus } from './thesaurus.ts';
import { render, sitesOf, type Site } from './wording.ts';

/** How many paraphrases §21.8.3 asks for. */
export const PARAPHRASES = 5;

/** Makes up to `n` paraphrases of an intent, without those for which `isTrigger` holds: they would prove nothing. */
export type Paraphraser = (intent: string, n?: number, isTrigger?: (text: string) => boolean) => string[];

/** How often every mood is tried before fewer than `n` paraphrases are accepted. */
const ROUNDS = 12;

const cached = new WeakMap<Lexicon, Paraphraser>();

/** Indexes a lexicon, once for all gardens of a process. */
export function createParaphraser(lexicon: Lexicon): Paraphraser {
  const paraphraser = cached.get(lexicon) ?? indexLexicon(lexicon);
  cached.set(lexicon, paraphraser);
  return paraphraser;
}

function indexLexicon(lexicon: Lexicon): Paraphraser {
  const thesaurus = createThesaurus(lexicon);
  const frames = framesOf(lexicon);
  return (intent, n = PARAPHRASES, isTrigger = () => false) => {
    if (!/[\p{L}\p{N}]/u.test(intent)) return [];
    return vary(intent, n, isTrigger, thesaurus, frames);
  };
}

/**
 * Puts an intent in other ways (§21.8.3): in other moods, with other words, in another order. Reads only the intent and
 * uses no encoder. The same intent and lexicon always give the same paraphrases; the set of stems of each differs from
 * that of the intent and of the others.
 */
export function paraphrase(intent: string, lexicon: Lexicon, n: number = PARAPHRASES): string[] {
  return createParaphraser(lexicon)(intent, n);
}

function vary(
  intent: string,
  n: number,
  isTrigger: (text: string) => boolean,
  thesaurus: Thesaurus,
  frames: readonly Frame[],
): string[] {
  const isOwn = triggerFilter([intent]);
  const drafts = draftsOf(readIntent(intent), frames);
  const seed = hash(intent);
  const moods = rotate(
    MOODS.filter((mood) => drafts.has(mood)),
    seed,
  );
  const found = new Map<string, string>();
  for (let turn = 0; turn < ROUNDS * moods.length && found.size < n; turn++) {
    const draft = pickDraft(drafts, moods, turn, seed);
    if (!draft) continue;
    const text = renderDraft(draft, thesaurus, turn, seed);
    const stems = stemsOf(text);
    if (stems === '' || found.has(stems) || isOwn(text) || isTrigger(text)) continue;
    found.set(stems, text);
  }
  return [...found.values()];
}

function pickDraft(
  drafts: ReadonlyMap<Mood, readonly Draft[]>,
  moods: readonly Mood[],
  turn: number,
  seed: number,
): Draft | undefined {
  const own = drafts.get(moods[turn % moods.length] ?? 'first') ?? [];
  return own[(seed + Math.floor(turn / moods.length)) % own.length];
}

/** A draft as a person would write it: with synonyms, contractions and abbreviations. */
function renderDraft({ mood, frame, words }: Draft, thesaurus: Thesaurus, turn: number, seed: number): string {
  const body = render(words, chooseAlternatives(sitesOf(words, thesaurus), turn, seed));
  const short = mood === 'telegraphic' || turn % 3 === 1 ? respell(body) : body;
  const text = frame.replace('{}', () => short);
  return (turn % 2 === 0 ? recontract(text) : text).replace(/\bi(?=['’ ]|$)/g, 'I');
}

/** The synonyms of this turn: every third turn changes one site, the others all of them. */
function chooseAlternatives(sites: readonly Site[], turn: number, seed: number): Map<Site, string> {
  const chosen = new Map<Site, string>();
  sites.forEach((site, s) => {
    const isChanged = turn % 3 !== 1 || (seed + turn) % sites.length === s;
    const option = site.alternatives[(turn + s) % site.alternatives.length];
    if (isChanged && option !== undefined) chosen.set(site, option);
  });
  return chosen;
}

function rotate<T>(list: readonly T[], by: number): T[] {
  return list.map((_, i) => list[(i + by) % list.length] as T);
}

/** FNV-1a, so that all choices depend on the text alone. */
function hash(text: string): number {
  let state = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) state = Math.imul(state ^ text.charCodeAt(i), 0x01000193) >>> 0;
  return state;
}

import type { KeptResults } from '../../schema/kept-results.ts';
import type { Lexicon } from '../../schema/source/lexicon.ts';
import { createDrafts, type Paraphrase } from './drafts.ts';
import type { Word } from './english.ts';
import { framesOf, type Frame, type IntentForm } from './frames.ts';
import { readIntent } from './intent.ts';
import { createIsOtherLanguage } from './language.ts';
import { telegram } from './shapes.ts';
import { respell } from './shorthand.ts';
import { stemsOf, triggerFilter } from './stems.ts';
import { indexSwaps, render, sitesOf, type Site, type Swaps } from './wording.ts';

/** Number of paraphrases that §21.8.3 asks for. */
export const PARAPHRASES = 5;

/**
 * Makes up to `n` paraphrases of an intent (§21.8.3), in other frames and with other words, without those for whose
 * stems `isTrigger` holds: they would prove nothing. It makes none of a text in another language than English. It reads
 * only the intent and uses no encoder. The same intent and lexicon always give the same paraphrases; the set of stems
 * of each differs from that of the intent and of the others.
 */
export type Paraphraser = (intent: string, n?: number, isTrigger?: (stems: string) => boolean) => Paraphrase[];

type Drafts = ReturnType<typeof createDrafts>;

const cached = new WeakMap<Lexicon, Drafts>();

/** Indexes a lexicon, once for all gardens of a process. @param kept the drafts of earlier runs */
export function createParaphraser(lexicon: Lexicon, kept: KeptResults | null = null): Paraphraser {
  const draftsOf = cached.get(lexicon) ?? indexLexicon(lexicon);
  cached.set(lexicon, draftsOf);
  return (intent, n = PARAPHRASES, isTrigger = () => false) => {
    const plain = intent.normalize('NFKC');
    const { drafts, keep } = draftsOf(plain, kept);
    const found = vary(plain, n, isTrigger, drafts);
    keep();
    return found;
  };
}

/** The material of a lexicon, ready for use. */
interface Material {
  readonly swaps: Swaps;
  readonly frames: ReadonlyMap<IntentForm, readonly Frame[]>;
}

function indexLexicon(lexicon: Lexicon): Drafts {
  const isOtherLanguage = createIsOtherLanguage(lexicon);
  const frames = new Map<IntentForm, Frame[]>();
  for (const frame of framesOf(lexicon)) frames.set(frame.form, [...(frames.get(frame.form) ?? []), frame]);
  const material: Material = { swaps: indexSwaps(lexicon), frames };
  return createDrafts(function* (intent) {
    if (/[\p{L}\p{N}]/u.test(intent) && !isOtherLanguage(intent)) yield* draftsOf(intent, material);
  });
}

/** The first drafts that say something else than the intent, than a trigger and than each other. */
function vary(
  intent: string,
  n: number,
  isTrigger: (stems: string) => boolean,
  drafts: Iterable<Paraphrase>,
): Paraphrase[] {
  const isOwn = triggerFilter([intent]);
  const found = new Map<string, Paraphrase>();
  for (const draft of drafts) {
    if (found.size >= n) break;
    const stems = stemsOf(draft.text);
    if (stems === '' || found.has(stems) || isOwn(stems) || isTrigger(stems)) continue;
    found.set(stems, draft);
  }
  return [...found.values()];
}

/** All paraphrases, best first: in frames of the intent's form with other words, in frames alone, and mechanical. */
function* draftsOf(intent: string, { frames, swaps }: Material): Generator<Paraphrase> {
  const { form, words } = readIntent(intent);
  const seed = hash(intent);
  const own = form === 'label' ? [] : rotated(fitting(frames.get(form) ?? [], words), seed);
  const sites = sitesOf(words, swaps);
  for (const [turn, frame] of own.entries()) yield sound(frame, bodyOf(words, sites, turn, seed));
  for (const frame of own) yield sound(frame, render(words));
  const bodies = [render(telegram(words)), render(words)];
  for (const body of bodies) {
    for (const frame of rotated(frames.get('label') ?? [], seed)) yield { ...sound(frame, body), kind: 'mechanical' };
  }
}

/** A frame whose words the intent has already would repeat them: `help me help them`. */
function fitting(frames: readonly Frame[], words: readonly Word[]): Frame[] {
  const said = new Set(stemsOf(render(words)).split(' '));
  const isThat = /^that/i.test(words[0]?.text ?? '');
  return frames.filter(({ text }) => {
    if (isThat && text.includes('that {')) return false;
    const own = stemsOf(text.replace(/\{\w+\}/, ''));
    return own === '' || !own.split(' ').some((stem) => said.has(stem));
  });
}

const sound = ({ text }: Frame, body: string): Paraphrase => ({
  // code keeps its letters: `for i in …`
  text: withCapital(text).replace(/\{\w+\}/, () => (body.includes('`') ? body : withCapital(body))),
  kind: 'sound',
});

const withCapital = (text: string) => text.replace(/(?<=^|\s)i(?=['’ ]|$)/g, 'I');

/** The body of a turn: every third is as it was, or with a short form; the others have one or two words replaced. */
function bodyOf(words: readonly Word[], sites: readonly Site[], turn: number, seed: number): string {
  if (sites.length === 0) return turn % 3 === 1 ? shortened(render(words)) : render(words);
  const chosen = new Map<Site, string>();
  if (turn % 3 !== 2) {
    for (const at of new Set([seed + turn, turn % 2 === 0 ? seed + turn : seed + turn + 1])) {
      const site = sites[at % sites.length];
      const text = site?.alternatives[(seed + turn) % site.alternatives.length];
      if (site && text !== undefined) chosen.set(site, text);
    }
  }
  const body = render(words, chosen);
  return turn % 3 === 2 ? shortened(body) : body;
}

/** With an abbreviation, or one spelled out; quotations and code stay as they are. */
const shortened = (body: string) => (/[`"“”]/.test(body) ? body : respell(body));

function rotated<T>(list: readonly T[], by: number): T[] {
  return list.map((_, i) => list[(i + by) % list.length] as T);
}

/** FNV-1a, so that all choices depend on the text alone. */
function hash(text: string): number {
  let state = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) state = Math.imul(state ^ text.charCodeAt(i), 0x01000193) >>> 0;
  return state;
}

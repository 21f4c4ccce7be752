import type { RecallGarden } from '../../recall/recall-garden.ts';
import { terms, words } from '../../recall/signals/lexical.ts';
import { isHardToFind, MAX_SUGGESTED, type UnitCoverage } from '../../schema/bundle/coverage.ts';
import type { HardToFind } from '../../schema/report/suggestion.ts';
import { evaluate, lostBy, type PreviewGarden, type RewordOptions, type Rewordings } from './reword.ts';
import { FRAME_WORDS, type Wording } from './wording.ts';

/** Words for a unit: in its description, or as keywords. */
type Added = Pick<HardToFind, 'description' | 'keywords'>;

/** At most this many words are added to a unit, and at most this many units are looked at, the hardest first. */
const MOST_WORDS = 3;
const MOST_UNITS = 8;

/** A word that raises findability by less is not worth a change. */
const LEAST_GAIN = 0.02;

/**
 * Words that make units findable which are hard to find (`findability_low`): those of their triggers that their text
 * lacks, in the description, and those of their text that their triggers lack, as keywords. Word by word the one that
 * raises the measured findability most; no probe is lost by them, and no unit fails the coverage gate.
 *
 * @param only the unit to look at; null for all
 */
export async function findHelpfulWords(
  preview: PreviewGarden,
  only: string | null,
  options: RewordOptions,
): Promise<HardToFind[]> {
  const garden = await preview.build(new Map());
  const measured = await preview.coverage(garden, only === null ? null : [only]);
  const hard = measured.filter(isHardToFind).sort((a, b) => scoreOf(a) - scoreOf(b));
  const found: HardToFind[] = [];
  for (const unit of hard.slice(0, MOST_UNITS)) found.push(await raise(preview, garden, unit, options));
  return found;
}

const scoreOf = ({ findability }: UnitCoverage) => findability?.score ?? 0;

async function raise(
  preview: PreviewGarden,
  garden: RecallGarden,
  unit: UnitCoverage,
  options: RewordOptions,
): Promise<HardToFind> {
  const { name } = unit;
  const shared = options.isShared(name);
  const previews = [preview, ...(shared ? options.others.filter((it) => it.units.has(name)) : [])];
  let candidates = candidatesFor(garden, unit);
  let added: Added = { description: [], keywords: [] };
  let score = scoreOf(unit);
  for (let round = 0; round < MOST_WORDS && candidates.length > 0; round++) {
    const tried = await tryEach(preview, name, added, candidates);
    const [best] = tried.sort((a, b) => b.score - a.score);
    if (!best || best.score < score + LEAST_GAIN) break;
    candidates = candidates.filter((it) => it !== best.candidate);
    const before = await Promise.all(previews.map((it) => evaluate(it, new Map(), options)));
    const lost = await lostBy(before, rewording(name, best.added), options);
    if (lost.length > 0) continue;
    added = best.added;
    score = best.score;
    if (!isHardToFind({ findability: { score, paraphrases: 1, rivals: [] } })) break;
  }
  const rivals = unit.findability?.rivals ?? [];
  return { unit: name, shared, ...added, findability_before: scoreOf(unit), findability_after: score, rivals };
}

/** One word, and where it would go. */
interface AddedWord {
  readonly key: keyof Added;
  readonly word: string;
}

/** The findability with each of these words. */
async function tryEach(preview: PreviewGarden, name: string, added: Added, candidates: readonly AddedWord[]) {
  const tried: { candidate: AddedWord; added: Added; score: number }[] = [];
  for (const candidate of candidates) {
    const more = { ...added, [candidate.key]: [...added[candidate.key], candidate.word] };
    const [measured] = await preview.coverage(await preview.build(rewording(name, more)), [name]);
    tried.push({ candidate, added: more, score: measured ? scoreOf(measured) : 0 });
  }
  return tried;
}

function rewording(name: string, { description, keywords }: Added): Rewordings {
  const wording: Wording = { intents: [], keywords, aliases: [], description };
  return new Map([[name, wording]]);
}

/** Words of the triggers that the text lacks, the rarest first, and words of the text that the triggers lack. */
function candidatesFor(garden: RecallGarden, { name, suggested_words }: UnitCoverage): AddedWord[] {
  const fact = garden.facts[garden.index.named.get(name) ?? -1];
  if (!fact) return [];
  const { description, load_triggers } = fact.delivery;
  const known = new Set(terms(`${description}\n${fact.content}`, false));
  const missing = new Map<string, string>();
  for (const word of load_triggers.intents.flatMap((it) => words(it))) {
    const [stem] = terms(word, false);
    if (stem !== undefined && !known.has(stem) && !FRAME_WORDS.has(word) && !missing.has(stem)) missing.set(stem, word);
  }
  const { terms: indexed, lexical } = garden.index;
  const weight = (stem: string) => lexical.idf[indexed.get(stem) ?? -1] ?? lexical.unknown_idf;
  const rarest = [...missing].sort(([a], [b]) => weight(b) - weight(a) || (a < b ? -1 : 1));
  return [
    ...rarest.slice(0, MAX_SUGGESTED).map(([, word]) => ({ key: 'description' as const, word })),
    ...suggested_words.map((word) => ({ key: 'keywords' as const, word })),
  ];
}

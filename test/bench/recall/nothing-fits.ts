import type { SearchIndex } from '../../../compiler/recall/index/search-index.ts';
import { leastScore } from '../../../compiler/recall/rank/least-score.ts';
import { totalsOf } from '../../../compiler/recall/rank/rank.ts';
import { quantise } from '../../../compiler/recall/signals/semantic.ts';
import { terms } from '../../../compiler/recall/signals/terms.ts';
import type { AskedGarden } from './asked-garden.ts';
import { questionsOf } from './methods.ts';
import { indexOf } from './units.ts';

/** How well the best unit fits an intent, in millionths: where it is negative, recall says that nothing does. */
function fitOf(index: SearchIndex, intent: string, query: Int8Array | null): number {
  const best = totalsOf(index, intent, query).reduce((most, total) => Math.max(most, total), 0);
  return best - leastScore(index, query);
}

/** How prompts with a wanted unit are told from prompts without, in shares. */
export interface Separation {
  readonly asked: number;
  readonly none: number;
  /** How often a prompt with a wanted unit has the greater figure of a pair of about equal length. */
  readonly auc: number;
  /** Prompts with a wanted unit above nine of ten without, as long as these. */
  readonly kept: number;
  /** Those below the garden's threshold. */
  readonly askedBelow: number;
  readonly noneBelow: number;
}

/** The lengths of a pair, in words that carry meaning, differ at most by this factor. */
const ALIKE = 1.35;
const FALSE = 0.1;

interface Fit {
  readonly figure: number;
  readonly words: number;
  readonly isBelow: boolean;
}

interface Fits {
  readonly asked: readonly Fit[];
  readonly none: readonly Fit[];
}

/** Separates the prompts of gardens; figures are compared within a garden alone. */
export async function separate(gardens: readonly AskedGarden[]): Promise<Separation> {
  const all = await Promise.all(gardens.map(fitsOf));
  const compared = all.map(compare);
  const [asked, none] = [all.flatMap((it) => it.asked), all.flatMap((it) => it.none)];
  return {
    asked: asked.length,
    none: none.length,
    auc: mean(compared.flatMap(({ above }) => above)),
    kept: mean(compared.flatMap(({ kept }) => kept)),
    askedBelow: belowOf(asked),
    noneBelow: belowOf(none),
  };
}

/** For each pair of about equal length whether the asked one is above; for each of `none` the share kept of those. */
function compare({ asked, none }: Fits): { readonly above: number[]; readonly kept: number[] } {
  const least = highestTenth(none);
  const near = none.map((it) => asked.filter((other) => isAlike(it, other)));
  return {
    above: none.flatMap((it, i) => near[i]?.map(({ figure }) => (1 + Math.sign(figure - it.figure)) / 2) ?? []),
    kept: near.filter((it) => it.length > 0).map((it) => mean(it.map(({ figure }) => Number(figure > least)))),
  };
}

async function fitsOf({ units, asked, none, encoder, functionWords }: AskedGarden): Promise<Fits> {
  const index = await indexOf(units, encoder, functionWords);
  const fits = async (texts: readonly string[]): Promise<Fit[]> =>
    (await questionsOf(texts, encoder)).map(({ text, vector }) => {
      const figure = fitOf(index, text, index.vectors && quantise(vector, index.vectors.mean));
      return { figure, words: Math.max(1, new Set(terms(text, false)).size), isBelow: figure < 0 };
    });
  return { asked: await fits(asked.map(({ text }) => text)), none: await fits(none) };
}

const isAlike = (a: Fit, b: Fit) => Math.max(a.words, b.words) <= ALIKE * Math.min(a.words, b.words);

/** The figure above which a tenth of them are. */
function highestTenth(fits: readonly Fit[]): number {
  const figures = fits.map(({ figure }) => figure).sort((a, b) => b - a);
  return figures[Math.floor(FALSE * figures.length)] ?? 0;
}

const mean = (figures: readonly number[]) => figures.reduce((all, it) => all + it, 0) / Math.max(1, figures.length);

const belowOf = (fits: readonly Fit[]) => mean(fits.map(({ isBelow }) => Number(isBelow)));

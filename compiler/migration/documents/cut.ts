import type { RootContent } from 'mdast';
import { toString } from 'mdast-util-to-string';
import { terms, words } from '../../recall/signals/lexical.ts';
import type { CountTokens } from '../../schema/count-tokens.ts';
import { byText } from '../../trust/canonical.ts';
import { atomsOf, type TextPiece } from './atoms.ts';
import { hasWords, isBoundary, labelsOf, plainBlocks } from './blocks.ts';
import { headingWords } from './headings.ts';
import type { Part } from './join.ts';
import { squeeze } from './names.ts';

/** Lint warns of units with more tokens. */
export const MOST_TOKENS = 600;

/** Smaller pieces are cut off only where nothing else fits. */
const FEW_TOKENS = 80;

/** An atom with its tokens and its terms. */
interface Weighed extends TextPiece {
  readonly tokens: number;
  readonly terms: ReadonlyMap<string, number>;
}

/**
 * A part as it is, or several of a size that a recall can afford: cut where its author says that something begins,
 * otherwise where the words change most. Nothing is cut within a block of code, a table, a paragraph or an item.
 *
 * @param title of the part
 */
export function cutLong(part: Part, title: string, content: string, countTokens: CountTokens): Part[] {
  const written = (nodes: readonly RootContent[]) =>
    content.slice(nodes[0]?.position?.start.offset, nodes.at(-1)?.position?.end.offset);
  if (countTokens(`${written(part.nodes)}\n`) <= MOST_TOKENS) return [part];
  const first = part.nodes[0];
  const heading = first && isBoundary(first) ? written([first]) : null;
  const atoms = atomsOf(part.nodes, content).map((it): Weighed => {
    const counts = new Map<string, number>();
    for (const term of terms(toString(it.node), false)) counts.set(term, (counts.get(term) ?? 0) + 1);
    return { ...it, tokens: countTokens(`${written([it.node])}\n`) + 1, terms: counts };
  });
  const room = MOST_TOKENS - (heading === null ? 0 : countTokens(heading) + 2);
  const pieces = piecesOf(atoms, room).filter((it) => hasWords(plainBlocks({ nodes: nodesOf(it) }).join(' ')));
  return pieces.map((piece, i) => pieceOf(part, { title, heading }, piece, i, pieces));
}

const nodesOf = (atoms: readonly TextPiece[]) => atoms.map(({ node }) => node);

/** The cheapest way to cut atoms into pieces with room for each; one that is too large alone is a piece of its own. */
function piecesOf(atoms: readonly Weighed[], room: number): Weighed[][] {
  const cuts = atoms.map((_, at) => cutCost(atoms, at));
  const costs = [0];
  const starts = [0];
  for (let end = 1; end <= atoms.length; end++) {
    let tokens = 0;
    costs[end] = Infinity;
    for (let start = end - 1; start >= 0; start--) {
      tokens += atoms[start]?.tokens ?? 0;
      const isFound = (costs[end] ?? Infinity) < Infinity;
      if (tokens > room && isFound) break;
      const cost = (costs[start] ?? 0) + (cuts[start] ?? 0) + pieceCost(tokens, room);
      if (cost < (costs[end] ?? Infinity)) [costs[end], starts[end]] = [cost, start];
    }
  }
  const pieces: Weighed[][] = [];
  for (let end = atoms.length; end > 0; end = starts[end] ?? 0) pieces.unshift(atoms.slice(starts[end], end));
  return pieces;
}

/** Few pieces, none of them tiny; one that does not fit is the last resort. */
function pieceCost(tokens: number, room: number): number {
  return 0.5 + (tokens < FEW_TOKENS ? 1 : 0) + (tokens > room ? 10 + tokens / room : 0);
}

/** The cost of a cut in front of an atom: none where a subject begins, and more the more words are on both sides. */
function cutCost(atoms: readonly Weighed[], at: number): number {
  const [before, after] = [atoms[at - 1], atoms[at]];
  if (!before || !after) return 0;
  if (before.introduces) return 5;
  if (after.head !== null) return 0;
  return 0.2 + likeness(atoms.slice(Math.max(0, at - WINDOW), at), atoms.slice(at, at + WINDOW));
}

/** Atoms on each side whose words are compared. */
const WINDOW = 3;

/** The cosine of the counts of two runs of atoms. */
function likeness(before: readonly Weighed[], after: readonly Weighed[]): number {
  const [a, b] = [countsOf(before), countsOf(after)];
  const size = (counts: ReadonlyMap<string, number>) =>
    Math.sqrt([...counts.values()].reduce((all, it) => all + it * it, 0));
  const common = [...a].reduce((all, [term, count]) => all + count * (b.get(term) ?? 0), 0);
  return common === 0 ? 0 : common / (size(a) * size(b));
}

function countsOf(atoms: readonly Weighed[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const atom of atoms) for (const [term, count] of atom.terms) counts.set(term, (counts.get(term) ?? 0) + count);
  return counts;
}

/** @param heading of the part as it is written; null for none */
function pieceOf(
  part: Part,
  { title, heading }: { readonly title: string; readonly heading: string | null },
  piece: readonly Weighed[],
  at: number,
  pieces: readonly (readonly Weighed[])[],
): Part {
  const nodes = nodesOf(piece);
  const [first, ...rest] = nodes;
  const joined = rest.flatMap((node) => (node.type === 'heading' && isBoundary(node) ? [headingWords(node)] : []));
  const cut = { ...part, nodes, joined, words: words(plainBlocks({ nodes }).join(' ')).length };
  if (at === 0) return cut;
  const { head = null, within = null } = piece[0] ?? {};
  const above = part.heading === null ? part.above : [...part.above, part.heading];
  const isOwn = first !== undefined && isBoundary(first);
  return {
    ...cut,
    depth: part.depth + 1,
    under: heading === null || isOwn ? [] : [heading],
    heading: head ?? `${within ?? title} – ${ownWords(piece, pieces)}`,
    above: head === null ? part.above : above,
  };
}

/** Labels of its items, or words that a piece has and others lack or rarely have; without spaces, its first ones. */
function ownWords(piece: readonly Weighed[], pieces: readonly (readonly Weighed[])[]): string {
  const labels = labelsOf({ nodes: nodesOf(piece) });
  if (labels.length > 0) return labels.slice(0, 2).join(', ');
  const text = squeeze(
    nodesOf(piece)
      .map((it) => toString(it, { includeHtml: false }))
      .join(' '),
  );
  const all = countsOf(pieces.flat());
  const own = countsOf(piece);
  const seen = new Map<string, string>();
  for (const [word] of text.matchAll(/(?<![\p{L}\p{N}_$./-])\p{L}{4,20}(?![\p{L}\p{N}_/(=])/gu)) {
    const [term] = terms(word, false);
    if (term !== undefined && !seen.has(term) && own.has(term)) seen.set(term, word.toLowerCase());
  }
  const weight = (term: string) => (own.get(term) ?? 0) ** 2 / (all.get(term) ?? 1);
  const best = [...seen].sort(([a], [b]) => weight(b) - weight(a) || byText(a, b)).slice(0, 2);
  if (best.length === 2) return best.map(([, word]) => word).join(', ');
  return (
    text
      .split(/[.,:;!?。、：；！？]/)[0]
      ?.slice(0, 24)
      .trim() ?? ''
  );
}

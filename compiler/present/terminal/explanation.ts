import type { ExplainedUnit, Explanation, Outcome } from '../../schema/api/recall.ts';

/** Why a unit was returned or left out, for people. */
const REASONS: Readonly<Record<Outcome, string>> = {
  hint: 'returned: named in a hint',
  ranked: 'returned: ranked',
  files: 'returned: for a file',
  guaranteed: 'returned: guaranteed',
  candidate: 'named: to choose from',
  displaced: 'left out: replaced by the unit for a file',
  over_max_chunks: 'left out: beyond max_chunks, or far from the best one',
  over_token_budget: 'left out: does not fit the token budget',
  no_match: 'left out: no match',
  expired: 'left out: expired',
  unavailable: 'left out: its text is unavailable',
  withdrawn: 'left out: withdrawn',
};

const HEAD = 'place,rank,unit,score,lexical,semantic,nearest,graph,boost,name,tokens,why'.split(',');

/** Every unit of an explanation as a table: the returned ones in their order, then the others by rank. */
export function explanationLines(explanation: Explanation): string[] {
  const { weights, search, measured_recall, least_score, ranked_budget, displaced, units } = explanation;
  const weighed = Object.entries(weights).map(([signal, weight]) => `${signal} ${weight.toFixed(2)}`);
  const approximately = measured_recall === null ? '' : `, finds ${(100 * measured_recall).toFixed(1)} %`;
  return [
    ...table(HEAD, [...units].sort(byPlace).map(cells)),
    ...(displaced === null ? [] : [`the unit for a file took the place of ${displaced}`]),
    `weights: ${weighed.join(', ')}; search: ${search}${approximately}; budget for ranked units: ${ranked_budget} tokens`,
    `a best score below ${least_score.toFixed(3)} is of low confidence for this intent`,
  ];
}

function cells(unit: ExplainedUnit): string[] {
  const place = unit.place === null ? '–' : String(unit.place);
  const rank = unit.rank === null ? '–' : String(unit.rank);
  const shown = (score: number | null) => (score === null ? '–' : score.toFixed(3));
  const { score, lexical, semantic, nearest, graph, lift } = unit;
  const signals = [shown(score), shown(lexical), shown(semantic), nearest ?? '–', shown(graph), shown(lift)];
  const exact = unit.exact_name ? 'exact' : '';
  return [place, rank, unit.name, ...signals, exact, String(unit.tokens), REASONS[unit.outcome]];
}

function byPlace(a: ExplainedUnit, b: ExplainedUnit): number {
  const one = a.place ?? Infinity;
  const other = b.place ?? Infinity;
  if (one !== other) return one - other;
  const rank = a.rank ?? Infinity;
  const than = b.rank ?? Infinity;
  return rank === than ? b.score - a.score || (a.name < b.name ? -1 : 1) : rank - than;
}

/** A table for a terminal: columns as wide as their widest cell, numbers aligned right, no trailing spaces. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const isNumeric = head.map((_, column) => rows.every((row) => /^[\d.+–-]*%?$/.test(row[column] ?? '')));
  const line = (row: readonly string[]) =>
    widths
      .map((width, column) => (isNumeric[column] ? row[column]?.padStart(width) : row[column]?.padEnd(width)) ?? '')
      .join('  ')
      .trimEnd();
  return [head, ...rows].map(line);
}

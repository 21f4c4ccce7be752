import type { ExplainedUnit, Outcome } from '../../../schema/api/recall.ts';
import type { TriedRecall } from '../../../schema/api/tried-recall.ts';
import { Chip } from '../parts/mark.tsx';
import { rankedUnits } from '../parts/ranked-units.ts';
import { Table, type Column } from '../parts/table.tsx';
import { unitColumn } from '../parts/unit-column.tsx';
import { whole } from '../parts/wording.ts';

const OUTCOMES: Record<Outcome, string> = {
  hint: 'named in a hint',
  ranked: 'returned',
  files: 'by files',
  guaranteed: 'guaranteed',
  candidate: 'named to choose from',
  displaced: 'replaced by the unit for a file',
  over_max_chunks: 'beyond the number of units',
  over_token_budget: 'does not fit the budget',
  no_match: 'no match',
  expired: 'expired',
  unavailable: 'not available',
  withdrawn: 'withdrawn',
};

/** Every unit with the parts of its score, in the order of the ranking. */
export function Ranking({ agent, tried }: { readonly agent: string; readonly tried: TriedRecall }) {
  return (
    <>
      {tried.explain.search === 'approximate' && <p>The search was approximate, as in every garden of this size.</p>}
      <Table caption="Ranking" columns={columnsOf(agent)} rows={rankedUnits(tried)} keyOf={(it) => it.name} />
    </>
  );
}

function columnsOf(agent: string): readonly Column<ExplainedUnit>[] {
  return [
    { head: 'Rank', numeric: true, cell: (it) => it.rank ?? '–' },
    unitColumn(agent, (it) => it.name),
    { head: 'Place', term: 'place', numeric: true, cell: (it) => it.place ?? '–' },
    { head: 'Score', term: 'score', numeric: true, by: (it) => it.score, cell: (it) => it.score.toFixed(3) },
    { head: 'Words', numeric: true, by: (it) => it.lexical, cell: (it) => it.lexical.toFixed(3) },
    {
      head: 'Meaning',
      term: 'meaning_signal',
      numeric: true,
      by: (it) => it.semantic,
      cell: (it) => it.semantic?.toFixed(3) ?? '–',
    },
    { head: 'Links', term: 'links_signal', numeric: true, by: (it) => it.graph, cell: (it) => it.graph.toFixed(3) },
    { head: 'Boost', term: 'boost', numeric: true, by: (it) => it.lift, cell: (it) => it.lift.toFixed(3) },
    { head: 'Tokens', numeric: true, cell: (it) => whole(it.tokens) },
    {
      head: 'Why',
      cell: (it) => (
        <>
          <Chip kind={it.place === null ? '' : 'good'}>{OUTCOMES[it.outcome]}</Chip>
          {it.exact_name && <Chip>named</Chip>}
        </>
      ),
    },
  ];
}

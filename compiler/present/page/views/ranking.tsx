import { barX, ruleX, type PlotOptions } from '@observablehq/plot';
import type { ExplainedUnit, Outcome } from '../../../schema/api/recall.ts';
import type { Tried } from '../../../schema/api/tried-recall.ts';
import { Chart } from '../parts/chart.tsx';
import { sideLabels, ticksIn } from '../parts/labels.ts';
import { Chip } from '../parts/mark.tsx';
import { rankedUnits } from '../parts/ranked-units.ts';
import { agentHref } from '../parts/route.ts';
import { Table, type Column } from '../parts/table.tsx';
import { Term } from '../parts/term.tsx';
import { textWidth } from '../parts/text-width.ts';
import { whole } from '../parts/wording.ts';

/** Maximum number of candidates that are drawn. */
const MOST = 12;

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

interface RankingProps {
  readonly agent: string;
  readonly tried: Tried;
  /** The previous answer, to show which ranks changed. */
  readonly before: Tried | null;
}

/** Every unit with its score, in the order of the ranking. */
export function Ranking({ agent, tried, before }: RankingProps) {
  const ranked = rankedUnits(tried);
  return (
    <>
      <Chart
        title="Parts of each score"
        says={`The first ${MOST} units: what words, meaning, links and boost add to each score.`}
        of={tried}
        draw={drawScores}
        table={{ columns: SCORE_COLUMNS, rows: ranked, keyOf: (it) => it.name }}
      >
        <p class="key">
          {PARTS.map(({ name, swatch, term }) => (
            <span key={name} class="entry">
              <span class={`swatch ${swatch}`} aria-hidden="true" />{' '}
              {term === null ? name : <Term of={term}>{name}</Term>}{' '}
            </span>
          ))}
        </p>
      </Chart>
      {tried.explain.search === 'approximate' && <p>The search was approximate, as in every garden of this size.</p>}
      <Table caption="Ranking" quiet columns={columnsOf(agent, before)} rows={ranked} keyOf={(it) => it.name} />
    </>
  );
}

function columnsOf(agent: string, before: Tried | null): readonly Column<ExplainedUnit>[] {
  const earlier = before && new Map(before.explain.units.map((it) => [it.name, it.rank]));
  return [
    { head: 'Rank', numeric: true, cell: (it) => it.rank ?? '–' },
    { head: 'Moved', cell: (it) => (earlier ? moved(earlier.get(it.name) ?? null, it.rank) : '') },
    { head: 'Unit', heading: true, cell: (it) => <a href={agentHref(agent, 'units', it.name)}>{it.name}</a> },
    { head: 'Place', term: 'place', numeric: true, cell: (it) => it.place ?? '–' },
    { head: 'Score', term: 'score', numeric: true, cell: (it) => it.score.toFixed(3) },
    { head: 'Tokens', numeric: true, cell: (it) => whole(it.tokens) },
    {
      head: 'Why',
      cell: (it) => (
        <>
          <Chip kind={it.place === null ? '' : 'good'}>{OUTCOMES[it.outcome]}</Chip>
          {it.exact_name && <Chip>named</Chip>}
          {it.lift > 0 && (
            <Chip kind="warn">
              <Term of="boost">boosted</Term>
            </Chip>
          )}
        </>
      ),
    },
  ];
}

/** The change of a rank, as a sign and in words. */
function moved(from: number | null, to: number | null) {
  if (from === to) return '';
  if (from === null) return <Step sign="＋" words="new" />;
  if (to === null) return <Step sign="✕" words="gone" />;
  const by = from - to;
  return by > 0 ? <Step sign={`▲${by}`} words={`up by ${by}`} /> : <Step sign={`▼${-by}`} words={`down by ${-by}`} />;
}

function Step({ sign, words }: { readonly sign: string; readonly words: string }) {
  return (
    <span class="moved">
      <span aria-hidden="true">{sign}</span>
      <span class="hidden">{words}</span>
    </span>
  );
}

const PARTS = [
  { name: 'words', term: null, swatch: 'accent', fill: 'var(--accent)' },
  { name: 'meaning', term: 'meaning_signal', swatch: 'bar', fill: 'var(--bar)' },
  { name: 'links', term: 'links_signal', swatch: 'quiet', fill: 'var(--quiet-bar)' },
  { name: 'boost', term: 'boost', swatch: 'warn', fill: 'var(--warn)' },
] as const;

const SCORE_COLUMNS: readonly Column<ExplainedUnit>[] = [
  { head: 'Unit', heading: true, cell: (it) => it.name },
  { head: 'Words', numeric: true, by: (it) => it.lexical, cell: (it) => it.lexical.toFixed(3) },
  { head: 'Meaning', numeric: true, by: (it) => it.semantic, cell: (it) => it.semantic?.toFixed(3) ?? '–' },
  { head: 'Links', numeric: true, by: (it) => it.graph, cell: (it) => it.graph.toFixed(3) },
  { head: 'Boost', numeric: true, by: (it) => it.lift, cell: (it) => it.lift.toFixed(3) },
  { head: 'Score', numeric: true, by: (it) => it.score, cell: (it) => it.score.toFixed(3) },
];

function drawScores(tried: Tried, width: number): PlotOptions {
  const { weights } = tried.explain;
  const units = rankedUnits(tried)
    .filter((it) => it.score > 0)
    .slice(0, MOST);
  const weight = (signal: string) => weights[signal] ?? 0;
  const parts = units.flatMap(({ name, lexical, semantic, graph, lift }) => [
    { name, x: lexical * weight('lexical'), fill: PARTS[0].fill },
    { name, x: (semantic ?? 0) * weight('semantic'), fill: PARTS[1].fill },
    { name, x: graph * weight('graph'), fill: PARTS[2].fill },
    { name, x: lift, fill: PARTS[3].fill },
  ]);
  const names = units.map((it) => it.name);
  const { margin, tickFormat } = sideLabels(names, width * 0.45, textWidth);
  return {
    height: 56 + Math.max(1, units.length) * 24,
    marginLeft: margin,
    marginBottom: 36,
    x: { domain: [0, Math.max(0.5, ...units.map((it) => it.score))], label: 'score', ticks: ticksIn(width - margin) },
    y: { domain: names, label: null, tickSize: 0, tickFormat },
    marks: [barX(parts, { x: 'x', y: 'name', fill: 'fill', insetTop: 2, insetBottom: 2 }), ruleX([0])],
  };
}

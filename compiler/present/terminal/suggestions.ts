import type { Reworded } from '../../quality/suggest/reword.ts';
import { printable } from '../../schema/diagnostics.ts';
import type { HardToFind, Suggestion, UnsolvedProbe } from '../../schema/report/suggestion.ts';

/** Suggested words for an agent, with the edits that write them. */
export interface SuggestedWords extends Reworded {
  readonly effect: 'updated' | 'noop' | 'would_update' | 'would_noop';
  readonly agent: string;
  readonly lost: number;
  readonly hard_to_find: readonly HardToFind[];
  readonly edits: readonly { readonly file: string; readonly diff: string | null }[];
  readonly held: readonly string[];
}

/** Suggestions for people, then the diffs. */
export function suggestionText(words: SuggestedWords): string {
  const { agent, lost, suggestions, unsolved, won, hard_to_find, edits, held } = words;
  const isWritten = words.effect === 'updated' || words.effect === 'noop';
  const head = `${agent}: ${lost} probes are lost; ${won.length} of them would pass, ${unsolved.length} would not`;
  const lines = [
    head,
    ...suggestions.map((it) => `  “${it.probe}”: ${it.unit} ranks ${it.rank_after} with ${wordsOf(it)}`),
    ...unsolved.map((it) => `  “${it.probe}”: ${reasonOf(it)}`),
    ...hard_to_find.map(findabilityOf),
    ...held.map((file) => `  not read, since it would be quarantined: ${file}`),
    ...(suggestions.length > 0
      ? [PROVES_LESS, isWritten ? 'The words are written.' : 'Nothing was written; --write writes it.']
      : []),
  ];
  const diffs = edits.map(
    ({ file, diff }) => diff ?? `${file}: its YAML cannot be edited automatically; add the words by hand`,
  );
  // diffs are printed unescaped, so that they apply; files with hidden characters are quarantined and have no diff
  return [...lines.map(printable), ...diffs].join('\n');
}

/** The words that would make a unit findable, or that no word does. */
function findabilityOf({ unit, shared, description, keywords, rivals, ...of }: HardToFind): string {
  const [before, after] = [of.findability_before, of.findability_after].map((it) => it.toFixed(2));
  const all = [
    ...description.map((it) => `“${it}” in the description`),
    ...keywords.map((it) => `the keyword “${it}”`),
  ];
  const how =
    all.length === 0
      ? 'no added word makes it easier to find; describe how it differs'
      : `${after} with ${all.join(', ')}`;
  const nearest = rivals.length === 0 ? '' : `; nearest: ${rivals.map(({ name }) => name).join(', ')}`;
  return `  ${unit} is hard to find, findability ${before}: ${how}${nearest}${shared ? ' (shared)' : ''}`;
}

const PROVES_LESS =
  'A probe whose words became triggers proves less, and one that a trigger nearly copies no longer counts: add a probe that says the same in other words.';

function wordsOf({ intents, keywords, aliases, shared }: Suggestion): string {
  const kinds = [
    ...intents.map((it) => `the intent “${it}”`),
    ...keywords.map((it) => `the keyword “${it}”`),
    ...aliases.map((it) => `the alias ${it}`),
  ];
  return `${kinds.join(', ')}${shared ? ' (shared: every agent reads it; the probes of all agents were run)' : ''}`;
}

function reasonOf({ unit, reason, tried, costs }: UnsolvedProbe): string {
  if (reason === 'forbidden_comes')
    return `${unit} is forbidden, but found; words added to other units do not change that`;
  if (reason === 'nothing_wins' && tried === 0) return `${unit} and another required unit displace each other`;
  if (reason === 'nothing_wins') return `none of ${tried} wordings raises the rank of ${unit} enough`;
  return `the words that raise ${unit} lose ${costs.join(', ')}`;
}

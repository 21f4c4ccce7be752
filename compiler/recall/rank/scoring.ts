import { CONSTANTS as LEXICAL } from '../signals/lexical.ts';
import { CONSTANTS as GRAPH } from '../signals/link-graph.ts';
import { PHRASE_PARTS, TEXT_PARTS } from '../signals/semantic.ts';
import { BOOST } from './boost.ts';
import { WEIGHTS } from './rank.ts';

/** Everything that a score depends on besides index and query: a change of any of it calls for a new certificate. */
export const SCORING = {
  weights: WEIGHTS,
  lexical: LEXICAL,
  semantic: { phrase: PHRASE_PARTS, text: TEXT_PARTS },
  graph: GRAPH,
  lift: BOOST,
};

import { CONSTANTS as LEXICAL } from '../signals/lexical.ts';
import { CONSTANTS as GRAPH } from '../signals/link-graph.ts';
import { PHRASE_PARTS, TEXT_PARTS } from '../signals/semantic.ts';
import { BOOST } from './boost.ts';
import { WEIGHTS } from './rank.ts';

/** Every constant that scores depend on: a change of any of them requires a new coverage certificate. */
export const SCORING = {
  weights: WEIGHTS,
  lexical: LEXICAL,
  semantic: { phrase: PHRASE_PARTS, text: TEXT_PARTS },
  graph: GRAPH,
  lift: BOOST,
};

import { WINDOWS } from '../index/vectors.ts';
import { CONSTANTS as LEXICAL } from '../signals/lexical.ts';
import { CONSTANTS as GRAPH } from '../signals/link-graph.ts';
import { BEST_PARTS, DISCOUNT, TEXT_PARTS } from '../signals/semantic.ts';
import { BOOST } from './boost.ts';
import { CONFIDENCE } from './least-score.ts';
import { WEIGHTS } from './rank.ts';

/** Every constant that scores depend on: a change of any of them requires a new coverage certificate. */
export const SCORING = {
  weights: WEIGHTS,
  lexical: LEXICAL,
  semantic: { best: BEST_PARTS, text: TEXT_PARTS, discount: DISCOUNT, power: 1.5, windows: WINDOWS },
  graph: GRAPH,
  lift: BOOST,
  confidence: CONFIDENCE,
};

import { MAX_HINTS } from '../schema/api/recall.ts';
import { parseUri, seriesUri } from '../schema/uri.ts';
import type { RecallGarden } from './recall-garden.ts';

/** A hint as it was given, and the unit that it names; null where it names none of the garden. */
export interface Hint {
  readonly text: string;
  readonly unit: number | null;
}

/**
 * The hints of a request, each text once, in their order. A hint is a unit's name, its alias or its URI (DESIGN §6.1);
 * anything else, and everything beyond the tenth, names no unit. Only the garden that is asked is looked into, so that
 * another agent's unit is missed like one that does not exist (§21.4.5).
 */
export function readHints(garden: RecallGarden, texts: readonly string[]): Hint[] {
  const distinct = [...new Set(texts)];
  return distinct.map((text, at) => ({ text, unit: at < MAX_HINTS ? unitNamed(garden, text) : null }));
}

/** §21.4.2: the URI of an earlier version leads to the one in force; a version that is still to come names nothing. */
function unitNamed({ index, facts }: RecallGarden, text: string): number | null {
  const uri = parseUri(text);
  const unit = index.named.get(uri ? seriesUri(uri) : text);
  if (unit === undefined) return null;
  return uri === null || uri.version <= (facts[unit]?.version ?? 0) ? unit : null;
}

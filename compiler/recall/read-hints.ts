import { MAX_HINTS } from '../schema/api/recall.ts';
import { parseUri, seriesUri } from '../schema/uri.ts';
import type { RecallGarden } from './recall-garden.ts';

/** A hint of a request, and the unit that it names; null if it names no unit of the garden. */
export interface Hint {
  readonly text: string;
  readonly unit: number | null;
}

/**
 * The hints of a request, each text once, in their order. A hint is a unit's name, its alias or its URI (DESIGN §6.1);
 * any other text, and every hint after the tenth, names no unit. Only the agent's own garden is searched, so that a
 * unit of another agent cannot be told from one that does not exist (§21.4.5).
 */
export function readHints(garden: RecallGarden, texts: readonly string[]): Hint[] {
  const distinct = [...new Set(texts)];
  return distinct.map((text, at) => ({ text, unit: at < MAX_HINTS ? unitNamed(garden, text) : null }));
}

/** §21.4.2: the URI of an earlier version finds the version in force; that of a future version finds nothing. */
function unitNamed({ index, facts }: RecallGarden, text: string): number | null {
  const uri = parseUri(text);
  const unit = index.named.get(uri ? seriesUri(uri) : text);
  if (unit === undefined) return null;
  return uri === null || uri.version <= (facts[unit]?.version ?? 0) ? unit : null;
}

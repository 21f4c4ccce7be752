import { byText } from '../../trust/canonical.ts';
import type { Draft } from './drafts.ts';
import type { MigrationOptions } from './proposal.ts';

/** The limit of §21.2.1 minus a reserve for edits and the tokens of a manifest without entries. */
const MANIFEST_ROOM = 900 - 60;

/** Titles that an agent should see listed before others, the most urgent first. */
const LISTED_FIRST = [
  /safe|danger|secur/i,
  /never|limit|constraint|boundar|forbidden|rules/i,
  /heartbeat|workflow|routine/i,
  /exit|wrap|finish|hand ?off/i,
];

/** The places of drafts in the manifest, which a compile gives in the same order (DESIGN §6.5). */
export interface Places {
  readonly listed: ReadonlySet<Draft>;
  /** Those that new units are proposed with: none where all of them have room. */
  readonly priorities: ReadonlyMap<Draft, number>;
}

/** The drafts that have room in the manifest; where not all have, what is urgent comes first. */
export function placesOf(drafts: readonly Draft[], { agent, countTokens }: MigrationOptions): Places {
  const may = drafts.filter((it) => it.current?.delivery?.listed !== false && it.unlistedBecause === null);
  const cost = ({ entry: { name, description } }: Draft) =>
    countTokens(JSON.stringify({ name, description, fact_uri: `instruction:x/agent/${agent}/${name}/v1` }));
  const costs = new Map(may.map((it) => [it, cost(it)]));
  const isFull = [...costs.values()].reduce((sum, it) => sum + it, 0) > MANIFEST_ROOM;
  const priorities = new Map(isFull ? may.filter(isUrgent).map((it) => [it, urgencyOf(it)]) : []);
  const rank = (it: Draft) => it.current?.delivery?.priority ?? priorities.get(it) ?? 0;
  let room = MANIFEST_ROOM;
  const inOrder = may.toSorted((a, b) => rank(b) - rank(a) || byText(a.entry.name, b.entry.name));
  const listed = inOrder.filter((it) => {
    const fits = (costs.get(it) ?? 0) <= room;
    if (fits) room -= costs.get(it) ?? 0;
    return fits;
  });
  return { listed: new Set(listed), priorities };
}

/** A unit that exists keeps the front matter that its author gave it. */
const isUrgent = (it: Draft): boolean => it.current === undefined && urgencyOf(it) > 0;

function urgencyOf({ section: { title } }: Draft): number {
  const at = LISTED_FIRST.findIndex((it) => it.test(title));
  return at === -1 ? 0 : LISTED_FIRST.length - at;
}

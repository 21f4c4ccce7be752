import { knownUnit } from '../documents/known-unit.ts';
import type { Draft } from './drafts.ts';
import type { MigrationOptions } from './proposal.ts';

/** The limit of §21.2.1 minus a reserve for edits and the tokens of a manifest without entries. */
const MANIFEST_ROOM = 900 - 60;

/** Titles that an agent should see listed before others. */
const LISTED_FIRST = [
  /safe|danger|secur/i,
  /never|limit|constraint|boundar|forbidden|rules/i,
  /heartbeat|workflow|routine/i,
  /exit|wrap|finish|hand ?off/i,
];

/** The drafts that fit into the manifest. A unit that exists already is listed unless its author unlisted it. */
export function listWhatFits(drafts: readonly Draft[], { agent, countTokens }: MigrationOptions): Set<Draft> {
  const urgency = (title: string) =>
    [...LISTED_FIRST.keys()].find((at) => LISTED_FIRST[at]?.test(title)) ?? LISTED_FIRST.length;
  const rank = ({ section, current }: Draft) => (current ? -2 : knownUnit(section) ? -1 : urgency(section.title));
  const listed = new Set<Draft>();
  let spent = 0;
  for (const draft of drafts.toSorted((a, b) => rank(a) - rank(b))) {
    const { entry, current } = draft;
    if (current?.delivery?.listed === false || draft.unlistedBecause !== null) continue;
    const tokens = countTokens(JSON.stringify({ ...entry, fact_uri: `instruction:x/agent/${agent}/${entry.name}/v1` }));
    if (!current && spent + tokens > MANIFEST_ROOM) continue;
    spent += tokens;
    listed.add(draft);
  }
  return listed;
}

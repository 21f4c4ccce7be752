import { byText } from '../../trust/canonical.ts';
import type { Section } from '../documents/sections.ts';
import type { UnitDraft } from './drafts.ts';
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
  readonly listed: ReadonlySet<UnitDraft>;
  /** Those that new units are proposed with: none where all of them have room. */
  readonly priorities: ReadonlyMap<UnitDraft, number>;
}

/** A unit that wants a place; of a draft, the draft. */
interface Wanting {
  readonly draft: UnitDraft | null;
  readonly name: string;
  readonly cost: number;
  readonly priority: number;
}

/** The drafts that have room in the manifest beside the agent's other units; urgent ones come first. */
export function placesOf(drafts: readonly UnitDraft[], { agent, countTokens, others = [] }: MigrationOptions): Places {
  const cost = (name: string, description: string) =>
    countTokens(JSON.stringify({ name, description, fact_uri: `instruction:x/agent/${agent}/${name}/v1` }));
  const may = drafts
    .filter((it) => it.current?.delivery?.listed !== false && it.unlistedBecause === null)
    .map((draft) => ({ draft, cost: cost(draft.entry.name, draft.entry.description) }));
  const present = others
    .filter(({ delivery }) => delivery.listed)
    .map(({ name, delivery: { description, priority = 0 } }) => {
      return { draft: null, name, cost: cost(name, description), priority };
    });
  const isFull = [...may, ...present].reduce((sum, it) => sum + it.cost, 0) > MANIFEST_ROOM;
  const urgent = isFull ? may.map(({ draft }) => draft).filter(isUrgent) : [];
  const priorities = new Map(urgent.map((it) => [it, urgencyOf(it)]));
  const wanting = may.map(({ draft, ...it }) => {
    const priority = draft.current?.delivery?.priority ?? priorities.get(draft) ?? 0;
    return { draft, name: draft.entry.name, priority, ...it };
  });
  return { listed: new Set(fitting([...present, ...wanting])), priorities };
}

/** The drafts among those that fit, in the order in which a compile gives places. */
function fitting(all: readonly Wanting[]): UnitDraft[] {
  let room = MANIFEST_ROOM;
  const inOrder = all.toSorted((a, b) => b.priority - a.priority || byText(a.name, b.name));
  return inOrder.flatMap(({ draft, cost }) => {
    if (cost > room) return [];
    room -= cost;
    return draft ?? [];
  });
}

/** A unit that exists keeps the front matter that its author gave it. */
const isUrgent = (it: UnitDraft): boolean => it.current === undefined && urgencyOf(it) > 0;

/** Whether a section speaks of safety or limits. */
export const isLimiting = ({ title }: Section): boolean => LISTED_FIRST.slice(0, 2).some((it) => it.test(title));

function urgencyOf({ section: { title } }: UnitDraft): number {
  const at = LISTED_FIRST.findIndex((it) => it.test(title));
  return at === -1 ? 0 : LISTED_FIRST.length - at;
}

import type { RecallGarden } from '../../recall/recall-garden.ts';
import { servingAt } from '../../recall/resolve-content.ts';
import {
  CLOSE_SHARE,
  MAX_CONTESTED,
  MAX_RIVALS,
  type Rivalry,
  type SiblingReport,
} from '../../schema/report/siblings.ts';
import { foundShare } from '../metrics/share.ts';
import { openScoredOrder, type ScoredOrder } from '../placement.ts';
import type { QueryOf } from '../probes.ts';
import { openRemedies } from './remedies.ts';
import { openRivalWords } from './rival-words.ts';

/** What a unit is asked for. */
export interface AskedFor {
  readonly unit: string;
  readonly intents: readonly string[];
}

/** Who stands further back than this is seen by nobody, and competes with nobody. */
const SEEN = 10;

type Contested = Rivalry['contested'][number];

/** How often one unit competes for another's intents. */
interface Tally {
  outranks: number;
  close: number;
  readonly contested: Contested[];
}

/** What became of a unit's intents. */
interface Row {
  readonly asked: number;
  first: number;
  readonly rivals: Map<number, Tally>;
}

/**
 * Which units of a garden compete: how often, for what a unit is asked for, another outranks it or is close behind, by
 * unlifted ranks. A unit that is not in force, or not of the garden, neither competes nor is told.
 *
 * @param asked see `askedOf`; an intent that is asked of two units which do not both have it as a trigger needs both,
 *   and they do not compete for it
 * @param now the instant that is asked for, ISO 8601
 */
export async function siblingsOf(
  garden: RecallGarden,
  asked: readonly AskedFor[],
  queryOf: QueryOf,
  now: string,
): Promise<SiblingReport> {
  const stand = openScoredOrder(garden, now);
  const isTogether = openTogether(garden, asked);
  const rows = new Map<number, Row>();
  for (const { unit, intents } of served(garden, asked, now)) {
    const row: Row = { asked: intents.length, first: 0, rivals: new Map() };
    for (const intent of intents) {
      const isAside = (rival: number) => isTogether(intent, unit, rival);
      count(row, unit, intent, stand(intent, await queryOf(intent)), isAside);
    }
    rows.set(unit, row);
  }
  return toReport(garden, rows);
}

/** By unit number; intents of one unit taken together, each once. */
function served(garden: RecallGarden, asked: readonly AskedFor[], now: string): { unit: number; intents: string[] }[] {
  const { absent } = servingAt(garden, now);
  const numbers = new Map(garden.index.names.map((name, unit) => [name, unit]));
  const byUnit = new Map<number, Set<string>>();
  for (const { unit: name, intents } of asked) {
    const unit = numbers.get(name);
    if (unit === undefined || absent.has(unit)) continue;
    const known = byUnit.get(unit) ?? new Set();
    for (const intent of intents) known.add(intent);
    byUnit.set(unit, known);
  }
  return [...byUnit].sort(([a], [b]) => a - b).map(([unit, intents]) => ({ unit, intents: [...intents] }));
}

/** Tells who is asked for together with a unit: what needs both is no competition. */
function openTogether({ index, facts }: RecallGarden, asked: readonly AskedFor[]) {
  const wanted = new Map<string, Set<string>>();
  for (const { unit, intents } of asked) {
    for (const intent of intents) wanted.set(intent, (wanted.get(intent) ?? new Set()).add(unit));
  }
  const isTrigger = (intent: string, unit: number) => facts[unit]?.delivery.load_triggers.intents.includes(intent);
  return (intent: string, unit: number, rival: number): boolean =>
    (wanted.get(intent)?.has(index.names[rival] ?? '') ?? false) &&
    !(isTrigger(intent, unit) === true && isTrigger(intent, rival) === true);
}

function count(
  row: Row,
  own: number,
  intent: string,
  { order, total }: ScoredOrder,
  isAside: (rival: number) => boolean,
): void {
  const seen = order.slice(0, SEEN);
  const at = order.indexOf(own);
  const least = Math.max(1, Math.ceil(CLOSE_SHARE * (total[own] ?? 0)));
  if (at >= 0 && seen.slice(0, at).every(isAside)) row.first += 1;
  seen.forEach((rival, place) => {
    if (rival === own || isAside(rival)) return;
    const isAbove = at < 0 || place < at;
    if (!isAbove && (total[rival] ?? 0) < least) return;
    const tally = row.rivals.get(rival) ?? { outranks: 0, close: 0, contested: [] };
    if (isAbove) tally.outranks += 1;
    else tally.close += 1;
    tally.contested.push({ intent, own_rank: at < 0 ? null : at + 1, rival_rank: place + 1 });
    row.rivals.set(rival, tally);
  });
}

function toReport(garden: RecallGarden, rows: ReadonlyMap<number, Row>): SiblingReport {
  const nameOf = (unit: number) => garden.index.names[unit] ?? '';
  const wordsOf = openRivalWords(garden);
  const remedyFor = openRemedies(garden);
  const steals = (unit: number, rival: number) => {
    const row = rows.get(unit);
    return foundShare(row?.rivals.get(rival)?.outranks ?? 0, row?.asked ?? 0);
  };
  const rivalries = [...rows].flatMap(([unit, { rivals }]) =>
    hardest(rivals).map(([rival, { outranks, close, contested }]): Rivalry => {
      const told = contested.sort(byLoss);
      const both = { steals: steals(unit, rival), back: steals(rival, unit) };
      const said = told.map((it) => it.intent);
      const by = wordsOf(unit, rival, said);
      const shares = by.shared_words.length + by.drawn_by.length > 0;
      return {
        unit: nameOf(unit),
        rival: nameOf(rival),
        outranks,
        close,
        steals: both.steals,
        ...by,
        contested: told.slice(0, MAX_CONTESTED),
        remedy: remedyFor(unit, rival, { ...both, shares }),
      };
    }),
  );
  return {
    units: [...rows].map(([unit, { asked, first, rivals }]) => {
      return { name: nameOf(unit), asked, first, more_rivals: Math.max(0, rivals.size - MAX_RIVALS) };
    }),
    rivalries: rivalries.sort(
      (a, b) => b.steals - a.steals || b.outranks - a.outranks || b.close - a.close || byName(a, b),
    ),
  };
}

/** The rivals that are told: those that take most. */
function hardest(rivals: ReadonlyMap<number, Tally>): [number, Tally][] {
  return [...rivals]
    .sort(([a, one], [b, other]) => other.outranks - one.outranks || other.close - one.close || a - b)
    .slice(0, MAX_RIVALS);
}

/** Intents where the unit stands furthest behind first. */
function byLoss(a: Contested, b: Contested): number {
  const behind = ({ own_rank, rival_rank }: Contested) => (own_rank ?? Infinity) - rival_rank;
  return behind(a) === behind(b) ? (a.intent < b.intent ? -1 : 1) : behind(b) - behind(a);
}

function byName(a: Rivalry, b: Rivalry): number {
  const one = `${a.unit} ${a.rival}`;
  const other = `${b.unit} ${b.rival}`;
  return one < other ? -1 : 1;
}

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
import { createScoredRanking, type ScoredOrder } from '../placement.ts';
import type { QueryOf } from '../probes.ts';
import { createRemedies } from './remedies.ts';
import { createRivalWords } from './rival-words.ts';

/** The intents that a unit should answer. */
export interface UnitIntents {
  readonly unit: string;
  readonly intents: readonly string[];
}

/** Units below this rank do not compete, because an answer rarely has them. */
const DEPTH = 10;

type Contested = Rivalry['contested'][number];

/** Number of times that one unit competes for another's intents. */
interface Tally {
  outranks: number;
  close: number;
  readonly contested: Contested[];
}

/** The results for the intents of one unit. */
interface Row {
  readonly asked: number;
  first: number;
  readonly rivals: Map<number, Tally>;
}

/**
 * Which units of a garden compete: how often, for the intents of a unit, another one outranks it or is close behind, by
 * ranks without boost. A unit that is not in force, or not in the garden, neither competes nor is reported.
 *
 * @param unitIntents see `intentsByUnit`; two units do not compete for an intent that both should answer, unless both
 * have it as a trigger
 * @param now ISO 8601
 */
export async function siblingsOf(
  garden: RecallGarden,
  unitIntents: readonly UnitIntents[],
  queryOf: QueryOf,
  now: string,
): Promise<SiblingReport> {
  const rank = createScoredRanking(garden, now);
  const isWantedTogether = findWantedTogether(garden, unitIntents);
  const rows = new Map<number, Row>();
  for (const { unit, intents } of served(garden, unitIntents, now)) {
    const row: Row = { asked: intents.length, first: 0, rivals: new Map() };
    for (const intent of intents) {
      const isPartner = (rival: number) => isWantedTogether(intent, unit, rival);
      count(row, unit, intent, rank(intent, await queryOf(intent)), isPartner);
    }
    rows.set(unit, row);
  }
  return toReport(garden, rows);
}

/** The intents of each unit in force, by unit number, without duplicates. */
function served(
  garden: RecallGarden,
  unitIntents: readonly UnitIntents[],
  now: string,
): { unit: number; intents: string[] }[] {
  const { absent } = servingAt(garden, now);
  const numbers = new Map(garden.index.names.map((name, unit) => [name, unit]));
  const byUnit = new Map<number, Set<string>>();
  for (const { unit: name, intents } of unitIntents) {
    const unit = numbers.get(name);
    if (unit === undefined || absent.has(unit)) continue;
    const known = byUnit.get(unit) ?? new Set();
    for (const intent of intents) known.add(intent);
    byUnit.set(unit, known);
  }
  return [...byUnit].sort(([a], [b]) => a - b).map(([unit, intents]) => ({ unit, intents: [...intents] }));
}

/** Recognises intents that two units should answer together: for these they do not compete. */
function findWantedTogether({ index, facts }: RecallGarden, unitIntents: readonly UnitIntents[]) {
  const wanted = new Map<string, Set<string>>();
  for (const { unit, intents } of unitIntents) {
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
  isPartner: (rival: number) => boolean,
): void {
  const top = order.slice(0, DEPTH);
  const at = order.indexOf(own);
  const least = Math.max(1, Math.ceil(CLOSE_SHARE * (total[own] ?? 0)));
  if (at >= 0 && top.slice(0, at).every(isPartner)) row.first += 1;
  top.forEach((rival, place) => {
    if (rival === own || isPartner(rival)) return;
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
  const wordsOf = createRivalWords(garden);
  const remedyFor = createRemedies(garden);
  const steals = (unit: number, rival: number) => {
    const row = rows.get(unit);
    return foundShare(row?.rivals.get(rival)?.outranks ?? 0, row?.asked ?? 0);
  };
  const rivalries = [...rows].flatMap(([unit, { rivals }]) =>
    hardest(rivals).map(([rival, { outranks, close, contested }]): Rivalry => {
      const worstFirst = contested.sort(byLoss);
      const both = { steals: steals(unit, rival), back: steals(rival, unit) };
      const by = wordsOf(
        unit,
        rival,
        worstFirst.map((it) => it.intent),
      );
      const shares = by.shared_words.length + by.drawn_by.length > 0;
      return {
        unit: nameOf(unit),
        rival: nameOf(rival),
        outranks,
        close,
        steals: both.steals,
        ...by,
        contested: worstFirst.slice(0, MAX_CONTESTED),
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

/** The rivals to report: those that take most. */
function hardest(rivals: ReadonlyMap<number, Tally>): [number, Tally][] {
  return [...rivals]
    .sort(([a, one], [b, other]) => other.outranks - one.outranks || other.close - one.close || a - b)
    .slice(0, MAX_RIVALS);
}

/** Sorts intents: those where the unit is furthest behind come first. */
function byLoss(a: Contested, b: Contested): number {
  const behind = ({ own_rank, rival_rank }: Contested) => (own_rank ?? Infinity) - rival_rank;
  return behind(a) === behind(b) ? (a.intent < b.intent ? -1 : 1) : behind(b) - behind(a);
}

function byName(a: Rivalry, b: Rivalry): number {
  const one = `${a.unit} ${a.rival}`;
  const other = `${b.unit} ${b.rival}`;
  return one < other ? -1 : 1;
}

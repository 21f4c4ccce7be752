import type { RecallGarden } from '../recall/recall-garden.ts';
import type { Probe, ProbeResult } from '../schema/source/probe.ts';
import { isNearCopy, stemsIn } from './near-copy.ts';

/** The texts of a unit in an author's words, by which it is found. */
export type TextsOf = (unit: string) => readonly string[];

/** A text of a unit that nearly copies probes which require the unit. */
export interface ProbeCopy {
  readonly unit: string;
  readonly text: string;
  /** Their places in the list of probes. */
  readonly probes: readonly number[];
}

/**
 * Finds the texts that nearly copy a probe: such a probe shows only that its own words find the unit. Texts of units
 * that a probe does not require never help it, and do not matter: a rival's copy must not take a probe out of the
 * figures.
 */
export function findCopies(probes: readonly Pick<Probe, 'intent' | 'required'>[], textsOf: TextsOf): ProbeCopy[] {
  const asked = probes.map(({ intent }) => ({ intent, stems: stemsIn(intent) }));
  const wanting = new Map<string, number[]>();
  for (const [probe, { required }] of probes.entries()) {
    for (const unit of new Set(required)) {
      const list = wanting.get(unit);
      if (list) list.push(probe);
      else wanting.set(unit, [probe]);
    }
  }
  return [...wanting].flatMap(([unit, all]) =>
    textsOf(unit).flatMap((text) => {
      const stems = stemsIn(text);
      const isCopied = (probe: number) => {
        const own = asked[probe];
        return own !== undefined && (own.intent === text || isNearCopy(own.stems, stems));
      };
      const copied = all.filter(isCopied);
      return copied.length === 0 ? [] : [{ unit, text, probes: copied }];
    }),
  );
}

/**
 * The results of a garden's probes, with those marked that a text of the garden nearly copies: a trigger or a phrase.
 *
 * @param phrasesOf the phrases of a unit
 */
export function markCopies(
  garden: RecallGarden,
  probes: readonly Probe[],
  results: readonly ProbeResult[],
  phrasesOf: TextsOf,
): ProbeResult[] {
  const textsOf: TextsOf = (unit) => [...triggersIn(garden)(unit), ...phrasesOf(unit)];
  const copied = new Map<number, ProbeResult['copied_by']>();
  for (const { unit, text, probes: own } of findCopies(probes, textsOf))
    for (const probe of own) if (!copied.has(probe)) copied.set(probe, { unit, text });
  return results.map((result, probe) => {
    const copied_by = copied.get(probe);
    return copied_by === undefined ? result : { ...result, copied_by };
  });
}

/** The triggers of the units of a garden. */
const triggersIn =
  ({ index, facts }: RecallGarden): TextsOf =>
  (unit) =>
    facts[index.named.get(unit) ?? -1]?.delivery.load_triggers.intents ?? [];

/** The probes that count: no text of a unit that they require nearly copies them. */
export function counted(results: readonly ProbeResult[]): ProbeResult[] {
  return results.filter(({ copied_by }) => copied_by === undefined);
}

/** A probe that does not count, with what nearly copies it. */
export type CopiedProbe = ProbeResult & { readonly copied_by: NonNullable<ProbeResult['copied_by']> };

/** The probes that do not count. */
export function uncounted(results: readonly ProbeResult[]): CopiedProbe[] {
  return results.flatMap(({ copied_by, ...it }) => (copied_by === undefined ? [] : [{ ...it, copied_by }]));
}

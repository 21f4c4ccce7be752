import { findStale } from '../../lint/rules/phrase.ts';
import { servedDigest, type Fact } from '../../schema/bundle/fact.ts';
import type { Diagnostic } from '../../schema/diagnostics.ts';
import type { PhraseFile, UnitPhrases } from '../../schema/source/phrases.ts';
import type { ConfiguredPhrases } from '../../sources/config.ts';
import { byText, canonicalBytes } from '../../trust/canonical.ts';

/** The phrases that a garden is compiled with. */
export interface GardenPhrases {
  /** Of the units in force that have any, by name. */
  readonly units: readonly UnitPhrases[];
  /** `phrases.json`, if any unit has phrases. */
  readonly files: ReadonlyMap<string, Buffer>;
  readonly faults: readonly Diagnostic[];
}

/** Two values for an agent's garden: one for its own units, one for the units that it has of the shared garden. */
interface OfBoth<T> {
  readonly own: T;
  readonly shared: T;
}

/** The facts in force of one garden. */
type InForce = readonly { readonly fact: Fact }[];

/**
 * The phrases of a garden's units, its own and the shared ones. A quarantined unit has none, because nothing may find
 * it. They are beside the units: no version, author or approval depends on them.
 */
export function gatherPhrases(phrases: OfBoth<ConfiguredPhrases | null>, unitFacts: OfBoth<InForce>): GardenPhrases {
  const { own, shared } = unitFacts;
  const units = [...phrasesIn(phrases.own, own), ...phrasesIn(phrases.shared, shared)];
  units.sort((a, b) => byText(a.name, b.name));
  const file: PhraseFile = { format: 1, units };
  return {
    units,
    files: new Map(units.length > 0 ? [['phrases.json', canonicalBytes(file)]] : []),
    faults: [...staleIn(phrases.own, own), ...staleIn(phrases.shared, shared)],
  };
}

function phrasesIn(configured: ConfiguredPhrases | null, unitFacts: InForce): UnitPhrases[] {
  if (configured === null) return [];
  const { by, units } = configured.set;
  const inForce = new Set(unitFacts.map(({ fact }) => fact.name));
  return Object.entries(units).flatMap(([name, { digest = null, phrases }]) =>
    inForce.has(name) && phrases.length > 0 ? [{ name, by, digest, phrases }] : [],
  );
}

function staleIn(configured: ConfiguredPhrases | null, unitFacts: InForce): Diagnostic[] {
  return findStale(configured, new Map(unitFacts.map(({ fact }) => [fact.name, servedDigest(fact)])));
}

import { findCopies, type ProbeCopy } from '../quality/copied-probes.ts';
import { diagnostic, quoted, type Diagnostic, type Position } from '../schema/diagnostics.ts';
import type { Unit } from '../schema/source/unit.ts';
import type { ConfiguredPhrases, ConfiguredProbes } from '../sources/config.ts';
import type { GardenDraft } from './validate-unit.ts';

/** Texts that nearly copy a probe of the garden's agent: a text that was written to pass a probe predicts nothing. */
export function findCopiedProbes({
  probes,
  phrases,
  units,
  shared,
}: Pick<GardenDraft, 'probes' | 'phrases' | 'units' | 'shared'>) {
  if (probes === null) return [];
  const texts = new Map([
    ...shared.map((unit) => [unit.name, textsOf(unit, phrases.shared)] as const),
    ...units.map((unit) => [unit.name, textsOf(unit, phrases.own)] as const),
  ]);
  const copies = findCopies(probes.set.probes, (unit) => texts.get(unit)?.map(({ text }) => text) ?? []);
  return copies.flatMap((copy): Diagnostic[] => {
    const placed = texts.get(copy.unit)?.find(({ text }) => text === copy.text);
    return placed === undefined ? [] : [toDiagnostic(placed, probes, copy)];
  });
}

/** A text by which a unit is found, where it stands. */
interface PlacedText {
  readonly text: string;
  readonly file: string;
  readonly at: () => Position;
}

/** Its triggers and its phrases. */
function textsOf({ name, file, at, delivery }: Unit, phrases: ConfiguredPhrases | null): PlacedText[] {
  const { intents } = delivery.load_triggers;
  const triggers = intents.map((text, i) => ({ text, file, at: () => at('load_triggers.intents', i) }));
  const units = phrases?.set.units ?? {};
  if (phrases === null || !Object.hasOwn(units, name)) return triggers;
  const placed = (units[name]?.phrases ?? []).map((text, i) => {
    return { text, file: phrases.file, at: () => phrases.at(['units', name, 'phrases', i]) };
  });
  return [...triggers, ...placed];
}

function toDiagnostic(placed: PlacedText, { set, file, at }: ConfiguredProbes, { probes }: ProbeCopy): Diagnostic {
  const [first = 0, ...others] = probes;
  const { line, column } = at(['probes', first, 'intent']);
  const probe = `the probe ${quoted(set.probes[first]?.intent ?? '')} (${file}:${line}:${column})`;
  const rest = others.length === 0 ? 'which no longer counts' : `and ${others.length} more, which no longer count`;
  const message = `${quoted(placed.text)} nearly copies ${probe}, ${rest}`;
  const help = 'reword it, or delete it: write probes first, and write triggers and phrases without looking at them';
  return diagnostic('probe_copied', placed.file, message, help, placed.at());
}

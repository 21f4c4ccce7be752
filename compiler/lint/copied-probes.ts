import { findCopies, type ProbeCopy } from '../quality/copied-probes.ts';
import { diagnostic, quoted, type Diagnostic, type Position } from '../schema/diagnostics.ts';
import type { Unit } from '../schema/source/unit.ts';
import type { ConfiguredProbes } from '../sources/config.ts';
import type { GardenDraft } from './validate-unit.ts';

/** Texts that nearly copy a probe of the garden's agent: what was written to pass it does not foretell anything. */
export function findCopiedProbes({ probes, units, shared }: Pick<GardenDraft, 'probes' | 'units' | 'shared'>) {
  if (probes === null) return [];
  const texts = new Map([...shared, ...units].map((unit) => [unit.name, textsOf(unit)]));
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

function textsOf({ file, at, delivery }: Unit): PlacedText[] {
  return delivery.load_triggers.intents.map((text, i) => ({ text, file, at: () => at('load_triggers.intents', i) }));
}

function toDiagnostic(placed: PlacedText, { set, file, at }: ConfiguredProbes, { probes }: ProbeCopy): Diagnostic {
  const [first = 0, ...others] = probes;
  const { line, column } = at(['probes', first, 'intent']);
  const probe = `the probe ${quoted(set.probes[first]?.intent ?? '')} (${file}:${line}:${column})`;
  const rest = others.length === 0 ? 'which no longer counts' : `and ${others.length} more, which no longer count`;
  const message = `${quoted(placed.text)} nearly copies ${probe}, ${rest}`;
  const help = 'say it in other words, or drop it: probes come first, and who writes triggers does not look at them';
  return diagnostic('probe_copied', placed.file, message, help, placed.at());
}

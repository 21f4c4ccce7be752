import type { z } from 'zod';
import { PhraseSet } from '../schema/source/phrases.ts';
import { ProbeSet, type Probe } from '../schema/source/probe.ts';
import { appendYaml, editYaml, type Edit } from '../sources/edit-yaml.ts';
import { decodeYaml } from '../sources/yaml.ts';
import { canonicalJson } from '../trust/canonical.ts';

/** Phrases for the text that a unit has now. */
export interface Phrased {
  /** sha256 of the text, as served. */
  readonly digest: string;
  readonly phrases: readonly string[];
}

/** The new text of a file, or why it cannot have it. */
export type WrittenText = { readonly text: string } | { readonly why: string };

/**
 * The text of a phrase file with these phrases in the place of those that their units had; all other lines stay.
 *
 * @param before its text; null if absent
 */
export function writePhrases(before: string | null, by: string, more: ReadonlyMap<string, Phrased>): WrittenText {
  const known = before === null ? null : decodeYaml(PhraseSet, before, '').value;
  const rest = Object.keys(known?.units ?? {}).some((unit) => !more.has(unit));
  const writer = known && rest ? togetherWith(known.by, by) : by;
  const edits = [...more].flatMap(([unit, { digest, phrases }]): Edit[] => [
    { path: ['units', unit, 'digest'], value: digest },
    { path: ['units', unit, 'phrases'], value: phrases },
  ]);
  const after = editYaml(before ?? 'by: nobody\n', [{ path: ['by'], value: writer }, ...edits]);
  return checked(PhraseSet, after, { by: writer, units: { ...known?.units, ...Object.fromEntries(more) } });
}

/** The text of a probe file with more probes at its end; as above. */
export function writeProbes(before: string | null, more: readonly Probe[]): WrittenText {
  const known = before === null ? [] : (decodeYaml(ProbeSet, before, '').value?.probes ?? []);
  const items = more.map(({ intent, required }) => ({ intent, required }));
  const after = appendYaml(before ?? 'probes: []\n', 'probes', items);
  return checked(ProbeSet, after, { probes: [...known, ...more] });
}

/** Whoever wrote phrases that stay is named too, as far as a line holds it. */
function togetherWith(before: string, by: string): string {
  const both = before.split(', ').includes(by) ? before : `${before}, ${by}`;
  return PhraseSet.shape.by.safeParse(both).success ? both : by;
}

/** A text that its schema reads as what it has to say. An anchor that others share, for example, would change more. */
function checked(schema: z.ZodType<object>, text: string | null, expected: object): WrittenText {
  const decoded = text === null ? null : decodeYaml(schema, text, '');
  const fault = decoded?.faults[0];
  if (fault) return { why: fault.message };
  const isRight = decoded?.value != null && canonicalJson(decoded.value) === canonicalJson(expected);
  return text !== null && isRight ? { text } : { why: 'vade cannot edit this YAML; edit it by hand' };
}

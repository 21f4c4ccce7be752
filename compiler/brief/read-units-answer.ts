import type { Diagnostic, Position } from '../schema/diagnostics.ts';
import { VadeError } from '../schema/errors.ts';
import { UnitsAnswer, type UnitWords } from '../schema/source/brief-answer.ts';
import { decodeYaml } from '../sources/yaml.ts';
import type { ReadId } from './brief-id.ts';
import { readNamed } from './read-answer.ts';

/** Words for proposed units as they were written; untrusted. */
export interface WordsAnswer {
  readonly id: ReadId;
  readonly file: string;
  readonly by: string;
  /** By the name that a unit was proposed with; empty where the form is wrong. */
  readonly units: ReadonlyMap<string, UnitWords>;
  /** Lines that must always hold, as they were written; null where it says nothing about them. */
  readonly always: readonly string[] | null;
  /** Faults of its form. */
  readonly faults: readonly Diagnostic[];
  readonly at: (path: readonly PropertyKey[]) => Position;
}

/**
 * Reads the answer of a brief about proposed units, in JSON or YAML. Untrusted: names are looked up, never opened.
 *
 * @param file for messages
 * @throws answer_invalid if nothing can be read of it, brief_unknown if it answers no such brief
 */
export function readUnitsAnswer(written: string, file: string): WordsAnswer {
  const { text, id } = readNamed(written, file);
  if (id.subject.kind !== 'units') {
    const message = `${file} answers a brief for ${id.subject.kind}, not that of a migration`;
    throw new VadeError('brief_unknown', message, { suggestion: 'once the units exist, use vade brief take' });
  }
  const { value, faults, at } = decodeYaml(UnitsAnswer, text, file);
  const units = new Map(Object.entries(value?.units ?? {}));
  return { id, file, by: value?.by ?? '', units, always: value?.always ?? null, faults, at };
}

import { z } from 'zod';
import { diagnostic, type Diagnostic, type Position } from '../schema/diagnostics.ts';
import { VadeError } from '../schema/errors.ts';
import { typedWord } from '../schema/shell-word.ts';
import { PhrasesAnswer, ProbesAnswer } from '../schema/source/brief-answer.ts';
import { decodeYaml } from '../sources/yaml.ts';
import { byText } from '../trust/canonical.ts';
import { readBriefId, type ReadId } from './brief-id.ts';
import type { BriefSubject, SentenceKind } from './brief.ts';
import { unfenced } from './fence.ts';

/** A sentence of an answer, and where it stands. */
export interface Sentence {
  readonly unit: string;
  readonly text: string;
  readonly at: Position;
}

/** The id of a brief about units of the sources. */
interface SentencesId extends ReadId {
  readonly subject: BriefSubject & { readonly kind: SentenceKind };
}

/** An answer as it was written; untrusted, as far as it can be read. */
export interface BriefAnswer {
  readonly id: SentencesId;
  readonly file: string;
  /** Empty for probes. */
  readonly by: string;
  /** The units that it names, and where; those that it declines too. */
  readonly units: ReadonlyMap<string, Position>;
  /** The units that it says need nothing. */
  readonly declined: readonly string[];
  readonly sentences: readonly Sentence[];
  /** Faults of its form. */
  readonly faults: readonly Diagnostic[];
  readonly at: (path: readonly PropertyKey[]) => Position;
}

const Named = z.looseObject({ brief: z.string() });

/** The part of an answer that can still be judged if its form is wrong, so that one run reports all faults. */
const Legible = z.looseObject({
  units: z.record(z.string(), z.array(z.string())).optional(),
  declined: z.array(z.string()).optional(),
});

/**
 * Reads the answer of a brief, in JSON or YAML. Untrusted input: its keys are looked up, and name no file.
 *
 * @param file for messages
 * @throws answer_invalid if nothing can be read of it, brief_unknown if it names no brief
 */
export function readAnswer(written: string, file: string): BriefAnswer {
  const { text, id: named } = readNamed(written, file);
  const id = sentencesId(named, file);
  const { value, faults, at } = decodeYaml(formOf(id), text, file);
  const read = value ?? decodeYaml(Legible, text, file).value;
  const units = Object.entries(read?.units ?? {});
  const declined = [...new Set(read?.declined)].sort(byText);
  units.sort(([a], [b]) => byText(a, b));
  const sentences = units.flatMap(([unit, said]) =>
    said.map((it, i) => ({ unit, text: it, at: at(['units', unit, i]) })),
  );
  const places = new Map([
    ...declined.map((unit) => [unit, at(['declined', (read?.declined ?? []).indexOf(unit)])] as const),
    ...units.map(([unit]) => [unit, at(['units', unit])] as const),
  ]);
  const both = declined.filter((unit) => sentences.some((it) => it.unit === unit));
  const twice = both.map((unit) => {
    const help = 'write its sentences, or decline it';
    return diagnostic('value_invalid', file, `“${unit}” is declined and answered`, help, places.get(unit));
  });
  return { id, file, by: value?.by ?? '', units: places, declined, sentences, faults: [...faults, ...twice], at };
}

/** An answer without a fence around it, and the id of its brief. @throws answer_invalid, brief_unknown */
export function readNamed(written: string, file: string): { readonly text: string; readonly id: ReadId } {
  const read = unfenced(written);
  if (!('text' in read)) {
    const { line, why, help } = read;
    throw answerInvalid(file, [diagnostic('value_invalid', file, why, help, { line, column: 1 })]);
  }
  const { value: named, faults } = decodeYaml(Named, read.text, file);
  if (named === null) {
    const prose = proseIn(read.text, file);
    throw answerInvalid(file, prose.length > 0 ? prose : faults);
  }
  return { text: read.text, id: readIdOf(named.brief, file) };
}

/** The first line of a text that begins as no answer does: the words of a model about it. */
function proseIn(text: string, file: string): Diagnostic[] {
  const lines = text.split('\n');
  const first = lines.findIndex((it) => it.trim() !== '');
  if (first === -1 || /^\s*([{#]|---|["']?(brief|by|units|declined)["']?\s*:)/.test(lines[first] ?? '')) return [];
  const help = 'give the answer alone, as JSON or YAML in the form of the brief';
  return [diagnostic('value_invalid', file, 'this line is no part of an answer', help, { line: first + 1, column: 1 })];
}

/** @throws brief_unknown if a text is not the id of a brief */
function readIdOf(text: string, file: string): ReadId {
  const id = readBriefId(text);
  if (id !== null) return id;
  throw new VadeError('brief_unknown', `“brief” in ${file} is not the id of a brief`, COPY);
}

/** @throws brief_unknown if the brief asked for something else */
function sentencesId({ subject, marks }: ReadId, file: string): SentencesId {
  const { kind } = subject;
  if (kind !== 'units') return { subject: { ...subject, kind }, marks };
  const suggestion = `vade migrate --from <file> --agent ${subject.garden} --answers ${typedWord(file)}`;
  throw new VadeError('brief_unknown', `${file} answers the brief of a migration`, { suggestion });
}

const COPY = { suggestion: 'copy the id from the end of what vade brief printed' };

function formOf({ subject }: SentencesId): z.ZodType<Partial<z.infer<typeof PhrasesAnswer>>> {
  return subject.kind === 'phrases' ? PhrasesAnswer : ProbesAnswer;
}

/** All that is wrong with an answer, which then changes nothing. */
export function answerInvalid(file: string, faults: readonly Diagnostic[]): VadeError {
  const [first = diagnostic('value_invalid', file, 'it is empty', 'write the answer')] = faults;
  const more = faults.length > 1 ? `, and ${faults.length - 1} more` : '';
  const message = `${file}:${first.line}:${first.column} ${first.message}${more}; nothing is written`;
  return new VadeError('answer_invalid', message, { faults, suggestion: first.help });
}

import { z } from 'zod';
import { diagnostic, type Diagnostic, type Position } from '../schema/diagnostics.ts';
import { VadeError } from '../schema/errors.ts';
import { typedWord } from '../schema/shell-word.ts';
import { PhrasesAnswer, ProbesAnswer } from '../schema/source/brief-answer.ts';
import { decodeYaml } from '../sources/yaml.ts';
import { byText } from '../trust/canonical.ts';
import { readBriefId, type ReadId } from './brief-id.ts';
import type { BriefSubject, SentenceKind } from './brief.ts';

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
  /** The units that it names, and where. */
  readonly units: ReadonlyMap<string, Position>;
  readonly sentences: readonly Sentence[];
  /** Faults of its form. */
  readonly faults: readonly Diagnostic[];
  readonly at: (path: readonly PropertyKey[]) => Position;
}

const Named = z.looseObject({ brief: z.string() });

/** The part of an answer that can still be judged if its form is wrong, so that one run reports all faults. */
const Legible = z.looseObject({ units: z.record(z.string(), z.array(z.string())) });

/**
 * Reads the answer of a brief, in JSON or YAML. Untrusted input: its keys are looked up, and name no file.
 *
 * @param file for messages
 * @throws answer_invalid if nothing can be read of it, brief_unknown if it names no brief
 */
export function readAnswer(text: string, file: string): BriefAnswer {
  const { value: named, faults: illegible } = decodeYaml(Named, text, file);
  if (named === null) throw answerInvalid(file, illegible);
  const id = sentencesId(readIdOf(named.brief, file), file);
  const { value, faults, at } = decodeYaml(formOf(id), text, file);
  const units = Object.entries(value?.units ?? decodeYaml(Legible, text, file).value?.units ?? {});
  units.sort(([a], [b]) => byText(a, b));
  const sentences = units.flatMap(([unit, said]) =>
    said.map((it, i) => ({ unit, text: it, at: at(['units', unit, i]) })),
  );
  const places = new Map(units.map(([unit]) => [unit, at(['units', unit])]));
  return { id, file, by: value?.by ?? '', units: places, sentences, faults, at };
}

/** @throws brief_unknown if a text is not the id of a brief */
export function readIdOf(text: string, file: string): ReadId {
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

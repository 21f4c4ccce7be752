import type { Language } from '../schema/source/language.ts';
import { briefId } from './brief-id.ts';
import type { Brief, BriefSubject, LeftOut, Neighbour, BriefSection } from './brief.ts';
import { outlineOf } from './outline.ts';
import { cutParts } from './parts.ts';

/** The input for a brief. */
export interface BriefInput {
  readonly subject: BriefSubject;
  /** Of the handbook, as it declares it. */
  readonly language: Language;
  /** Every unit to write for, by name. */
  readonly sections: readonly BriefSection[];
  /** Every unit that competes with them, themselves too. */
  readonly neighbours: readonly Neighbour[];
  readonly leftOut: readonly LeftOut[];
  /** Whether it is only about units that have none yet. */
  readonly missing: boolean;
  /** The command that prints it, without the part. */
  readonly command: string;
}

/** Number of parts, and one of them; null if there is no such part. @param part 1-based */
export function createBrief(input: BriefInput, part: number): { readonly parts: number; readonly brief: Brief | null } {
  const { subject, language, neighbours, leftOut, missing, command } = input;
  const parts = cutParts(input.sections);
  const sections = parts[part - 1];
  if (sections === undefined) return { parts: parts.length, brief: null };
  const outline = outlineOf(neighbours, sections);
  const further = neighbours.length - outline.length;
  const id = briefId(subject, sections);
  const about = { id, language, sections, outline, further, leftOut, part, parts: parts.length, missing, command };
  return { parts: parts.length, brief: { ...subject, ...about } };
}

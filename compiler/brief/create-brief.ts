import { terms } from '../recall/signals/lexical.ts';
import type { Language } from '../schema/source/language.ts';
import { byText } from '../trust/canonical.ts';
import { briefId } from './brief-id.ts';
import type { Brief, BriefSubject, LeftOut, Neighbour, BriefSection } from './brief.ts';
import { cutParts } from './parts.ts';

/** Maximum number of units that an outline names: about 6,000 tokens. */
export const MOST_NEIGHBOURS = 200;

/** The input for a brief. */
export interface BriefInput {
  readonly subject: BriefSubject;
  /** The language that the handbook declares. */
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

/**
 * The units that a writer has to distinguish these from: all of the garden; of a large one those whose names and
 * descriptions share the most words with them.
 */
function outlineOf(units: readonly Neighbour[], own: readonly Neighbour[]): readonly Neighbour[] {
  const sorted = [...units].sort((a, b) => byText(a.name, b.name));
  if (sorted.length <= MOST_NEIGHBOURS) return sorted;
  const wanted = new Set(own.flatMap(wordsOf));
  const common = new Map(sorted.map((it) => [it, new Set(wordsOf(it).filter((word) => wanted.has(word))).size]));
  const nearest = [...sorted].sort((a, b) => (common.get(b) ?? 0) - (common.get(a) ?? 0));
  const kept = new Set(nearest.slice(0, MOST_NEIGHBOURS));
  return sorted.filter((it) => kept.has(it));
}

function wordsOf({ name, description }: Neighbour): string[] {
  return terms(`${name.replaceAll('-', ' ')} ${description}`, false);
}

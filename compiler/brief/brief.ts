import type { Language } from '../schema/source/language.ts';

/** Kinds of sentences that a brief about units of the sources asks for. */
const SENTENCE_KINDS = ['phrases', 'probes'] as const;

export type SentenceKind = (typeof SENTENCE_KINDS)[number];

/** Kinds of briefs; `units` asks for names, descriptions and triggers of units that a migration proposes. */
export const BRIEF_KINDS = [...SENTENCE_KINDS, 'units'] as const;

export type BriefKind = (typeof BRIEF_KINDS)[number];

/** The subject of a brief: one garden, and the kind of text to write for its units. */
export interface BriefSubject {
  readonly kind: BriefKind;
  readonly deployment: string;
  /** An agent's short name, or `shared`. */
  readonly garden: string;
}

/** A unit as its neighbours see it. */
export interface Neighbour {
  readonly name: string;
  readonly description: string;
}

/** A unit to write for. */
export interface BriefSection extends Neighbour {
  /** The body as served. */
  readonly content: string;
  /** The beginning of a long text, which is shown in its place; absent where all of it is shown. */
  readonly beginning?: string;
  /** Texts that find it now; none in a brief for probes, which are written blind. */
  readonly intents: readonly string[];
  readonly phrases: readonly string[];
  /** The numbers of its lines that may be rules that always hold. */
  readonly lines?: ReadonlySet<number>;
}

/** Reasons not to write for a unit: its text is not safe to show, it has none, or an answer declined it. */
export const LEFT_OUT = ['unsafe', 'no_text', 'declined'] as const;

/** A unit that is not to be written for. */
export interface LeftOut {
  readonly unit: string;
  readonly reason: (typeof LEFT_OUT)[number];
}

/** One part of what is to be written for a garden, small enough for one sitting. */
export interface Brief extends BriefSubject {
  readonly id: string;
  /** The language that the handbook declares. */
  readonly language: Language;
  readonly sections: readonly BriefSection[];
  readonly outline: readonly Neighbour[];
  /** Number of units of the garden that the outline leaves out. */
  readonly further: number;
  readonly leftOut: readonly LeftOut[];
  /** 1-based. */
  readonly part: number;
  readonly parts: number;
  /** Whether it is only about units that have none yet. */
  readonly missing: boolean;
  /** The command that printed it, without the part. */
  readonly command: string;
}

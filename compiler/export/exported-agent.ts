import { z } from 'zod';

/** The formats of other hosts. */
export const TARGETS = ['agents-md', 'skills', 'cursor', 'copilot'] as const;

export type ExportTarget = (typeof TARGETS)[number];

/** Stands for every target. */
export const ALL = 'all';

/** An agent's unit as an agent would get it now. */
export interface ExportedUnit {
  readonly name: string;
  /** The fact's URI with its version; `digest` is that of the text. */
  readonly uri: string;
  readonly digest: string;
  /** Its path in the sources, which links of other units name. */
  readonly file: string;
  readonly description: string;
  readonly intents: readonly string[];
  readonly content: string;
  /** Comes with every recall: guaranteed by an administrator. */
  readonly always: boolean;
  /** Whether its front matter lets the manifest list it. */
  readonly listed: boolean;
  /** Patterns of the files that it is about. */
  readonly files: readonly string[];
  /** Members of the front matter that no format has a place for, and that this unit uses. */
  readonly without: readonly string[];
}

/** Reasons why something cannot be exported. */
export const LEFT_REASONS = {
  description_unfit: 'the format does not allow < and > in a description',
  expired: 'it has expired',
  markup_open: 'its Markdown leaves a code block or a comment open, which would hide what follows',
  name_unfit: 'the format does not allow its name',
  no_room: 'the file is full',
  on_demand: 'the format loads everything on demand',
  quarantined: 'it is quarantined',
  too_large: 'it is longer than the format allows',
  unavailable: 'it has no text',
  unread: 'this version does not know the form of its boot stub',
  withdrawn: 'it is withdrawn',
} as const;

export type LeftReason = keyof typeof LEFT_REASONS;

/** A part that an export leaves out: a whole unit, its intents, or that it always applies. */
export const Left = z.strictObject({
  unit: z.string(),
  part: z.enum(['always', 'intents', 'unit']),
  reason: z.enum(Object.keys(LEFT_REASONS) as [LeftReason, ...LeftReason[]]),
});

export type Left = z.infer<typeof Left>;

/** One agent, ready to be exported. Every text in it is untrusted. */
export interface ExportedAgent {
  readonly deployment: string;
  readonly agent: string;
  readonly role: string;
  /** Serial and digest of the bundle's root statement. */
  readonly revision: string;
  /** The always-on rules of `boot.md`; empty without one. */
  readonly rules: string;
  /** Those that always apply first, then those that the manifest may list, then the others; by name. */
  readonly units: readonly ExportedUnit[];
  /** Parts that the bundle itself does not give out. */
  readonly left: readonly Left[];
}

/** The result of rendering an agent: files by path below the target's folder, and the parts that are not in them. */
export interface Rendered {
  readonly files: ReadonlyMap<string, string>;
  readonly left: readonly Left[];
}

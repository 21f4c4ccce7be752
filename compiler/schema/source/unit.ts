import { z } from 'zod';
import type { Position } from '../diagnostics.ts';
import { oneLine } from '../primitives.ts';
import { Name } from '../uri.ts';
import { FilePatterns } from './file-pattern.ts';
import type { SkillSource } from './sources.ts';

/** Largest instruction file, in bytes: far above a good unit, far below a size that slows the compiler. */
export const MAX_UNIT_BYTES = 65_536;

/** Maximum numbers of characters of a trigger and of a description. */
export const MAX_TRIGGER_LENGTH = 200;
export const MAX_DESCRIPTION_LENGTH = 120;

const Phrase = oneLine(MAX_TRIGGER_LENGTH).min(1);
const TaskType = oneLine(64).min(1);

/** Situations in which a unit is needed (§21.2.2). */
const LoadTriggers = z.strictObject({
  intents: z.array(Phrase).max(32).default([]),
  keywords: z.array(Phrase).max(64).default([]),
  task_types: z.array(TaskType).max(32).default([]),
});

/** The front matter of a unit (DESIGN §5): its delivery, not its content. */
export const Delivery = z.strictObject({
  description: oneLine(MAX_DESCRIPTION_LENGTH).min(1),
  load_triggers: LoadTriggers.default({ intents: [], keywords: [], task_types: [] }),
  required_by_task_types: z.array(TaskType).max(32).default([]),
  guarantee_load: z.boolean().default(false),
  force_position: z.enum(['append', 'prepend']).default('append'),
  related: z.array(Name).max(32).default([]),
  aliases: z.array(Name).max(16).default([]),
  valid_until: z.iso.datetime({ offset: false }).nullable().default(null),
  listed: z.boolean().default(true),
  /** Priority for a place in the manifest: the highest comes first. Absent is 0, so that no approval lapses. */
  priority: z.int().min(0).max(9).optional(),
  /** Patterns of the files that it is about; a recall that names such a file may get it by that. */
  files: FilePatterns.optional(),
  renamed_from: Name.nullable().default(null),
  /** Document and line of a migrated text, or a place behind them: exports keep the order of the documents. */
  source: oneLine(600)
    .regex(/:\d{1,9}(\.\d{1,9})*$/, 'write the document and the line, as in AGENTS.md:12')
    .optional(),
  path: oneLine(512).min(1).nullable().default(null),
});

export type Delivery = z.infer<typeof Delivery>;

/** A link in a unit's body, as written, and where. */
export interface Link {
  readonly target: string;
  readonly at: Position;
}

/** A piece of Markdown that begins and does not end: it swallows the text that follows it. */
export interface Unclosed {
  readonly what: 'code fence' | 'comment';
  readonly at: Position;
}

/** One parsed instruction file, before the history gives it a version. */
export interface Unit {
  readonly name: string;
  /** An agent's short name, or `shared`. */
  readonly garden: string;
  readonly file: string;
  readonly delivery: Delivery;
  /** The body as served: LF, no leading blank line, one newline at the end; empty without a body. */
  readonly content: string;
  readonly headings: readonly string[];
  readonly links: readonly Link[];
  readonly unclosed: readonly Unclosed[];
  /** Where it lies, if it is a skill in place. */
  readonly skill?: SkillSource;
  /** Position of a front matter key, for diagnostics that concern several units. */
  readonly at: (key: string, index?: number) => Position;
}

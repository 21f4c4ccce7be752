import { z } from 'zod';

/** The formats of other hosts. */
export const TARGETS = ['agents-md', 'claude', 'copilot', 'cursor', 'skills'] as const;

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
  /** Its place in the document that it was migrated from; null for a unit written by hand. */
  readonly source: string | null;
  readonly description: string;
  readonly intents: readonly string[];
  readonly keywords: readonly string[];
  readonly content: string;
  /** Comes with every recall: guaranteed by an administrator. */
  readonly always: boolean;
  /** Whether its front matter lets the manifest list it. */
  readonly listed: boolean;
  readonly priority: number;
  /** Patterns of the files that it is about. */
  readonly files: readonly string[];
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

/** A part that an export leaves out: a whole unit, or that it always applies. */
export const Left = z.strictObject({
  unit: z.string(),
  part: z.enum(['always', 'unit']),
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
  /** In the order of their documents. */
  readonly units: readonly ExportedUnit[];
  /** Parts that the bundle itself does not give out. */
  readonly left: readonly Left[];
}

/** The name that stands for `boot.md`; no unit can have it. */
export const BOOT = 'boot';

/** `boot.md` as a unit that always applies; null without one. */
export function bootUnit({ rules }: Pick<ExportedAgent, 'rules'>): ExportedUnit | null {
  if (rules === '') return null;
  return {
    name: BOOT,
    uri: '',
    digest: '',
    file: '',
    source: null,
    description: 'Rules that always apply',
    intents: [],
    keywords: [],
    content: rules,
    always: true,
    listed: true,
    priority: 0,
    files: [],
  };
}

/** Where a unit stands in the order of the documents: those written by hand first, by name. */
export function byDocument(a: ExportedUnit, b: ExportedUnit): number {
  const [from, to] = [placeOf(a), placeOf(b)];
  if (from.document !== to.document) return from.document < to.document ? -1 : 1;
  const at = from.numbers.findIndex((it, i) => it !== to.numbers[i]);
  if (at !== -1) return (from.numbers[at] ?? 0) - (to.numbers[at] ?? -1);
  return from.numbers.length - to.numbers.length || (a.name < b.name ? -1 : 1);
}

/** The document of a unit, empty for one written by hand, and the numbers of its place in it. */
export function placeOf({ source }: Pick<ExportedUnit, 'source'>): { document: string; numbers: number[] } {
  const at = source?.lastIndexOf(':') ?? 0;
  const numbers =
    source
      ?.slice(at + 1)
      .split('.')
      .map(Number) ?? [];
  return { document: source?.slice(0, at) ?? '', numbers };
}

/** The first line of a section of a file, and what the export did to the text of its unit, so that it can be undone. */
export const Section = z.strictObject({
  start: z.string(),
  lines: z.int().positive(),
  /** Whether the first line is a heading that the export added. */
  added: z.literal(true).optional(),
  /** Levels by which its headings are lower. */
  lowered: z.int().min(-5).max(5).optional(),
  /** The heading that it repeats of the section before it. */
  repeated: z.string().optional(),
});

export type Section = z.infer<typeof Section>;

/** A unit in a file of an export, and the section that it is of a file with several. */
export interface PlacedUnit {
  readonly unit: ExportedUnit;
  readonly file: string;
  readonly section?: Section;
}

/** The result of rendering an agent: files by path below the target's folder, and the parts that are not in them. */
export interface Rendered {
  readonly files: ReadonlyMap<string, string>;
  readonly placed: readonly PlacedUnit[];
  readonly left: readonly Left[];
}

/** A unit that a document states as one: it was exported from a bundle, or edited in an export. */
export interface KnownUnit {
  readonly name: string;
  readonly description: string;
  readonly intents: readonly string[];
  readonly keywords: readonly string[];
  readonly guaranteed: boolean;
  readonly listed: boolean;
  /** Patterns of the files that it is about. */
  readonly files: readonly string[];
  /** Its place in the document that it came from first; null for a unit written by hand. */
  readonly source: string | null;
  readonly content: string;
  /** Start of its text in the document. */
  readonly line: number;
}

/** The units, the rules and the role that a document states for an agent. */
export interface KnownDocument {
  readonly units: readonly KnownUnit[];
  /** The always-on rules of `boot.md`; null without any. */
  readonly rules: { readonly content: string; readonly line: number } | null;
  /** The agent's role, where the document names it. */
  readonly role: string | null;
}

/** A unit that a document states as one: it was exported from a bundle. */
export interface KnownUnit {
  readonly name: string;
  readonly description: string;
  readonly intents: readonly string[];
  readonly guaranteed: boolean;
  readonly listed: boolean;
  readonly content: string;
  /** Where its text begins in the document. */
  readonly line: number;
}

/** A legacy document with its path below the folder that is migrated. */
export interface LegacyText {
  readonly path: string;
  /** Of a document with known units the rest of it, line for line. */
  readonly text: string;
  readonly known?: {
    readonly units: readonly KnownUnit[];
    /** The rules of a `boot.md`. */
    readonly rules: { readonly content: string; readonly line: number } | null;
    readonly role: string | null;
  };
}

/** The unit that a section is already; null for any other. */
export const knownUnit = ({ known }: { readonly known?: KnownUnit | 'rules' }): KnownUnit | null =>
  known === undefined || known === 'rules' ? null : known;

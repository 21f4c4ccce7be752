import type { KnownDocument, KnownUnit } from '../../schema/source/known-unit.ts';

/** A legacy document with its path below the folder that is migrated. */
export interface LegacyText {
  readonly path: string;
  /** Of a document with known units the rest of it, line for line. */
  readonly text: string;
  readonly known?: KnownDocument;
}

/** The unit that a section is already; null for any other. */
export const knownUnit = ({ known }: { readonly known?: KnownUnit | 'rules' }): KnownUnit | null =>
  known === undefined || known === 'rules' ? null : known;

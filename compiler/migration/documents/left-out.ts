/** A part of a document that is in no unit, and the reason. */
export interface LeftOut {
  readonly path: string;
  readonly line: number;
  readonly what: string;
  readonly why: string;
}

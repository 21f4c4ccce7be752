/** What of a document is in no unit, and why. */
export interface LeftOut {
  readonly path: string;
  readonly line: number;
  readonly what: string;
  readonly why: string;
}

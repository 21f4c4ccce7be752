/** A unit to judge, with the texts by which it is judged. */
export interface JudgedUnit {
  readonly name: string;
  readonly intents: readonly string[];
  readonly description: string;
  /** They find it too, but it is judged by its triggers alone. Absent if it has none. */
  readonly phrases?: readonly string[];
}

/** A unit to judge. */
export interface JudgedUnit {
  readonly name: string;
  readonly intents: readonly string[];
  /** It is never paraphrased (S8): words that would help come from it, and a trigger may repeat some of it. */
  readonly description: string;
  /** They find it too, but it is judged by its triggers alone. Absent if it has none. */
  readonly phrases?: readonly string[];
}

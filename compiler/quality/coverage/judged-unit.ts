/** A unit to judge, with what it is judged by. */
export interface JudgedUnit {
  readonly name: string;
  readonly intents: readonly string[];
  readonly description: string;
}

/** A unit to judge, with the texts by which it is judged. */
export interface JudgedUnit {
  readonly name: string;
  readonly intents: readonly string[];
  readonly description: string;
}

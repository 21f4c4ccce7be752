import type { Field } from './field.ts';
import type { Setting } from './shell-state.ts';

/** A program that the command would run, with its words. */
export interface Invocation {
  /** The last part of the program's path. */
  readonly name: string;
  /** The program as written, and its arguments. */
  readonly words: readonly Field[];
  readonly settings: readonly Setting[];
  /** The text that a here-document or a here-string gives it; null if none does. */
  readonly input: Field | null;
  /** Whether it only runs another program or a script, which is listed too. */
  readonly isWrapper: boolean;
}

/** A file that the command would write, move or remove. */
export interface Write {
  readonly target: Field;
  readonly by: string;
  /** Whether the file would be gone afterwards. */
  readonly removes: boolean;
  /** Whether a folder goes with all that is in it. */
  readonly recursive: boolean;
  /** The name that is written below it, if it is a folder. */
  readonly entry?: Field;
}

/** A write, and the folders in which the command may be then. */
export interface PlacedWrite extends Write {
  readonly cwds: readonly Field[];
}

/** The effects of a shell command, as far as its text shows them. */
export interface CommandEffects {
  readonly invocations: readonly Invocation[];
  readonly writes: readonly PlacedWrite[];
  /** Why it cannot be analysed; empty if it can. */
  readonly faults: readonly string[];
  /** The folders in which it may be at its end. */
  readonly cwds: readonly Field[];
  /** Names to which it gives a value. */
  readonly names: readonly string[];
}

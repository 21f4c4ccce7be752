import { z } from 'zod';
import { Delivery } from '../schema/source/unit.ts';
import { Name, RESERVED_NAMES } from '../schema/uri.ts';

/** A unit as an exported file has it, or as somebody edited it there. */
export interface ReturnedUnit {
  readonly name: string;
  readonly description: string;
  readonly intents: readonly string[];
  readonly guaranteed: boolean;
  readonly listed: boolean;
  readonly content: string;
  /** Where its text begins in the file. */
  readonly line: number;
}

/** What a file of an export has. */
export interface Returned {
  readonly units: readonly ReturnedUnit[];
  /** The always-on rules of `boot.md`; null without any. */
  readonly rules: { readonly content: string; readonly line: number } | null;
  /** The agent's role, where the file names it. */
  readonly role: string | null;
  /** What is none of this, line for line, without the provenance; blank if there is nothing else. */
  readonly rest: string;
}

/** What the schema of a unit takes; an export, or one that was forged, cannot say more. */
const Told = z.object({
  name: Name.refine((it) => !RESERVED_NAMES.includes(it)),
  description: Delivery.shape.description,
  intents: Delivery.shape.load_triggers.unwrap().shape.intents,
  content: z.string().regex(/\S/),
});

/** The unit, or null if no unit can be like that. */
export function checked(unit: ReturnedUnit): ReturnedUnit | null {
  return Told.safeParse(unit).success ? unit : null;
}

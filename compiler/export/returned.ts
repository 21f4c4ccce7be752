import { z } from 'zod';
import { FilePatterns } from '../schema/source/file-pattern.ts';
import type { KnownDocument, KnownUnit } from '../schema/source/known-unit.ts';
import { Delivery } from '../schema/source/unit.ts';
import { Name, RESERVED_NAMES } from '../schema/uri.ts';

/** What a file of an export has. */
export interface Returned extends KnownDocument {
  /** What is none of this, line for line, without the provenance; blank if there is nothing else. */
  readonly rest: string;
}

/** What the schema of a unit takes; an export, or one that was forged, cannot say more. */
const Told = z.object({
  name: Name.refine((it) => !RESERVED_NAMES.includes(it)),
  description: Delivery.shape.description,
  intents: Delivery.shape.load_triggers.unwrap().shape.intents,
  content: z.string().regex(/\S/),
  files: z.array(z.string()).max(0).or(FilePatterns),
});

/** The unit, or null if no unit can be like that. */
export function checked(unit: KnownUnit): KnownUnit | null {
  return Told.safeParse(unit).success ? unit : null;
}

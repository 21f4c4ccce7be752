import { z } from 'zod';
import { FilePatterns } from '../schema/source/file-pattern.ts';
import type { KnownDocument, KnownUnit } from '../schema/source/known-unit.ts';
import { Delivery } from '../schema/source/unit.ts';
import { Name, RESERVED_NAMES } from '../schema/uri.ts';

/** The content of a file of an export. */
export interface Returned extends KnownDocument {
  /** Any other text, line for line, without the provenance; blank if there is none. */
  readonly rest: string;
}

/** The limits of a unit's schema: an export, or a forged one, cannot say more. */
const ReadableUnit = z.object({
  name: Name.refine((it) => !RESERVED_NAMES.includes(it)),
  description: Delivery.shape.description,
  intents: Delivery.shape.load_triggers.unwrap().shape.intents,
  content: z.string().regex(/\S/),
  files: z.array(z.string()).max(0).or(FilePatterns),
});

/** The unit, or null if no unit can be like that. */
export function checked(unit: KnownUnit): KnownUnit | null {
  return ReadableUnit.safeParse(unit).success ? unit : null;
}

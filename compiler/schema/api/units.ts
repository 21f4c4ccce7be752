import { z } from 'zod';
import { Skill } from '../bundle/skill.ts';
import { Digest } from '../primitives.ts';
import { Name } from '../uri.ts';
import { wholeNumber } from '../whole-number.ts';

const MOST_UNITS = 500;

/** Filter of a list of an agent's units. */
export const UnitsQuery = z.object({
  limit: wholeNumber(1, MOST_UNITS).default(100).meta({ description: 'Units a page' }),
  after: Name.optional().meta({ description: 'The last name of the page before' }),
  name: Name.optional().meta({ description: 'Only this unit' }),
  content: z.enum(['true', 'false']).default('false').meta({ description: 'Whether their text comes along' }),
});

export const ListedUnit = z.strictObject({
  name: z.string(),
  fact_uri: z.string(),
  description: z.string(),
  tokens: z.int(),
  /** Of the text in UTF-8. */
  digest: Digest,
  content: z.string().optional(),
  /** Of a skill, where its text comes along. */
  skill: Skill.pick({ description: true, files: true }).optional(),
});

/** A page of the units that recall can find for an agent, shared ones among them, by name. */
export const Units = z.strictObject({
  units: z.array(ListedUnit),
  /** `after` of the next page; null on the last. */
  next: z.string().nullable(),
});

export type UnitsQuery = z.output<typeof UnitsQuery>;
export type ListedUnit = z.infer<typeof ListedUnit>;
export type Units = z.infer<typeof Units>;

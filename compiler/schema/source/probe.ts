import { z } from 'zod';
import { Instant } from '../primitives.ts';
import { Name } from '../uri.ts';
import { MAX_UNIT_BYTES } from './unit.ts';

/** A file of probes or of phrases holds sentences for every unit of a garden, so it may be larger than a unit. */
export const MAX_SENTENCES_BYTES = 16 * MAX_UNIT_BYTES;

/** Maximum number of probes of an agent; a file of that size hardly holds more. */
const MAX_PROBES = 10_000;

/** `probes/<agent>.yaml` (§21.5.4): curated intents with the units that each requires or forbids. */
export const ProbeSet = z.strictObject({
  probes: z
    .array(
      z.strictObject({
        intent: z.string().trim().min(1).max(8000),
        required: z.array(Name).min(1).max(16),
        forbidden: z.array(Name).max(16).default([]),
      }),
    )
    .max(MAX_PROBES),
});

/** An example of a probe file, for messages. @param path of the file */
export function probeExample(path: string, unit = 'unit-name', intent = 'what an agent is about to do'): string {
  return `write ${path}:\nprobes:\n  - intent: ${JSON.stringify(intent)}\n    required: [${unit}]`;
}

/** A unit that a probe names, and its 1-based rank; null if it is not ranked. */
const Placed = z.strictObject({ name: Name, rank: z.int().positive().nullable() });

/** Maximum number of units above another one that are named. */
export const MOST_ABOVE = 3;

/** The ranks of the required and the forbidden units of one probe. */
export const ProbeResult = z.strictObject({
  intent: z.string(),
  required: z.array(Placed).min(1),
  forbidden: z.array(Placed),
  /** The units above the last one that it requires, without other required ones: the first of them, and how many. */
  above: z.strictObject({ names: z.array(Name).max(MOST_ABOVE), count: z.int().positive() }).optional(),
  /** The trigger or phrase of a required unit that nearly copies the intent: such a probe counts in no figure. */
  copied_by: z.strictObject({ unit: Name, text: z.string() }).optional(),
});

/** A share, 0..1, to four places. */
const Share = z.number().min(0).max(1);

/** Number of the probes that require a unit, and the shares of them that find it (§21.5.4). */
export const UnitProbes = z.strictObject({
  name: Name,
  /** Number of probes that require it. */
  probe_count: z.int().positive(),
  /** Share of them that rank it among the first k. */
  coverage_at_k: Share,
  /** Share of them that rank any required unit among the first k. */
  hit_at_k: Share,
  /** Share of them that rank it among the first ten. */
  hit_at_10: Share,
});

/** Probe-coverage@k and Probe-hit@k of an agent (§21.5.4). */
export const ProbeSummary = z.strictObject({
  k: z.int().positive(),
  /** Number of probes that count. */
  probes: z.int().nonnegative(),
  /** Number of those that do not, because a text of a unit that they require nearly copies them. */
  uncounted: z.int().nonnegative(),
  /** Mean share of the required units among the first k; 0 without probes. */
  coverage_at_k: Share,
  /** Share of the probes that rank any required unit among the first k. */
  hit_at_k: Share,
  hit_at_10: Share,
  /** For small gardens, where the first ten are nearly all units: how many are among the first three. */
  hit_at_3: Share.nullable(),
  /** Number of probes that rank every required unit among the first k, and no forbidden one. */
  passed: z.int().nonnegative(),
  units: z.array(UnitProbes),
});

/** `probes.json` of a garden, in the order of its intents. */
export const ProbeReport = z.strictObject({
  format: z.literal(1),
  evaluated_at: Instant,
  embedding_model_version: z.string().nullable(),
  summary: ProbeSummary,
  results: z.array(ProbeResult),
});

export type ProbeSet = z.infer<typeof ProbeSet>;
export type Probe = ProbeSet['probes'][number];
export type ProbeResult = z.infer<typeof ProbeResult>;
export type UnitProbes = z.infer<typeof UnitProbes>;
export type ProbeSummary = z.infer<typeof ProbeSummary>;
export type ProbeReport = z.infer<typeof ProbeReport>;

import { parse } from 'yaml';
import { z } from 'zod';

/** Checks that the server does not meet, by scenario, with what they ask for that is not offered. */
const Entry = z.strictObject({
  title: z.string().min(1),
  reason: z.string().min(1),
  checks: z.record(z.string(), z.array(z.string()).min(1)),
});

export type Baseline = readonly z.infer<typeof Entry>[];

/** @throws for a file that is not as its schema says */
export function readBaseline(text: string): Baseline {
  return z.array(Entry).parse(parse(text));
}

/** `scenario/check` of every check in it. */
export function namesIn(baseline: Baseline): string[] {
  const lists = baseline.flatMap(({ checks }) => Object.entries(checks));
  return lists.flatMap(([scenario, ids]) => ids.map((id) => `${scenario}/${id}`));
}

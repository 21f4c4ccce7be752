import { z } from 'zod';

const DAY_MS = 24 * 60 * 60 * 1000;

/** The window and the depths of `GET /v1/agents/{agent_id}/metrics`. */
export const MetricsQuery = z.strictObject({
  since: z
    .string()
    .regex(/^[1-9]\d{0,2}d$/, 'is a number of days, such as 7d')
    .default('7d'),
  k: z
    .string()
    .regex(/^([1-9]|[1-4]\d|50)(,([1-9]|[1-4]\d|50)){0,9}$/, 'is up to ten depths from 1 to 50, such as 1,3,10')
    .default('1,3,10'),
});

export type MetricsQuery = z.infer<typeof MetricsQuery>;

/** The window of figures: `since` inclusive, `until` exclusive, milliseconds since 1970. */
export interface MetricsWindow {
  readonly since: number;
  readonly until: number;
  /** Each once, ascending. */
  readonly depths: readonly number[];
}

/** The window of a query, which ends at `now` and includes rows of that millisecond. */
export function windowOf({ since, k }: MetricsQuery, now: number): MetricsWindow {
  return { since: now - Number.parseInt(since, 10) * DAY_MS, until: now + 1, depths: depthsOf(k) };
}

/** The depths of a query, each once, ascending. */
export function depthsOf(k: MetricsQuery['k']): number[] {
  return [...new Set(k.split(',').map(Number))].sort((a, b) => a - b);
}

import { z } from 'zod';
import { StageCheck } from '../bundle/migration-stage.ts';
import { MigrationMode } from '../source/agent.ts';

const Tokens = z.strictObject({ eager: z.int().nonnegative(), lazy: z.int().nonnegative() });

/** One heartbeat as it was, and as it would have been with eager loading. */
export const ShadowHeartbeat = z.strictObject({
  heartbeat_id: z.string(),
  /** Time of its first answer, ISO 8601. */
  at: z.string(),
  recalls: z.int().nonnegative(),
  /** Whether its agent reported used or missed units. */
  judged: z.boolean(),
  tokens: Tokens,
  /** Number of units that it used or missed, and of those that were loaded. */
  wanted: z.int().nonnegative(),
  brought: z.int().nonnegative(),
  /** Missed units of the garden that no answer loaded; eager loading would have loaded them. */
  regressions: z.array(z.string()),
});

/** Compares lazy loading with eager loading, heartbeat by heartbeat (§21.6.2). */
export const Shadow = z.strictObject({
  agent: z.string(),
  agent_id: z.string(),
  mode: MigrationMode,
  /** Null if there is no further stage. */
  next: MigrationMode.nullable(),
  since: z.string(),
  until: z.string(),
  heartbeats: z.strictObject({
    total: z.int().nonnegative(),
    judged: z.int().nonnegative(),
    /** Heartbeats that missed units which eager loading would have loaded. */
    regressed: z.int().nonnegative(),
  }),
  recalls: z.strictObject({
    total: z.int().nonnegative(),
    /** Recalls without a named heartbeat: they count in the miss rate only. */
    unattributed: z.int().nonnegative(),
    /** Recalls that were never closed, or closed without a report: in no figure. */
    unclosed: z.int().nonnegative(),
    silent: z.int().nonnegative(),
    events: z.int().nonnegative(),
  }),
  /** Recalls by administrators and other agents from its garden: in no figure. */
  by_others: z.int().nonnegative(),
  /** |missed| / (|used| + |missed|) over the events. */
  miss_rate: z.number().nullable(),
  used: z.int().nonnegative(),
  missed: z.int().nonnegative(),
  /** Share of the wanted units that were loaded, over the heartbeats with a report. */
  coverage: z.number().nullable(),
  tokens: Tokens.extend({
    /** lazy / eager. */
    share: z.number().nullable(),
    /** Tokens of one heartbeat: the stub; the manifest, if it is read (in neither sum); all units with the stub. */
    stub: z.int().nonnegative(),
    manifest: z.int().nonnegative(),
    everything: z.int().nonnegative(),
  }),
  /** Units that were missed and not loaded, most often first. */
  regressions: z.array(z.strictObject({ name: z.string(), heartbeats: z.int().positive() })),
  /** Missed names that are not units, so that they could not have been loaded. */
  unknown: z.array(z.string()),
  rules: z.array(StageCheck),
});

export type ShadowHeartbeat = z.infer<typeof ShadowHeartbeat>;
export type Shadow = z.infer<typeof Shadow>;

import { z } from 'zod';
import { StageCheck } from '../bundle/migration-stage.ts';
import { MigrationMode } from '../source/agent.ts';

const Tokens = z.strictObject({ eager: z.int().nonnegative(), lazy: z.int().nonnegative() });

/** One heartbeat as it was, and as it would have been with everything loaded. */
export const ShadowHeartbeat = z.strictObject({
  heartbeat_id: z.string(),
  /** Its first answer, ISO 8601. */
  at: z.string(),
  recalls: z.int().nonnegative(),
  /** Whether its agent said what it used or missed. */
  judged: z.boolean(),
  tokens: Tokens,
  /** Units it used or missed, and how many of them came. */
  wanted: z.int().nonnegative(),
  brought: z.int().nonnegative(),
  /** Units of the garden that it missed and that no answer of it brought: eager loading would have had them. */
  regressions: z.array(z.string()),
});

/** Lazy loading held against eager loading, heartbeat by heartbeat (§21.6.2). */
export const Shadow = z.strictObject({
  agent: z.string(),
  agent_id: z.string(),
  mode: MigrationMode,
  /** Null where there is no further stage. */
  next: MigrationMode.nullable(),
  since: z.string(),
  until: z.string(),
  heartbeats: z.strictObject({
    total: z.int().nonnegative(),
    judged: z.int().nonnegative(),
    /** Those with units that eager loading would have had. */
    regressed: z.int().nonnegative(),
  }),
  recalls: z.strictObject({
    total: z.int().nonnegative(),
    /** Made outside of any heartbeat that is named: in no heartbeat, but in the miss rate. */
    unattributed: z.int().nonnegative(),
    /** Never closed, and closed without a word: in no figure. */
    unclosed: z.int().nonnegative(),
    silent: z.int().nonnegative(),
    events: z.int().nonnegative(),
  }),
  /** Answers that administrators and other agents asked of its garden: in no figure. */
  by_others: z.int().nonnegative(),
  /** |missed| / (|used| + |missed|) over the events. */
  miss_rate: z.number().nullable(),
  used: z.int().nonnegative(),
  missed: z.int().nonnegative(),
  /** Share of the wanted units that came, over the judged heartbeats. */
  coverage: z.number().nullable(),
  tokens: Tokens.extend({
    /** lazy / eager. */
    share: z.number().nullable(),
    /** Of one heartbeat: the stub, the manifest where it is read (in neither sum), and everything, the stub too. */
    stub: z.int().nonnegative(),
    manifest: z.int().nonnegative(),
    everything: z.int().nonnegative(),
  }),
  /** Units that were missed and did not come, most often first. */
  regressions: z.array(z.strictObject({ name: z.string(), heartbeats: z.int().positive() })),
  /** Names that were missed and are no unit: nobody could have loaded them. */
  unknown: z.array(z.string()),
  rules: z.array(StageCheck),
});

export type ShadowHeartbeat = z.infer<typeof ShadowHeartbeat>;
export type Shadow = z.infer<typeof Shadow>;

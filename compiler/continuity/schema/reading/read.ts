import { z } from 'zod';
import { StoredCapsule } from '../capsule.ts';
import { GraphContext } from '../graph/graph.ts';
import { ScheduleContext } from '../schedule/answers.ts';
import { StartupSummary } from '../startup-summary.ts';
import { TrustSignals } from '../trust-signals.ts';
import { SUBJECT } from '../upsert.ts';
import { RecoveryWarning } from '../warnings.ts';
import { ContentKind, SourceState } from '../words.ts';

export const ReadRequest = z.strictObject({
  ...SUBJECT,
  allow_fallback: z.boolean().nullish(),
  view: z.literal('startup').nullish(),
});

export const ReadAnswer = z.strictObject({
  ok: z.literal(true),
  path: z.string(),
  capsule: StoredCapsule.nullable(),
  /** Whether it is missing because it was archived. */
  archived: z.boolean(),
  source_state: SourceState,
  recovery_warnings: z.array(RecoveryWarning),
  trust_signals: TrustSignals.nullable(),
  content_kind: ContentKind,
  /** Of the startup view, as the two after it; null if it could not be made. */
  startup_summary: StartupSummary.nullable().optional(),
  graph_summary: GraphContext.optional(),
  schedule_context: ScheduleContext.optional(),
});

export type ReadRequest = z.infer<typeof ReadRequest>;
export type ReadAnswer = z.infer<typeof ReadAnswer>;

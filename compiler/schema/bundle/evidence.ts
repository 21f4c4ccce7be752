import { z } from 'zod';
import { Digest, Instant } from '../primitives.ts';
import { MigrationMode } from '../source/agent.ts';
import { Name } from '../uri.ts';
import { IN_TOTO_TYPE, statementOf, Subject } from './garden.ts';

/** DSSE payload type of evidence: there is no other in-toto statement among the approvals. */
export const EVIDENCE_TYPE = IN_TOTO_TYPE;
export const EVIDENCE_PREDICATE = 'urn:vademecum:predicate:migration-evidence:1';

/** The end of one writer's chain in the audit, as far as the window goes. */
export const AuditHead = z.strictObject({
  writer: z.string().min(1).max(100),
  n: z.int().positive(),
  hash: Digest,
});

/** The figures for the stage rules (§21.6.2); numbers, so that a compile can check the rules again. */
export const StageFigures = z.strictObject({
  /** Heartbeats in which the agent reported used or missed units. */
  heartbeats: z.int().nonnegative(),
  recalls: z.int().nonnegative(),
  /** Closed recalls that the miss rate is computed from. */
  events: z.int().nonnegative(),
  /** Units used and units missed over them: |missed| / (|used| + |missed|) is the miss rate (§21.5.3). */
  used: z.int().nonnegative(),
  missed: z.int().nonnegative(),
  /** Tokens that the heartbeats loaded, and that eager loading would have loaded. */
  tokens: z.strictObject({ lazy: z.int().nonnegative(), eager: z.int().nonnegative() }),
});

/** The observed figures of an agent before it moves to the next stage of its migration (§21.6.2). */
export const Evidence = z.strictObject({
  deployment: Name,
  garden: Name,
  agent_id: z.uuid(),
  from: MigrationMode,
  to: MigrationMode,
  /** The window of the audit: from `since` inclusive to `until` exclusive. */
  since: Instant,
  until: Instant,
  figures: StageFigures,
  /** The revisions that were served in the window, sorted. */
  revisions: z.array(z.string().max(120)).max(1024),
  /** The revision that the units were counted in. */
  bundle_revision: z.string().max(120),
  /** Ends of the chains that have entries in the window, by writer. */
  audit_heads: z.array(AuditHead).max(4096),
});

/** The evidence as an in-toto statement; its subjects are `audit`, the manifest by its URI, and `units`. */
export const EvidenceStatement = statementOf(EVIDENCE_PREDICATE, Evidence).extend({
  subject: z.array(Subject).length(3),
});

/** Names of the subjects that are not documents of a bundle. */
export const EVIDENCE_SUBJECTS = { audit: 'audit', units: 'units' } as const;

export type AuditHead = z.infer<typeof AuditHead>;
export type StageFigures = z.infer<typeof StageFigures>;
export type Evidence = z.infer<typeof Evidence>;
export type EvidenceStatement = z.infer<typeof EvidenceStatement>;

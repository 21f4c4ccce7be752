import { z } from 'zod';
import { CommitMessage, IdempotencyKey, SUBJECT } from '../upsert.ts';
import { SubjectKind } from '../words.ts';
import {
  ABOUT,
  ANSWERED,
  CHANGED,
  LISTED,
  PAGE,
  Peer,
  PeerId,
  said,
  ServerTime,
  STORED_ABOUT,
  ArtefactVersion,
} from './members.ts';

export const HandoffCreateRequest = z.strictObject({
  recipient_peer: Peer,
  ...SUBJECT,
  ...ABOUT,
  note: said('note').nullish(),
  commit_message: CommitMessage,
  idempotency_key: IdempotencyKey,
});

/** Decision of a recipient on a handoff; a deferred one may be decided later. */
const ConsumeStatus = z.enum(['accepted_advisory', 'deferred', 'rejected']);

const HandoffStatus = z.enum(['pending', ...ConsumeStatus.options]);

export const HandoffConsumeRequest = z
  .strictObject({
    status: ConsumeStatus,
    note: said('note').nullish(),
    reason: said('note').nullish().meta({ description: 'Another name of note' }),
  })
  .refine(({ note, reason }) => (note ?? null) === null || (reason ?? null) === null, {
    path: ['reason'],
    message: 'is another name of note: send one of them',
  });

/** "projects only active_constraints and drift_signals … No other capsule fields cross the boundary." */
const SharedContinuity = z.strictObject({
  active_constraints: z.array(z.string()),
  drift_signals: z.array(z.string()),
});

/** A handoff from one agent to another. */
export const Handoff = z.strictObject({
  handoff_id: z.string(),
  version: ArtefactVersion,
  created_at: ServerTime,
  updated_at: ServerTime,
  sender_peer: PeerId,
  recipient_peer: PeerId,
  source_selector: z.strictObject({ subject_kind: SubjectKind, subject_id: z.string() }),
  ...STORED_ABOUT,
  note: z.string().nullable(),
  shared_continuity: SharedContinuity,
  recipient_status: HandoffStatus,
  recipient_note: z.string().nullable(),
  /** Of the last decision; null while it is pending. */
  consumed_at: ServerTime.nullable(),
  commit_message: z.string().nullable(),
});

export const HandoffCreateAnswer = z.strictObject({ ...CHANGED, created: z.literal(true), handoff: Handoff });

export const HandoffConsumeAnswer = z.strictObject({
  ...CHANGED,
  /** Not, if it was decided so before. */
  updated: z.boolean(),
  handoff: Handoff,
});

export const HandoffAnswer = z.strictObject({ ...ANSWERED, handoff: Handoff });

export const HandoffQuery = z.strictObject({
  sender_peer: Peer.optional(),
  recipient_peer: Peer.optional(),
  status: HandoffStatus.optional(),
  task_id: ABOUT.task_id.unwrap().unwrap().optional(),
  thread_id: ABOUT.thread_id.unwrap().unwrap().optional(),
  ...PAGE,
});

export const HandoffListAnswer = z.strictObject({ ...LISTED, handoffs: z.array(Handoff) });

export type HandoffCreateRequest = z.infer<typeof HandoffCreateRequest>;
export type HandoffConsumeRequest = z.infer<typeof HandoffConsumeRequest>;
export type Handoff = z.infer<typeof Handoff>;
export type HandoffCreateAnswer = z.infer<typeof HandoffCreateAnswer>;
export type HandoffConsumeAnswer = z.infer<typeof HandoffConsumeAnswer>;
export type HandoffQuery = z.infer<typeof HandoffQuery>;

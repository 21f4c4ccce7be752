import { z } from 'zod';
import { wholeNumber } from '../../../schema/whole-number.ts';
import { CommitMessage, IdempotencyKey } from '../upsert.ts';
import { COORDINATION_ITEMS } from './limits.ts';
import {
  ABOUT,
  ANSWERED,
  CHANGED,
  LISTED,
  PAGE,
  Peer,
  PeerId,
  said,
  saidList,
  ServerTime,
  STORED_ABOUT,
  ArtefactVersion,
} from './members.ts';

/** The content that its owner writes. */
const CONTENT = {
  title: said('title'),
  summary: said('summary').nullish(),
  constraints: saidList('constraints').nullish(),
  drift_signals: saidList('drift_signals').nullish(),
  coordination_alerts: saidList('coordination_alerts').nullish(),
  commit_message: CommitMessage,
};

export const SharedCreateRequest = z.strictObject({
  participant_peers: z.array(Peer).max(COORDINATION_ITEMS.participant_peers).nullish(),
  ...ABOUT,
  ...CONTENT,
  idempotency_key: IdempotencyKey,
});

/** Replaces the content; the participants stay. */
export const SharedUpdateRequest = z.strictObject({ expected_version: ArtefactVersion, ...CONTENT });

const SharedState = z.strictObject({
  constraints: z.array(z.string()),
  drift_signals: z.array(z.string()),
  coordination_alerts: z.array(z.string()),
});

/** The state that its owner shares with participants, who read it. */
export const SharedArtefact = z.strictObject({
  shared_id: z.string(),
  version: ArtefactVersion,
  created_at: ServerTime,
  updated_at: ServerTime,
  owner_peer: PeerId,
  participant_peers: z.array(PeerId),
  ...STORED_ABOUT,
  title: z.string(),
  summary: z.string().nullable(),
  shared_state: SharedState,
  /** Of this version. */
  commit_message: z.string().nullable(),
});

export const SharedCreateAnswer = z.strictObject({ ...CHANGED, created: z.literal(true), shared: SharedArtefact });

export const SharedUpdateAnswer = z.strictObject({ ...CHANGED, updated: z.literal(true), shared: SharedArtefact });

/** An earlier version is still there. */
export const SharedReadQuery = z.strictObject({ version: wholeNumber(1, 999_999_999).optional() });

export const SharedAnswer = z.strictObject({ ...ANSWERED, shared: SharedArtefact, latest_version: ArtefactVersion });

export const SharedQuery = z.strictObject({
  owner_peer: Peer.optional(),
  participant_peer: Peer.optional(),
  task_id: ABOUT.task_id.unwrap().unwrap().optional(),
  thread_id: ABOUT.thread_id.unwrap().unwrap().optional(),
  ...PAGE,
});

export const SharedListAnswer = z.strictObject({ ...LISTED, shared_artifacts: z.array(SharedArtefact) });

export type SharedCreateRequest = z.infer<typeof SharedCreateRequest>;
export type SharedUpdateRequest = z.infer<typeof SharedUpdateRequest>;
export type SharedArtefact = z.infer<typeof SharedArtefact>;
export type SharedCreateAnswer = z.infer<typeof SharedCreateAnswer>;
export type SharedUpdateAnswer = z.infer<typeof SharedUpdateAnswer>;
export type SharedReadQuery = z.infer<typeof SharedReadQuery>;
export type SharedQuery = z.infer<typeof SharedQuery>;

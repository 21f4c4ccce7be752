import type { AuditedAnswer } from '../../../compiler/schema/audit/answered.ts';
import type { Arrival, TakenArrival } from '../../../compiler/schema/audit/arrival.ts';
import type { ContinuityCall } from '../../../compiler/schema/audit/continuity-call.ts';
import type { AuditPageEntry } from '../../../compiler/schema/audit/page.ts';
import type { AuditRecord, LoadedChunk } from '../../../compiler/schema/audit/record.ts';
import type { ArrivalSums } from '../../../compiler/schema/audit/sums.ts';
import { canonicalJson } from '../../../compiler/trust/canonical.ts';
import { randomHex } from '../../ids.ts';
import { intentDigest, toEntry } from './hash-chain.ts';
import type { ClosingRecord } from './log.ts';
import type { IntentMode, NewEntry } from './store.ts';

/** The body of a recall, which the chain covers: the whole record, with digests for the intent and its files. */
type RecallBody = Omit<AuditRecord, 'intent' | 'files'> & {
  readonly type: 'recall';
  /** Null without an intent. */
  readonly intent_digest: string | null;
  /** Null without files. */
  readonly files_digest: string | null;
};

/** The body of a closing, which the chain covers. */
type ClosingBody = Omit<ClosingRecord, 'closed_at'> & {
  readonly type: 'closing';
  readonly id: string;
  readonly created_at: number;
};

const SALT_BYTES = 16;

/**
 * The entry of a recall or a heartbeat. In the mode `digest` the salt is not stored either, as if the intent had been
 * erased at once: without the salt, nobody can test guesses against the digest.
 *
 * @param salt 32 unpredictable hex digits
 */
export function recallEntry(record: AuditRecord, mode: IntentMode, salt = randomHex(SALT_BYTES)): NewEntry {
  // a lone surrogate has no UTF-8 bytes: its replacement character is stored and digested
  const text = record.intent.toWellFormed();
  const hasIntent = text !== '';
  const files = record.files.length === 0 ? null : JSON.stringify(record.files);
  const digests = {
    intent_digest: hasIntent ? intentDigest(salt, text) : null,
    files_digest: files && intentDigest(salt, files),
  };
  return toEntry(recallBody(record, digests), hasIntent && mode === 'full' ? { salt, text, files } : null);
}

/** Keys are in alphabetical order at every depth, so the text is canonical (RFC 8785) without sorting. */
function recallBody(record: AuditRecord, digests: Pick<RecallBody, 'intent_digest' | 'files_digest'>): RecallBody {
  return {
    aborted: record.aborted,
    agent_id: record.agent_id,
    asked_by: record.asked_by,
    audit_token: record.audit_token,
    bundle_revision: record.bundle_revision,
    candidates: record.candidates,
    content_digests: record.content_digests,
    created_at: record.created_at,
    files_digest: digests.files_digest,
    follows: record.follows,
    heartbeat_id: record.heartbeat_id,
    heartbeat_source: record.heartbeat_source,
    id: record.id,
    intent_digest: digests.intent_digest,
    kind: record.kind,
    left_out: record.left_out.map(({ name, outcome }) => ({ name, outcome })),
    loaded_chunks: record.loaded_chunks.map(chunkBody),
    now: record.now,
    request: record.request,
    session_start: record.session_start,
    tokens: record.tokens,
    type: 'recall',
    wake_reason: record.wake_reason,
    warnings: record.warnings,
  };
}

function chunkBody({ name, rank, source, version }: LoadedChunk): LoadedChunk {
  return { name, rank, source, version };
}

/** The entry of a closing. */
export function closingEntry(closing: ClosingRecord): NewEntry {
  const { agent_id, audit_token, closed_at: created_at, missed_chunks, nothing_fits, used_chunks } = closing;
  const report = { missed_chunks, nothing_fits, type: 'closing', used_chunks } as const;
  const body: ClosingBody = { agent_id, audit_token, created_at, id: audit_token, ...report };
  return toEntry(body);
}

/** The entry of a call about capsules; keys in alphabetical order, as in every body. */
export function capsuleEntry(call: ContinuityCall): NewEntry {
  const body = {
    agent_id: call.agent_id,
    answer_digest: call.answer_digest,
    asked_by: call.asked_by,
    audit_token: '',
    commit: call.commit,
    created_at: call.created_at,
    id: call.id,
    operation: call.operation,
    refusal: call.refusal,
    request_digest: call.request_digest,
    subject_digest: call.subject_digest,
    type: 'capsule',
  } as const;
  return toEntry(body);
}

/** The entry of an arrival, whose hook made the digest of its prompt; in the mode `digest` only that is stored. */
export function arrivalEntry({ intent, ...taken }: TakenArrival, mode: IntentMode): NewEntry {
  const body = { ...taken, audit_token: '', type: 'arrival' } as const;
  const isKept = intent !== null && mode === 'full';
  const kept = isKept ? { salt: intent.salt, text: intent.text.toWellFormed(), files: null } : null;
  return { ...toEntry(body, kept), body: canonicalJson(body) };
}

/** A row of a store's sums of arrivals: `pages` as in their bodies. */
export type ArrivalRow = Omit<ArrivalSums, 'pages'> & { readonly pages: string };

export function arrivalSums({ pages, ...row }: ArrivalRow): ArrivalSums {
  return { ...row, pages: (JSON.parse(pages) as Arrival['pages']).map((it) => it.name) };
}

/** The columns that a store reads for a list. */
export interface ListedRow {
  readonly seq: number;
  readonly body: string;
  readonly intent: string | null;
  /** JSON of the files of its request; null without any. */
  readonly files: string | null;
  /** The body of its closing; null until it is closed. */
  readonly closing: string | null;
}

/** An entry as administrators read it (§21.5.1): with times in ISO 8601 instead of milliseconds. */
export function listedEntry({ seq, body, intent, files, closing }: ListedRow): AuditPageEntry {
  const recall = JSON.parse(body) as RecallBody;
  const closed = closing === null ? null : (JSON.parse(closing) as ClosingBody);
  return {
    seq,
    id: recall.id,
    kind: recall.kind,
    aborted: recall.aborted,
    agent_id: recall.agent_id,
    heartbeat_id: recall.heartbeat_id,
    session_start: instant(recall.session_start),
    intent: intent ?? '',
    intent_digest: recall.intent_digest,
    files: pathsIn(files),
    follows: recall.follows,
    loaded_chunks: recall.loaded_chunks,
    candidates: recall.candidates,
    used_chunks: [...(closed?.used_chunks ?? [])],
    missed_chunks: [...(closed?.missed_chunks ?? [])],
    nothing_fits: closed?.nothing_fits ?? false,
    left_out: recall.left_out,
    warnings: recall.warnings,
    audit_token: recall.audit_token,
    audit_closed: closed && instant(closed.created_at),
    created_at: instant(recall.created_at),
  };
}

function pathsIn(files: string | null): string[] {
  return files === null ? [] : (JSON.parse(files) as string[]);
}

function instant(ms: number): string {
  return new Date(ms).toISOString();
}

/** A row with the recall that it follows: its `seq` and intent, null without one. */
export interface AnsweredRow extends ListedRow {
  readonly first_seq: number | null;
  readonly first_intent: string | null;
}

/** An entry as evaluation reads it: the whole record, except tokens, which would allow closing it. */
export function answeredEntry({ seq, body, intent, files, closing, ...first }: AnsweredRow): AuditedAnswer {
  const recall = JSON.parse(body) as RecallBody;
  return {
    seq,
    id: recall.id,
    kind: recall.kind,
    aborted: recall.aborted,
    agent_id: recall.agent_id,
    asked_by: recall.asked_by,
    heartbeat_id: recall.heartbeat_id,
    heartbeat_source: recall.heartbeat_source,
    session_start: recall.session_start,
    wake_reason: recall.wake_reason,
    intent: intent ?? '',
    files: pathsIn(files),
    request: recall.request,
    loaded_chunks: recall.loaded_chunks,
    candidates: recall.candidates,
    content_digests: recall.content_digests,
    left_out: recall.left_out,
    tokens: recall.tokens,
    warnings: recall.warnings,
    bundle_revision: recall.bundle_revision,
    now: recall.now,
    created_at: recall.created_at,
    closing: closing === null ? null : closingOf(JSON.parse(closing) as ClosingBody),
    first: first.first_seq === null ? null : { seq: first.first_seq, intent: first.first_intent ?? '' },
  };
}

function closingOf(it: ClosingBody): NonNullable<AuditedAnswer['closing']> {
  const { used_chunks, missed_chunks, nothing_fits, created_at: at } = it;
  return { used_chunks: [...used_chunks], missed_chunks: [...missed_chunks], nothing_fits, at };
}

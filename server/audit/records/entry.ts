import type { AuditedAnswer } from '../../../compiler/schema/audit/answered.ts';
import type { TakenArrival } from '../../../compiler/schema/audit/arrival.ts';
import type { ContinuityCall } from '../../../compiler/schema/audit/continuity-call.ts';
import type { AuditPageEntry } from '../../../compiler/schema/audit/page.ts';
import type { AuditRecord, LoadedChunk } from '../../../compiler/schema/audit/record.ts';
import { canonicalJson } from '../../../compiler/trust/canonical.ts';
import { randomHex } from '../../ids.ts';
import { idOf, storedDigest, toBase64, toEntry, ulidOf } from './hash-chain.ts';
import type { ClosingRecord } from './log.ts';
import type { IntentMode, NewEntry } from './store.ts';

/** The body of a recall: what its columns lack of the record. A member that has its usual value is absent. */
interface RecallBody {
  readonly aborted?: true;
  /** Digests are in base64url, which is shorter than hex. */
  readonly answer_digest: string;
  readonly candidates?: AuditRecord['candidates'];
  readonly files_digest?: string;
  readonly follows?: string;
  /** Absent if it is the generated one. */
  readonly heartbeat_id?: string;
  readonly heartbeat_source?: 'verified' | 'caller';
  readonly intent_digest?: string;
  readonly kind?: 'heartbeat';
  /** Runs of names with one outcome, which is the first member of each. */
  readonly left_out?: readonly (readonly string[])[];
  /** In the order of their ranks. */
  readonly loaded_chunks: readonly StoredChunk[];
  /** Absent if it is the time of the entry, as is `session_start`. */
  readonly now?: string;
  /** Only a long one, of which there may be many; others stand in their column. */
  readonly request?: string;
  readonly session_start?: number;
  readonly tokens: number;
  readonly wake_reason?: string;
  readonly warnings?: AuditRecord['warnings'];
}

/** Without the usual source. */
type StoredChunk = readonly [name: string, version: string, source?: LoadedChunk['source']];

/** The body of a closing; an empty list is absent. */
type ClosingBody = Partial<Pick<ClosingRecord, 'missed_chunks' | 'nothing_fits' | 'used_chunks'>>;

const SALT_BYTES = 16;

/** Characters of a request that a store keeps once for all rows: without hints it has fewer. */
const COMMON_REQUEST = 160;

const USUAL_SOURCE = 'stigmem';

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
    intent_digest: hasIntent ? storedDigest(salt, text) : undefined,
    files_digest: files === null ? undefined : storedDigest(salt, files),
  };
  const { agent_id, audit_token, created_at, asked_by, bundle_revision, request } = record;
  const columns = {
    ...({ type: 'recall', id: idOf('recall', '', audit_token), agent_id, audit_token, created_at } as const),
    ...{ asked_by, bundle_revision, request: request.length <= COMMON_REQUEST ? request : null },
    intent: hasIntent && mode === 'full' ? { salt, text, files } : null,
  };
  return toEntry(columns, recallBody(record, digests));
}

/** Keys are in alphabetical order at every depth, so the text is canonical (RFC 8785) without sorting. */
function recallBody(it: AuditRecord, digests: Record<'intent_digest' | 'files_digest', string | undefined>) {
  return {
    aborted: it.aborted || undefined,
    answer_digest: toBase64(it.answer_digest),
    candidates: unlessEmpty(it.candidates),
    files_digest: digests.files_digest,
    follows: it.follows ?? undefined,
    heartbeat_id: unless(it.heartbeat_id, generatedHeartbeat(it.audit_token)),
    heartbeat_source: unless(it.heartbeat_source, 'generated'),
    intent_digest: digests.intent_digest,
    kind: unless(it.kind, 'recall'),
    left_out: unlessEmpty(runsOf(it.left_out)),
    loaded_chunks: it.loaded_chunks.map(({ name, version, source }): StoredChunk =>
      source === USUAL_SOURCE ? [name, version] : [name, version, source],
    ),
    now: unless(it.now, instant(it.created_at)),
    request: it.request.length <= COMMON_REQUEST ? undefined : it.request,
    session_start: unless(it.session_start, it.created_at),
    tokens: it.tokens,
    wake_reason: it.wake_reason ?? undefined,
    warnings: unlessEmpty(it.warnings),
  };
}

/** The heartbeat's id of a recall whose caller named none. */
export function generatedHeartbeat(token: string): string {
  return `hb_${ulidOf(token)}`;
}

function unless<T>(value: T, usual: T): T | undefined {
  return value === usual ? undefined : value;
}

function unlessEmpty<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length === 0 ? undefined : list;
}

function runsOf(left: AuditRecord['left_out']): string[][] {
  const runs: string[][] = [];
  for (const { name, outcome } of left) {
    if (runs.at(-1)?.[0] !== outcome) runs.push([outcome]);
    runs.at(-1)?.push(name);
  }
  return runs;
}

function toHex(base64: string): string {
  return Buffer.from(base64, 'base64url').toString('hex');
}

/** The entry of a closing. */
export function closingEntry(closing: ClosingRecord): NewEntry {
  const { agent_id, audit_token, closed_at: created_at, missed_chunks, nothing_fits, used_chunks } = closing;
  const body = {
    missed_chunks: unlessEmpty(missed_chunks),
    nothing_fits: nothing_fits || undefined,
    used_chunks: unlessEmpty(used_chunks),
  };
  return toEntry({ type: 'closing', id: audit_token, agent_id, audit_token, created_at }, body);
}

/** The entry of a call about capsules; keys in alphabetical order, as in every body. */
export function capsuleEntry(call: ContinuityCall): NewEntry {
  const { id, agent_id, asked_by, created_at, answer_digest, commit, operation, refusal } = call;
  const { request_digest, subject_digest } = call;
  const body = { answer_digest, commit, operation, refusal, request_digest, subject_digest };
  return toEntry({ type: 'capsule', id, agent_id, asked_by, created_at }, body);
}

/** The entry of an arrival, whose hook made the digest of its prompt; in the mode `digest` only that is stored. */
export function arrivalEntry({ intent, ...taken }: TakenArrival, mode: IntentMode): NewEntry {
  const { id, agent_id, created_at, intent_digest, ...rest } = taken;
  const isKept = intent !== null && mode === 'full';
  const kept = isKept ? { salt: intent.salt, text: intent.text.toWellFormed(), files: null } : null;
  const digest = intent_digest === null ? {} : { intent_digest: toBase64(intent_digest) };
  const body = canonicalJson({ ...rest, ...digest });
  return { ...toEntry({ type: 'arrival', id, agent_id, created_at, intent: kept }, {}), body };
}

/** The columns that a store reads of a recall or a heartbeat. */
export interface RecallRow extends Pick<AuditRecord, 'agent_id' | 'asked_by' | 'audit_token' | 'created_at'> {
  readonly seq: number;
  readonly bundle_revision: string;
  readonly request: string | null;
  readonly body: string;
  readonly intent: string | null;
  /** JSON of the files of its request; null without any. */
  readonly files: string | null;
  /** The body of its closing, and when it came; null until it is closed. */
  readonly closing: string | null;
  readonly closed_at: number | null;
}

/** A row with the recall that it follows: its `seq` and intent, null without one. */
export interface AnsweredRow extends RecallRow {
  readonly first_seq: number | null;
  readonly first_intent: string | null;
}

/** An entry as administrators read it (§21.5.1): with times in ISO 8601 instead of milliseconds. */
export function listedEntry(row: RecallRow): AuditPageEntry {
  const { answered: it, listed } = recorded(row);
  const closing = closingOf(row);
  return {
    seq: it.seq,
    id: it.id,
    kind: it.kind,
    aborted: it.aborted,
    agent_id: it.agent_id,
    heartbeat_id: it.heartbeat_id,
    session_start: instant(it.session_start),
    intent: it.intent,
    intent_digest: listed.intent_digest,
    files: it.files,
    follows: listed.follows,
    loaded_chunks: it.loaded_chunks,
    candidates: it.candidates,
    used_chunks: closing?.used_chunks ?? [],
    missed_chunks: closing?.missed_chunks ?? [],
    nothing_fits: closing?.nothing_fits ?? false,
    left_out: it.left_out,
    warnings: it.warnings,
    audit_token: listed.audit_token,
    audit_closed: closing && instant(closing.at),
    created_at: instant(it.created_at),
  };
}

/** An entry as evaluation reads it: the whole record, except tokens, which would allow closing it. */
export function answeredEntry(row: AnsweredRow): AuditedAnswer {
  const { answered } = recorded(row);
  const first = row.first_seq === null ? null : { seq: row.first_seq, intent: row.first_intent ?? '' };
  return { ...answered, closing: closingOf(row), first };
}

/** A recall or a heartbeat as it was recorded: what evaluation reads, and what lists add. */
function recorded(row: RecallRow) {
  const { seq, agent_id, asked_by, audit_token, bundle_revision, created_at } = row;
  const it = JSON.parse(row.body) as RecallBody;
  const intent_digest = it.intent_digest === undefined ? null : toHex(it.intent_digest);
  const listed = { audit_token, follows: it.follows ?? null, intent_digest };
  const answered = {
    ...{ seq, id: idOf('recall', '', audit_token), agent_id, asked_by, bundle_revision, created_at },
    kind: it.kind ?? ('recall' as const),
    aborted: it.aborted ?? false,
    heartbeat_id: it.heartbeat_id ?? generatedHeartbeat(audit_token),
    heartbeat_source: it.heartbeat_source ?? ('generated' as const),
    session_start: it.session_start ?? created_at,
    wake_reason: it.wake_reason ?? null,
    intent: row.intent ?? '',
    files: row.files === null ? [] : (JSON.parse(row.files) as string[]),
    request: row.request ?? it.request ?? '',
    candidates: it.candidates ?? [],
    loaded_chunks: it.loaded_chunks.map(([name, version, source = USUAL_SOURCE], i) => ({
      ...{ name, source, rank: i + 1, version },
    })),
    answer_digest: toHex(it.answer_digest),
    left_out: (it.left_out ?? []).flatMap(([outcome = '', ...names]) => names.map((name) => ({ name, outcome }))),
    tokens: it.tokens,
    warnings: it.warnings ?? [],
    now: it.now ?? instant(created_at),
  };
  return { answered, listed };
}

function closingOf({ closing, closed_at: at }: RecallRow) {
  if (closing === null || at === null) return null;
  const { used_chunks = [], missed_chunks = [], nothing_fits = false } = JSON.parse(closing) as ClosingBody;
  return { used_chunks: [...used_chunks], missed_chunks: [...missed_chunks], nothing_fits, at };
}

function instant(ms: number): string {
  return new Date(ms).toISOString();
}

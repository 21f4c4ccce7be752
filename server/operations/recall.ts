import type { LoadedGarden } from '../../compiler/io/bundle/load-garden.ts';
import { recall } from '../../compiler/recall/recall.ts';
import type { ComputedRecall, RecallResponse } from '../../compiler/schema/api/recall.ts';
import { TOKEN_LIFETIME_MS, type AuditRecord, type Closing } from '../../compiler/schema/audit/record.ts';
import { VadeError } from '../../compiler/schema/errors.ts';
import { refusalOf } from '../audit/failures.ts';
import { generatedHeartbeat } from '../audit/records/entry.ts';
import type { AuditTokens } from '../auth/audit-token.ts';
import { callerUri, denied } from '../auth/authorize.ts';
import { toCachedAnswer, type CachedAnswer } from '../rollout/answer-cache.ts';
import { versionWarnings } from '../rollout/snapshot.ts';
import type { Call } from './call.ts';
import { agentIdOf, loadRequestedGarden } from './documents.ts';

/** Options of a recall, in addition to its body. */
export interface RecallOptions {
  readonly explain: boolean;
  /** `X-Heartbeat-Id`, as the caller claims it. */
  readonly heartbeat: string | undefined;
}

/** An answer as JSON, and the same answer without its token. */
export interface RecallAnswer extends Pick<CachedAnswer, 'response' | 'json'> {
  readonly token: string;
}

/** §21.8.4: intent to chunks; the audit row is durable before the answer leaves, and a failed row never blocks it. */
export async function recallInstruction(
  call: Call,
  request: ComputedRecall,
  { explain, heartbeat }: RecallOptions,
): Promise<RecallAnswer> {
  const { services } = call;
  const garden = loadRequestedGarden(call);
  const at = services.now();
  const now = new Date(at).toISOString();
  requireFollowed(services.tokens, request, agentIdOf(garden), at);
  const { answerCache } = call.snapshot;
  const key = explain ? null : answerCache.keyOf(garden.recall, request);
  const known = key === null ? null : answerCache.find(key, at);
  const answer = known ?? (await computeAnswer(call, garden, request, { at, now, key }));
  const token = services.tokens.issue(agentIdOf(garden), at);
  const { response } = answer;
  try {
    await services.audit.append(toRecord(call, { garden, request, answer, token, at, now, heartbeat }));
  } catch (error) {
    services.onAuditFailure(error);
    const warnings: RecallResponse['warnings'] = [...response.warnings, 'audit_write_failed'];
    const warned: RecallResponse = { ...response, audit_token: token, warnings };
    return { response: warned, json: JSON.stringify(warned), token };
  }
  return { response, json: `${answer.json},"audit_token":${JSON.stringify(token)}}`, token };
}

interface Instant {
  readonly at: number;
  readonly now: string;
  /** The place of the answer in the cache; null for an explained one, which is not cached. */
  readonly key: string | null;
}

async function computeAnswer(
  { snapshot }: Call,
  garden: LoadedGarden,
  request: ComputedRecall,
  { at, now, key }: Instant,
): Promise<CachedAnswer> {
  const query = await snapshot.queries(request.intent, garden.recall.index);
  const answered = recall(garden.recall, request, { now, query, explain: key === null });
  const warnings = versionWarnings(snapshot);
  const recalled = warnings.length === 0 ? answered : { ...answered, warnings: [...answered.warnings, ...warnings] };
  if (key === null) return toCachedAnswer(recalled);
  return snapshot.answerCache.keep(key, garden.recall, at, recalled);
}

/** A missing or blank intent has an error of its own (§21.9). @throws intent_required */
export function requireIntent(body: unknown): void {
  if (typeof body !== 'object' || body === null) return;
  const { intent } = body as { intent?: unknown };
  const isBlank = intent == null || (typeof intent === 'string' && intent.trim() === '');
  if (isBlank) throw new VadeError('intent_required', 'intent is missing: say what you are about to do');
}

interface AnsweredRecall {
  readonly garden: LoadedGarden;
  readonly request: ComputedRecall;
  readonly answer: CachedAnswer;
  readonly token: string;
  readonly at: number;
  readonly now: string;
  readonly heartbeat: string | undefined;
}

function toRecord(call: Call, it: AnsweredRecall): AuditRecord {
  const { identity, snapshot } = call;
  const { intent, files, follows, ...rest } = it.request;
  return {
    kind: 'recall',
    aborted: false,
    agent_id: agentIdOf(it.garden),
    asked_by: callerUri(call),
    ...heartbeatOf(identity.heartbeat, it.heartbeat, it.at, it.token),
    intent,
    files,
    request: JSON.stringify(rest),
    follows,
    candidates: (it.answer.response.candidates ?? []).map(({ name }) => name),
    loaded_chunks: it.answer.response.chunks.map(({ name, source, version }, i) => ({
      name,
      source,
      rank: i + 1,
      version,
    })),
    answer_digest: it.answer.answer_digest,
    left_out: [...it.answer.left_out],
    tokens: it.answer.response.total_tokens,
    warnings: it.answer.response.warnings,
    bundle_revision: snapshot.gardens.bundle.revision,
    now: it.now,
    audit_token: it.token,
    created_at: it.at,
  };
}

/** DESIGN §6.10: the id verified by the control plane, else the one the caller claims, else a generated one. */
function heartbeatOf(
  verified: Call['identity']['heartbeat'],
  claimed: string | undefined,
  at: number,
  token: string,
): Pick<AuditRecord, 'heartbeat_id' | 'heartbeat_source' | 'session_start' | 'wake_reason'> {
  if (verified) return { ...verified, heartbeat_source: 'verified' };
  const unverified = { session_start: at, wake_reason: null };
  if (claimed !== undefined) return { heartbeat_id: claimed, heartbeat_source: 'caller', ...unverified };
  return { heartbeat_id: generatedHeartbeat(token), heartbeat_source: 'generated', ...unverified };
}

/**
 * A followed token changes no answer, but it makes two recalls one find, so it has to be of an answer to this agent.
 *
 * @throws audit_token_invalid, audit_token_expired
 */
function requireFollowed(tokens: AuditTokens, { follows }: ComputedRecall, agentId: string, at: number): void {
  if (follows === null) return;
  if (!isOpen(issuedTo(tokens, follows, agentId), at)) {
    throw new VadeError('audit_token_expired', 'the followed token is older than 24 hours: recall without follows');
  }
}

/** @throws audit_token_invalid */
function issuedTo(tokens: AuditTokens, token: string, agentId: string): number {
  const issued = tokens.issuedAt(token, agentId);
  if (issued === null) throw new VadeError('audit_token_invalid', 'this token was not issued to this agent');
  return issued;
}

const isOpen = (issued: number, at: number) => at - issued <= TOKEN_LIFETIME_MS;

/** Only an agent can close its own recalls. @throws instruction_scope_denied */
export function requireAgent({ identity: { holder } }: Pick<Call, 'identity'>): void {
  if (holder.kind !== 'agent') throw denied();
}

/** §21.5.2, DESIGN §6.8: a second closing is accepted and changes nothing; its recall may still wait to be written. */
export async function closeRecall(call: Call, closing: Closing): Promise<void> {
  const { audit, tokens, now, onAuditFailure } = call.services;
  const agent = agentIdOf(loadRequestedGarden(call));
  const issued = issuedTo(tokens, closing.audit_token, agent);
  try {
    if (isOpen(issued, now())) {
      await audit.close({ ...closing, agent_id: agent, closed_at: now() });
      return;
    }
    if (await audit.isClosed(closing.audit_token)) return;
  } catch (error) {
    onAuditFailure(error);
    throw refusalOf(error, 'written');
  }
  throw new VadeError('audit_token_expired', 'this token is older than 24 hours');
}

import type { Queries } from '../compiler/edge/encoder.ts';
import type { LoadedGarden } from '../compiler/edge/garden.ts';
import { Closing, TOKEN_LIFETIME_MS, type RecallRecord } from '../compiler/model/audit.ts';
import { VadeError } from '../compiler/model/errors.ts';
import type { KeyRecord } from '../compiler/model/key.ts';
import { RecallRequest, type RecallResponse } from '../compiler/model/recall.ts';
import { STUB_VERSION } from '../compiler/model/stub.ts';
import { recall, type Recalled } from '../compiler/recall/recall.ts';
import { authorise, denied, requireAdmin } from './access.ts';
import type { Gardens } from './gardens.ts';
import { parseBody } from './request.ts';
import type { AuditEntry, AuditLog } from './store/auditlog.ts';
import type { AuditTokens } from './token.ts';

type Holder = KeyRecord['holder'];

/** What the operations work with; clock, ids and secrets come from the edge. */
export interface ServiceContext {
  readonly gardens: Gardens;
  readonly audit: AuditLog;
  readonly tokens: AuditTokens;
  readonly queries: Queries;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly newId: () => string;
  readonly onAuditFailure: (error: unknown) => void;
}

/** A document with what its headers say. */
export interface ServedDocument {
  readonly body: string | Buffer;
  readonly etag: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** §21.8.1: the boot stub under a profile; an unknown profile is delivered as generic. */
export function bootStub({ gardens }: ServiceContext, holder: Holder, agent: string, profile: string): ServedDocument {
  const garden = gardens.load(authorise(holder, agent, gardens));
  const stub = garden.stub(profile);
  if (!stub) throw new VadeError('boot_stub_not_found', 'no boot stub was generated for this agent');
  return {
    body: stub.text,
    etag: `"${garden.proven.digest}-${stub.profile}"`,
    headers: {
      'X-Stub-Version': String(STUB_VERSION),
      'X-Manifest-Version': garden.predicate.manifest_version ?? '',
      'X-Token-Count': String(stub.token_count),
    },
  };
}

/** §21.8.2: the manifest, in the very bytes that were signed. */
export function manifest({ gardens }: ServiceContext, holder: Holder, agent: string): ServedDocument {
  const garden = gardens.load(authorise(holder, agent, gardens));
  if (!garden.manifest) throw new VadeError('manifest_not_found', 'no manifest is configured for this agent');
  return { body: garden.manifest, etag: `"${garden.proven.digest}"`, headers: {} };
}

/** §21.8.6: a report only exists once coverage was evaluated. */
export function coverage({ gardens }: ServiceContext, holder: Holder, agent: string): never {
  authorise(holder, agent, gardens);
  throw new VadeError('coverage_not_found', 'no coverage report was generated for this agent');
}

/** How a recall is asked for, besides its body. */
export interface RecallOptions {
  readonly explain: boolean;
  /** `X-Heartbeat-Id`, as the caller claims it. */
  readonly heartbeat: string | undefined;
}

/** §21.8.4: intent to chunks; the audit row is written before the answer leaves, and never blocks it. */
export async function recallInstruction(
  context: ServiceContext,
  holder: Holder,
  agent: string,
  body: unknown,
  { explain, heartbeat }: RecallOptions,
): Promise<RecallResponse> {
  const { gardens } = context;
  const garden = gardens.load(authorise(holder, agent, gardens));
  const request = parseRecall(body);
  const at = context.now();
  const query = await context.queries(request.intent, garden.recall.index);
  const answer = recall(garden.recall, request, { now: new Date(at).toISOString(), query, explain });
  const token = context.tokens.issue(agentIdOf(garden), at);
  const { left_out: _, ...response } = answer;
  try {
    context.audit.append(toRecord(context, garden, request, answer, token, at, heartbeat));
  } catch (error) {
    context.onAuditFailure(error);
    return { ...response, warnings: [...response.warnings, 'audit_write_failed'], audit_token: token };
  }
  return { ...response, audit_token: token };
}

function parseRecall(body: unknown): RecallRequest {
  const intent = (body as { intent?: unknown } | null | undefined)?.intent;
  const blank = intent === undefined || (typeof intent === 'string' && intent.trim() === '');
  if (blank && typeof body === 'object' && body !== null) {
    throw new VadeError('intent_required', 'say in intent what you are about to do');
  }
  return parseBody(RecallRequest, body);
}

function toRecord(
  context: ServiceContext,
  garden: LoadedGarden,
  request: RecallRequest,
  answer: Recalled,
  token: string,
  at: number,
  heartbeat: string | undefined,
): RecallRecord {
  const { intent, ...rest } = request;
  return {
    id: `audevent_${context.newId()}`,
    agent_id: agentIdOf(garden),
    heartbeat_id: heartbeat ?? `hb_${context.newId()}`,
    heartbeat_source: heartbeat === undefined ? 'generated' : 'caller',
    session_start: at,
    intent,
    request: JSON.stringify(rest),
    loaded_chunks: answer.chunks.map(({ name, source, version }, i) => ({ name, source, rank: i + 1, version })),
    left_out: answer.left_out,
    bundle_revision: context.gardens.bundle.revision,
    audit_token: token,
    created_at: at,
  };
}

function agentIdOf(garden: LoadedGarden): string {
  return garden.predicate.agent?.agent_id ?? '';
}

/** §21.5.2, DESIGN §6.8: a second closing is accepted and changes nothing. */
export function closeRecall(
  { gardens, audit, tokens, now, onAuditFailure }: ServiceContext,
  holder: Holder,
  body: unknown,
): void {
  if (holder.kind !== 'agent') throw denied();
  const agent = agentIdOf(gardens.load(authorise(holder, holder.agent, gardens)));
  const closing = parseBody(Closing, body);
  const issued = tokens.issuedAt(closing.audit_token, agent);
  if (issued === null) throw new VadeError('audit_token_invalid', 'this token was not issued to this agent');
  try {
    if (audit.isClosed(closing.audit_token)) return;
    if (now() - issued <= TOKEN_LIFETIME_MS) {
      audit.close({ ...closing, agent_id: agent, closed_at: now() });
      return;
    }
  } catch (error) {
    onAuditFailure(error);
    throw new VadeError('recall_backend_unavailable', 'the audit cannot be written now; send it again');
  }
  throw new VadeError('audit_token_expired', 'this token is older than 24 hours');
}

/** The newest audit entries of an agent; administrators alone. */
export function auditEntries(
  { gardens, audit }: ServiceContext,
  holder: Holder,
  agent: string,
  page: { readonly limit: number; readonly before: number },
): { entries: readonly AuditEntry[] } {
  requireAdmin(holder);
  const garden = gardens.load(authorise(holder, agent, gardens));
  return { entries: audit.list(agentIdOf(garden), page.limit, page.before) };
}

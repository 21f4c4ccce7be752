import type { ServedStub } from '../../compiler/io/bundle/load-garden.ts';
import { preload, type Preloaded } from '../../compiler/recall/preload.ts';
import type { HeartbeatRequest, HeartbeatResponse, VerifiedHeartbeat } from '../../compiler/schema/api/heartbeat.ts';
import type { MissingUnit } from '../../compiler/schema/api/recall.ts';
import type { AuditRecord } from '../../compiler/schema/audit/record.ts';
import { STUB_VERSION } from '../../compiler/schema/bundle/stub-version.ts';
import { VadeError } from '../../compiler/schema/errors.ts';
import { digestOfTexts } from '../../compiler/trust/canonical.ts';
import { callerUri, ownGardenOf } from '../auth/authorize.ts';
import { versionWarnings, type Snapshot } from '../rollout/snapshot.ts';
import type { Call, Services } from './call.ts';

/** A heartbeat with a wake reason verified by the control plane, of an existing agent. */
interface Woken {
  readonly garden: string;
  readonly agentId: string;
  readonly heartbeat: VerifiedHeartbeat & { readonly wake_reason: string };
  readonly profile: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly token: string;
}

interface Prepared {
  readonly stub: ServedStub;
  readonly manifestVersion: string;
  readonly preloaded: Preloaded;
}

/**
 * Wakes an agent (§21.1.5): returns its stub and every unit guaranteed for the wake reason, before any task. The wake
 * reason comes from the verified token alone (S1). The audit records every outcome, aborted heartbeats included.
 *
 * @param request untrusted: the wake reason is never taken from it
 * @throws instruction_scope_denied, agent_not_found, wake_reason_unverified, boot_stub_not_found,
 *   guaranteed_unit_unavailable, recall_backend_unavailable
 */
export async function heartbeat(call: Call, request: HeartbeatRequest): Promise<HeartbeatResponse> {
  const woken = wake(call, request);
  const prepared = await prepareOrAbort(call, woken);
  const saved = await writeRow(call.services, recordOf(call, woken, prepared.preloaded));
  return toResponse(call, woken, prepared, saved);
}

/**
 * Only the agent itself can wake, with a wake reason from the control plane.
 *
 * @throws wake_reason_unverified and `ownGardenOf`'s
 */
export function requireWoken(call: Call): void {
  ownGardenOf(call);
  verifiedReason(call);
}

/** @throws wake_reason_unverified */
function verifiedReason({ identity: { heartbeat } }: Call): Woken['heartbeat'] {
  const wake_reason = heartbeat?.wake_reason ?? null;
  if (heartbeat !== null && wake_reason !== null) return { ...heartbeat, wake_reason };
  throw new VadeError('wake_reason_unverified', 'a heartbeat needs a control-plane token with a wake reason');
}

/** The agent and its wake reason, before its garden is read. */
function wake(call: Call, { profile }: HeartbeatRequest): Woken {
  const garden = ownGardenOf(call);
  const agentId = agentIdIn(call.snapshot, garden);
  const at = call.services.now();
  const token = call.services.tokens.issue(agentId, at);
  return { garden, agentId, heartbeat: verifiedReason(call), profile, at, token };
}

/** From the root: known even if the garden itself does not verify. */
function agentIdIn({ gardens }: Snapshot, garden: string): string {
  return gardens.bundle.root.predicate.gardens.find((it) => it.garden === garden)?.agent_id ?? '';
}

function prepare({ gardens }: Snapshot, { garden, heartbeat: { wake_reason }, profile, at }: Woken): Prepared {
  const loaded = gardens.load(garden);
  const stub = loaded.stub(profile);
  if (!stub) throw new VadeError('boot_stub_not_found', 'no boot stub was generated for this agent');
  const now = new Date(at).toISOString();
  // §21.1.5: exact comparison; an unregistered wake reason preloads nothing
  const preloaded = preload(loaded.recall, { wake_reason, now, stub_tokens: stub.token_count });
  return { stub, manifestVersion: loaded.predicate.manifest_version ?? '', preloaded };
}

/** §21.1.5 S2: a missing guaranteed unit ends the heartbeat. */
function requireGuaranteed({ fatal }: Preloaded): void {
  if (fatal.length === 0) return;
  throw new VadeError('guaranteed_unit_unavailable', `guaranteed units unavailable: ${fatal.join(', ')}`, {
    units: fatal,
  });
}

/** Prepares an answer, or records the aborted heartbeat before the error leaves. */
async function prepareOrAbort(call: Call, woken: Woken): Promise<Prepared> {
  let unavailable: readonly MissingUnit[] = [];
  try {
    const prepared = prepare(call.snapshot, woken);
    ({ unavailable } = prepared.preloaded);
    requireGuaranteed(prepared.preloaded);
    return prepared;
  } catch (error) {
    const code = error instanceof VadeError ? error.code : 'internal';
    const nothing = { aborted: true as const, preloads: [], content_digests: [], unavailable, warnings: [code] };
    await writeRow(call.services, recordOf(call, woken, nothing));
    call.services.count.aborted();
    throw error;
  }
}

/** Whether the row was written; a heartbeat continues without it (§21.3.4). */
async function writeRow({ audit, onAuditFailure }: Services, record: AuditRecord): Promise<boolean> {
  try {
    await audit.append(record);
    return true;
  } catch (error) {
    onAuditFailure(error);
    return false;
  }
}

type HeartbeatOutcome = Pick<Preloaded, 'preloads' | 'content_digests' | 'unavailable'> & {
  readonly aborted?: true;
  /** Absent if aborted. */
  readonly total_tokens?: number;
  /** Warnings, or the code of the error that ended it. */
  readonly warnings: readonly string[];
};

function recordOf(call: Call, woken: Woken, outcome: HeartbeatOutcome): AuditRecord {
  return {
    kind: 'heartbeat',
    aborted: outcome.aborted ?? false,
    agent_id: woken.agentId,
    asked_by: callerUri(call),
    ...woken.heartbeat,
    heartbeat_source: 'verified',
    intent: '',
    files: [],
    request: JSON.stringify({ profile: woken.profile }),
    follows: null,
    candidates: [],
    loaded_chunks: outcome.preloads.map(({ name, source, version }, i) => ({ name, source, rank: i + 1, version })),
    answer_digest: digestOfTexts(outcome.content_digests),
    left_out: [...outcome.unavailable],
    tokens: outcome.total_tokens ?? 0,
    warnings: [...outcome.warnings],
    bundle_revision: call.snapshot.gardens.bundle.revision,
    now: new Date(woken.at).toISOString(),
    audit_token: woken.token,
    created_at: woken.at,
  };
}

function toResponse(call: Call, woken: Woken, prepared: Prepared, saved: boolean): HeartbeatResponse {
  const { stub, manifestVersion, preloaded } = prepared;
  return {
    agent_id: woken.agentId,
    heartbeat_id: woken.heartbeat.heartbeat_id,
    wake_reason: woken.heartbeat.wake_reason,
    stub: {
      content: stub.text,
      profile: stub.profile,
      stub_version: STUB_VERSION,
      manifest_version: manifestVersion,
      tokens: stub.token_count,
    },
    preloads: [...preloaded.preloads],
    total_tokens: preloaded.total_tokens,
    warnings: [
      ...preloaded.warnings,
      ...versionWarnings(call.snapshot),
      ...(saved ? [] : (['audit_write_failed'] as const)),
    ],
    unavailable: [...preloaded.unavailable],
    bundle_revision: call.snapshot.gardens.bundle.revision,
    audit_token: woken.token,
  };
}

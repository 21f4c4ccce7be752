import { listedIn, type Listed } from '../../../compiler/continuity/list.ts';
import { VadeError } from '../../../compiler/schema/errors.ts';
import { canonicalJson, sha256 } from '../../../compiler/trust/canonical.ts';
import { denied, ownGardenOf } from '../../auth/authorize.ts';
import type { Continuity } from '../../continuity/continuity.ts';
import type { HeldFiles } from '../../continuity/state/files.ts';
import type { RequestKey } from '../../continuity/state/requests.ts';
import type { Call } from '../call.ts';

/** The store that administrators act on; no agent has this id, since theirs are UUIDs. */
export const DEFAULT_OWNER = 'default';

/** An agent acts on its capsules, an administrator on those of the default owner. @throws instruction_scope_denied */
export function requireOwner(call: Call): void {
  ownerOf(call);
}

/**
 * Whose capsules a call is about. @throws instruction_scope_denied, agent_not_found
 */
export function ownerOf(call: Call): string {
  const { holder } = call.identity;
  if (holder.kind === 'admin') return DEFAULT_OWNER;
  if (holder.kind !== 'agent') throw denied();
  return agentIdIn(call, ownGardenOf(call));
}

/** The id of an agent by its garden: it names a folder, and never another agent's. @throws agent_not_found */
export function agentIdIn({ snapshot }: Pick<Call, 'snapshot'>, garden: string): string {
  const { gardens } = snapshot.gardens.bundle.root.predicate;
  const id = gardens.find((it) => it.garden === garden)?.agent_id ?? null;
  if (id === null) throw new VadeError('agent_not_found', 'no such agent');
  return id;
}

/** The store of a server. @throws continuity_disabled */
export function continuityOf({ services }: Pick<Call, 'services'>): Continuity {
  if (services.continuity) return services.continuity;
  throw new VadeError('continuity_disabled', 'this server keeps no capsules: its operator starts it with --continuity');
}

/** Members of every request about one subject. */
export interface AboutSubject {
  readonly subject_kind: string;
  readonly subject_id: string;
  readonly idempotency_key?: string | null | undefined;
}

/**
 * Performs a verb that changes a subject, and adds the commit to its answer.
 *
 * @throws what the verb throws, secret_refused, idempotency_conflict, continuity_unavailable, continuity_disabled
 */
export async function change(
  call: Call,
  verb: string,
  request: AboutSubject,
): Promise<Readonly<Record<string, unknown>>> {
  const { subject_kind: kind, subject_id: id } = request;
  const { answer, commit } = await continuityOf(call).mutate(ownerOf(call), {
    subject: { kind, id },
    verb,
    request,
    now: call.services.now(),
    author: call.identity.id,
    key: keyOf(verb, request),
  });
  return { ...(answer as object), latest_commit: commit === '' ? null : commit };
}

/** Answers from what is held of one subject now. @throws continuity_unavailable, continuity_disabled */
export async function held(call: Call, { subject_kind: kind, subject_id: id }: AboutSubject): Promise<HeldFiles> {
  return continuityOf(call).held(ownerOf(call), { kind, id });
}

/** Every capsule of the caller, and what cannot be read. @throws continuity_unavailable, continuity_disabled */
export async function listedOf(call: Call, withFallbacks: boolean): Promise<Listed> {
  return listedIn(await continuityOf(call).list(ownerOf(call), withFallbacks));
}

function keyOf(verb: string, request: AboutSubject): RequestKey | null {
  const { idempotency_key: key } = request;
  if (key === undefined || key === null) return null;
  return { key: sha256(key), digest: sha256(canonicalJson({ verb, request })) };
}

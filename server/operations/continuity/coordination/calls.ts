import {
  visibleOf,
  type ArtefactChange,
  type ArtefactRequest,
} from '../../../../compiler/continuity/coordination/change.ts';
import type { PartyKind } from '../../../../compiler/continuity/coordination/parties.ts';
import { notFound } from '../../../../compiler/continuity/coordination/refusals.ts';
import type { ArtefactKind, ArtefactValues } from '../../../../compiler/continuity/schema/coordination/artefact.ts';
import { VadeError } from '../../../../compiler/schema/errors.ts';
import { canonicalJson, sha256 } from '../../../../compiler/trust/canonical.ts';
import type { ArtefactFilter } from '../../../continuity/coordination/coordination.ts';
import type { Call } from '../../call.ts';
import type { PathNames } from '../../operation.ts';
import { value } from '../../result.ts';
import { continuityOf, DEFAULT_OWNER, ownerOf } from '../capsule-calls.ts';

/** An id of an artefact, as `newId` makes it; nothing else is looked up. */
const ID = /^(handoff|shared|reconciliation)_[0-9A-Z]{26}$/;

/** The caller who asks for artefacts. @throws instruction_scope_denied, agent_not_found */
function viewerOf(call: Call) {
  return { caller: ownerOf(call), isAdmin: call.identity.holder.kind === 'admin' };
}

/**
 * The id of an agent, or `default`, by any name of it. A key that may hand over to every agent may know which agents
 * exist; a key that is limited to some peers gets the same error for all others.
 *
 * @throws instruction_scope_denied, agent_not_found
 */
export function peerOf(call: Call, name: string): string {
  const id = idOf(call, name);
  const peers = call.identity.permits?.peers;
  const isPermitted = !peers || [name, id].some((it) => it !== null && peers.includes(it)) || id === ownerOf(call);
  if (!isPermitted) throw new VadeError('instruction_scope_denied', 'this key has no access to that peer');
  if (id === null) throw new VadeError('agent_not_found', 'no such agent');
  return id;
}

function idOf({ snapshot: { gardens } }: Call, name: string): string | null {
  const garden = gardens.find(name);
  const agent = gardens.bundle.root.predicate.gardens.find((it) => garden !== null && it.garden === garden);
  return agent?.agent_id ?? (name === DEFAULT_OWNER ? DEFAULT_OWNER : null);
}

/** Filters of a query, with the role of each agent that it names; an unknown name matches nothing. */
function filterOf<Q extends Paged>(call: Call, query: Q, roles: Roles<Q>): Omit<ArtefactFilter, 'kind'> {
  const { offset, limit, status, classification, task_id, thread_id } = query;
  const parties = Object.entries(roles).flatMap(([name, role]) => {
    const peer = query[name as keyof Q] as string | undefined;
    return peer === undefined ? [] : [{ peer: idOf(call, peer) ?? peer, role: role as PartyKind }];
  });
  return { offset, limit, status, classification, task_id, thread_id, parties };
}

type Roles<Q> = Readonly<Partial<Record<keyof Q, PartyKind>>>;

interface Paged extends Pick<ArtefactFilter, 'offset' | 'limit' | 'task_id' | 'thread_id'> {
  readonly status?: string | undefined;
  readonly classification?: string | undefined;
}

/** Makes an artefact or changes one. @throws what the verb throws, secret_refused, continuity_unavailable */
export async function change<K extends ArtefactKind>(call: Call, kind: K, id: string | null, asked: ArtefactRequest) {
  const { now, newId } = call.services;
  const { coordination } = continuityOf(call);
  if (id !== null) knownId(id);
  const viewer = viewerOf(call);
  const occasion = { now: now(), ...viewer, id: id ?? `${kind}_${digitsOf(viewer.caller, asked) ?? newId()}` };
  const { artefact, isChanged } = await coordination.change({ ...asked, ...occasion } satisfies ArtefactChange);
  return { value: artefact.value as ArtefactValues[K], isChanged };
}

/** The digits of an id that an idempotency key makes, the same each time; null without a key. */
function digitsOf(caller: string, { verb, request }: ArtefactRequest): string | null {
  const key = 'idempotency_key' in request ? request.idempotency_key : null;
  return key
    ? sha256(canonicalJson([caller, verb, key]))
        .slice(0, DIGITS)
        .toUpperCase()
    : null;
}

/** The number of digits of an ULID. */
const DIGITS = 26;

/** An artefact that the caller may see. @throws coordination_not_found, continuity_unavailable */
export function visible<K extends ArtefactKind>(call: Call, kind: K, id: string, version?: number): ArtefactValues[K] {
  const { coordination } = continuityOf(call);
  const found = coordination.find(knownId(id), version);
  return visibleOf(kind, found, { ...viewerOf(call), id });
}

/** An operation that answers with one artefact, which its path names. */
export function readingOne(kind: ArtefactKind) {
  return (call: Call, { path }: { readonly path: PathNames }) =>
    value({ ...ANSWERED, [kind]: visible(call, kind, path[`${kind}_id`] ?? '') });
}

/**
 * An operation that answers with those that the caller may see, page by page.
 *
 * @param key the member of the answer that holds them
 * @param roles of the agents that a query names
 */
export function listing<Q extends Paged>(kind: ArtefactKind, key: string, roles: Roles<Q>) {
  return (call: Call, { query }: { readonly query: Q }) => {
    const { caller, isAdmin } = viewerOf(call);
    const own = isAdmin ? [] : [{ peer: caller, role: null }];
    const filter = filterOf(call, query, roles);
    const parties = [...own, ...filter.parties];
    const { artefacts, total } = continuityOf(call).coordination.list({ ...filter, kind, parties });
    const values = artefacts.map((it) => it.value);
    return value({ ...ANSWERED, count: values.length, total_matches: total, [key]: values });
  };
}

/** Members of every answer: agents wrote its content. */
export const ANSWERED = { ok: true, content_kind: 'agent_authored' } as const;

function knownId(id: string): string {
  if (ID.test(id)) return id;
  throw notFound(id);
}

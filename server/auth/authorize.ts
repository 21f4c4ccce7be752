import { VadeError } from '../../compiler/schema/errors.ts';
import { isAdministrator } from '../../compiler/trust/administrator.ts';
import { mayRead, type Caller } from '../../compiler/trust/consent.ts';
import { supervises } from '../../compiler/trust/grant.ts';
import type { Gardens } from '../rollout/gardens.ts';
import type { Snapshot, Rollout } from '../rollout/snapshot.ts';
import type { Holder, Identity } from './authenticate.ts';
import { holdsGrant } from './grants.ts';

/**
 * The caller under a bundle: its trust root names administrators and supervisors, its approvals hold the grants. A
 * canary may have another trust root than the bundle in force: an administrator has to be one under both.
 *
 * @throws instruction_scope_denied for a holder that reads no gardens
 */
export function callerOf({ holder, at }: Pick<Identity, 'holder' | 'at'>, gardens: Gardens): Caller {
  const { trust } = gardens.bundle;
  if (holder.kind === 'admin' && isAdministrator(trust, holder.entity)) return holder;
  if (holder.kind !== 'agent') throw denied();
  const own = gardens.find(holder.agent) ?? '';
  const mayReadOf = (garden: string) => supervises(trust, own, garden) || holdsGrant(gardens, garden, own, at);
  // an agent without a garden supervises nobody
  return { kind: 'agent', agent_id: holder.agent, garden: own, mayReadOf: own === '' ? () => false : mayReadOf };
}

/**
 * The garden that a caller may read by this id (§21.4.5). For every id that it may not read, an agent gets the same
 * error whether the garden exists or not; only an agent's own id, or any id for an administrator, is reported missing.
 *
 * @throws instruction_scope_denied, agent_not_found
 */
export function authorise(identity: Identity, agent: string, gardens: Gardens): string {
  const caller = callerOf(identity, gardens);
  const garden = gardens.find(agent);
  if (caller.kind === 'agent' && !isOwn(caller, agent, garden) && (garden === null || !mayRead(caller, garden))) {
    throw denied();
  }
  if (garden === null) throw new VadeError('agent_not_found', 'no such agent');
  return garden;
}

function isOwn(caller: Caller & { kind: 'agent' }, agent: string, garden: string | null): boolean {
  return agent === caller.agent_id || (garden !== null && garden === caller.garden);
}

/** The caller, the agent, and the snapshot that answers. */
export interface CallContext {
  readonly identity: Identity;
  /** By id or short name; empty for a call without an agent. */
  readonly agent: string;
  readonly snapshot: Snapshot;
}

/** The garden of a call, if its caller may read it. @throws instruction_scope_denied, agent_not_found */
export function gardenOf({ identity, agent, snapshot }: CallContext): string {
  return authorise(identity, agent, snapshot.gardens);
}

/**
 * The same, but only for the agent itself: reading rights do not allow acting in an agent's name.
 *
 * @throws instruction_scope_denied, agent_not_found
 */
export function ownGardenOf(call: CallContext): string {
  const { identity, agent, snapshot } = call;
  const caller = callerOf(identity, snapshot.gardens);
  if (caller.kind !== 'agent' || !isOwn(caller, agent, snapshot.gardens.find(agent))) throw denied();
  return gardenOf(call);
}

/**
 * The snapshot that answers. Every answer names its bundle in a header, so a caller that may not read an agent is
 * answered from its own snapshot: it must not learn of the agent's canary.
 */
export function snapshotOf(rollout: Pick<Rollout, 'snapshotFor'>, identity: Identity, agent: string): Snapshot {
  const { holder } = identity;
  if (holder.kind !== 'agent') return rollout.snapshotFor(agent);
  const own = rollout.snapshotFor(holder.agent);
  const caller = callerOf(identity, own.gardens);
  const garden = own.gardens.find(agent);
  if (caller.kind === 'agent' && (garden === null || garden === caller.garden)) return own;
  return garden !== null && mayRead(caller, garden) ? rollout.snapshotFor(agent) : own;
}

/** Entity URI of the caller, for the audit. */
export function callerUri({ identity: { holder }, snapshot: { gardens } }: CallContext): string {
  if (holder.kind === 'admin') return holder.entity;
  if (holder.kind === 'reader') throw denied();
  return `${gardens.bundle.root.predicate.deployment}/agent/${gardens.find(holder.agent) ?? holder.agent}`;
}

/** The calling agent, as its key or token names it; empty for administrators. */
export function ownAgent({ holder }: Pick<Identity, 'holder'>): string {
  return holder.kind === 'agent' ? holder.agent : '';
}

/** Only administrators pass (§21.4.5: audit logs are never surfaced to peers). @throws instruction_scope_denied */
export function requireAdmin({ identity: { holder } }: Pick<CallContext, 'identity'>): void {
  if (holder.kind !== 'admin') throw denied();
}

/** Administrators and scrapers pass: metrics name no agent. */
export function requireScraper(holder: Holder): void {
  if (holder.kind === 'agent') throw denied();
}

/** The same error for every denied garden. */
export function denied(): VadeError {
  return new VadeError('instruction_scope_denied', 'this key has no access to that garden');
}

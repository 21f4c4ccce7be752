import { VadeError } from '../../compiler/schema/errors.ts';
import { isAdministrator } from '../../compiler/trust/administrator.ts';
import { mayRead, type Caller } from '../../compiler/trust/consent.ts';
import { supervises } from '../../compiler/trust/grant.ts';
import type { Gardens } from '../rollout/gardens.ts';
import type { Snapshot, Rollout } from '../rollout/snapshot.ts';
import type { Holder, Identity } from './authenticate.ts';
import { holdsGrant } from './grants.ts';

/**
 * The caller, as a bundle knows it: its trust root says who is an administrator and who supervises whom, its approvals
 * what was granted. A canary may come with another root than the one in force: an administrator is one under both.
 *
 * @throws instruction_scope_denied for who reads no gardens
 */
export function callerOf({ holder, at }: Pick<Identity, 'holder' | 'at'>, gardens: Gardens): Caller {
  const { trust } = gardens.bundle;
  if (holder.kind === 'admin' && isAdministrator(trust, holder.entity)) return holder;
  if (holder.kind !== 'agent') throw denied();
  const own = gardens.find(holder.agent) ?? '';
  const mayReadOf = (garden: string) => supervises(trust, own, garden) || holdsGrant(gardens, garden, own, at);
  // nobody is the supervisor of anybody who is not there itself
  return { kind: 'agent', agent_id: holder.agent, garden: own, mayReadOf: own === '' ? () => false : mayReadOf };
}

/**
 * The garden a caller may read by this id (§21.4.5). An agent is told the same of every id that it may not read,
 * whether it exists or not; only its own, and an administrator's, can be missing.
 *
 * @throws instruction_scope_denied, agent_not_found
 */
export function authorise(identity: Identity, asked: string, gardens: Gardens): string {
  const caller = callerOf(identity, gardens);
  const garden = gardens.find(asked);
  if (caller.kind === 'agent' && !isOwn(caller, asked, garden) && (garden === null || !mayRead(caller, garden))) {
    throw denied();
  }
  if (garden === null) throw new VadeError('agent_not_found', 'there is no such agent');
  return garden;
}

function isOwn(caller: Caller & { kind: 'agent' }, asked: string, garden: string | null): boolean {
  return asked === caller.agent_id || (garden !== null && garden === caller.garden);
}

/** Who calls, about which agent, and the edition that answers. */
export interface Asking {
  readonly identity: Identity;
  /** By id or short name; empty for a call that is about none. */
  readonly agent: string;
  readonly snapshot: Snapshot;
}

/** The garden that a call is about, where its caller may read it. @throws instruction_scope_denied, agent_not_found */
export function gardenOf({ identity, agent, snapshot }: Asking): string {
  return authorise(identity, agent, snapshot.gardens);
}

/**
 * The same, for the agent itself alone: what acts in an agent's name nobody does for another, whoever may read it.
 *
 * @throws instruction_scope_denied, agent_not_found
 */
export function ownGardenOf(call: Asking): string {
  const { identity, agent, snapshot } = call;
  const caller = callerOf(identity, snapshot.gardens);
  if (caller.kind !== 'agent' || !isOwn(caller, agent, snapshot.gardens.find(agent))) throw denied();
  return gardenOf(call);
}

/**
 * The edition that answers. Which bundle an agent is answered from is told in a header of every answer, so a caller
 * that may not read an agent is answered from its own: the agent's canary is nothing to tell it of.
 */
export function snapshotOf(rollout: Pick<Rollout, 'snapshotFor'>, identity: Identity, asked: string): Snapshot {
  const { holder } = identity;
  if (holder.kind !== 'agent') return rollout.snapshotFor(asked);
  const own = rollout.snapshotFor(holder.agent);
  const caller = callerOf(identity, own.gardens);
  const garden = own.gardens.find(asked);
  if (caller.kind === 'agent' && (garden === null || garden === caller.garden)) return own;
  return garden !== null && mayRead(caller, garden) ? rollout.snapshotFor(asked) : own;
}

/** Entity URI of who asks, as the audit keeps it. */
export function askedBy({ identity: { holder }, snapshot: { gardens } }: Asking): string {
  if (holder.kind === 'admin') return holder.entity;
  if (holder.kind === 'reader') throw denied();
  return `${gardens.bundle.root.predicate.deployment}/agent/${gardens.find(holder.agent) ?? holder.agent}`;
}

/** The agent that calls, by the name that its key or token has; empty for administrators. */
export function ownAgent({ holder }: Pick<Identity, 'holder'>): string {
  return holder.kind === 'agent' ? holder.agent : '';
}

/** Only administrators pass (§21.4.5: audit logs are never surfaced to peers). @throws instruction_scope_denied */
export function requireAdmin({ identity: { holder } }: Pick<Asking, 'identity'>): void {
  if (holder.kind !== 'admin') throw denied();
}

/** Administrators and scrapers pass: metrics name no agent. */
export function requireScraper(holder: Holder): void {
  if (holder.kind === 'agent') throw denied();
}

/** What every caller hears who asks for more than its own. */
export function denied(): VadeError {
  return new VadeError('instruction_scope_denied', 'this key does not open that garden');
}

import { VadeError } from '../compiler/model/errors.ts';
import { mayRead, type Caller } from '../compiler/trust/authority.ts';
import type { Gardens } from './gardens.ts';
import type { Asked, Holder } from './identity.ts';

/** The caller behind a key, as the current bundle knows it. */
export function callerOf(holder: Holder, gardens: Gardens): Caller {
  if (holder.kind === 'admin') return holder;
  const garden = gardens.find(holder.agent);
  return { kind: 'agent', agent_id: holder.agent, garden: garden ?? '' };
}

/**
 * The garden a caller may act on by this id (§21.4.5). An agent is told the same of every id that is not
 * its own, whether it exists or not; only its own, and an administrator's, can be missing.
 *
 * @throws instruction_scope_denied, agent_not_found
 */
export function authorise(holder: Holder, asked: string, gardens: Gardens): string {
  const caller = callerOf(holder, gardens);
  const garden = gardens.find(asked);
  if (caller.kind === 'agent') {
    const own = asked === caller.agent_id || (garden !== null && garden === caller.garden);
    if (!own) throw denied();
  }
  if (garden === null || !mayRead(caller, garden)) throw new VadeError('agent_not_found', 'there is no such agent');
  return garden;
}

/** The garden that a request is about, where its caller may act on it. */
export function gardenOf({ identity, agent, edition }: Asked): string {
  return authorise(identity.holder, agent, edition.gardens);
}

/** Only administrators pass (§21.4.5: audit logs are never surfaced to peers). */
export function requireAdmin(holder: Holder): void {
  if (holder.kind !== 'admin') throw denied();
}

/** What every caller hears who asks for more than its own. */
export function denied(): VadeError {
  return new VadeError('instruction_scope_denied', 'this key does not open that garden');
}

import type { AgentHandoffs, HandoffLine } from '../../../compiler/continuity/schema/agent-handoffs.ts';
import type { Handoff } from '../../../compiler/continuity/schema/coordination/handoff.ts';
import { COORDINATION_ROWS } from '../../../compiler/continuity/schema/coordination/limits.ts';
import { gardenOf } from '../../auth/authorize.ts';
import type { Call } from '../call.ts';
import { agentIdIn } from './capsule-calls.ts';

/**
 * An agent's handoffs for an administrator's page, the newest change first.
 *
 * @throws agent_not_found, continuity_unavailable
 */
export function agentHandoffs(call: Call): AgentHandoffs {
  const agent = gardenOf(call);
  const { continuity } = call.services;
  if (!continuity) return { agent, content_kind: 'agent_authored', is_kept: false, handoffs: [], total: 0 };
  const owner = agentIdIn(call, agent);
  const parties = [{ peer: owner, role: null }];
  const { artefacts, total } = continuity.coordination.list({
    kind: 'handoff',
    parties,
    offset: 0,
    limit: COORDINATION_ROWS.most,
  });
  const names = new Map(call.snapshot.gardens.bundle.root.predicate.gardens.map((it) => [it.agent_id, it.garden]));
  const nameOf = (peer: string) => names.get(peer) ?? peer;
  const handoffs = artefacts.flatMap((it) => (it.kind === 'handoff' ? [lineOf(it.value, owner, nameOf)] : []));
  return { agent, content_kind: 'agent_authored', is_kept: true, handoffs, total };
}

function lineOf(it: Handoff, owner: string, nameOf: (peer: string) => string): HandoffLine {
  const isSent = it.sender_peer === owner;
  return {
    handoff_id: it.handoff_id,
    direction: isSent ? 'sent' : 'received',
    peer: nameOf(isSent ? it.recipient_peer : it.sender_peer),
    ...it.source_selector,
    status: it.recipient_status,
    note: it.note,
    answer: it.recipient_note,
    constraints: it.shared_continuity.active_constraints,
    drift_signals: it.shared_continuity.drift_signals,
    updated_at: it.updated_at,
  };
}

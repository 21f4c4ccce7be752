import { ageSeconds } from '../../../compiler/continuity/capsule/freshness.ts';
import { startupSections } from '../../../compiler/continuity/capsule/startup-sections.ts';
import { list, listedIn } from '../../../compiler/continuity/list.ts';
import { read } from '../../../compiler/continuity/read.ts';
import type {
  AgentCapsules,
  AgentCapsulesQuery,
  CapsuleLine,
} from '../../../compiler/continuity/schema/agent-capsules.ts';
import { LIST_ROWS } from '../../../compiler/continuity/schema/limits.ts';
import type { CapsuleSummary } from '../../../compiler/continuity/schema/list.ts';
import { gardenOf } from '../../auth/authorize.ts';
import type { Continuity } from '../../continuity/continuity.ts';
import type { Call } from '../call.ts';
import { broughtBack } from './brought-back.ts';
import { agentIdIn, continuityOf } from './capsule-calls.ts';

/**
 * An agent's capsules for an administrator's page: a row each, and the startup view of one.
 *
 * @throws agent_not_found, continuity_unavailable
 */
export async function agentCapsules(call: Call, query: AgentCapsulesQuery): Promise<AgentCapsules> {
  const garden = gardenOf(call);
  const said = { agent: garden, content_kind: 'agent_authored' } as const;
  if (!call.services.continuity) return { ...said, is_kept: false, capsules: [], startup: null, brought: null };
  const owner = agentIdIn(call, garden);
  const continuity = continuityOf(call);
  const { list: filesOf, archiveDays } = continuity;
  const now = call.services.now();
  const listed = listedIn(await filesOf(owner, false));
  const { capsules } = list({ sort: 'salience', limit: LIST_ROWS.most, include_archived: true }, listed, {
    now,
    archiveDays,
  });
  return {
    ...said,
    is_kept: true,
    capsules: capsules.map((it) => lineOf(it, now)),
    startup: await startupOf(continuity, owner, query, now),
    brought: await broughtBack(continuity, owner, capsules, { now, budget: query.max_tokens_estimate }),
  };
}

/** The startup view of the subject that was asked for. */
async function startupOf(
  { held }: Pick<Continuity, 'held'>,
  owner: string,
  { subject_kind, subject_id }: AgentCapsulesQuery,
  now: number,
): Promise<AgentCapsules['startup']> {
  if (subject_kind === undefined || subject_id === undefined) return null;
  const files = await held(owner, { kind: subject_kind, id: subject_id });
  const asked = { subject_kind, subject_id, allow_fallback: true, view: 'startup' } as const;
  const { source_state, recovery_warnings, startup_summary } = read(asked, files, { now });
  return {
    source_state,
    warnings: recovery_warnings,
    sections: startup_summary ? startupSections(startup_summary) : [],
  };
}

function lineOf(it: CapsuleSummary, now: number): CapsuleLine {
  return {
    subject_kind: it.subject_kind,
    subject_id: it.subject_id,
    label: it.thread_descriptor?.label ?? null,
    lifecycle: it.thread_descriptor?.lifecycle ?? null,
    state: it.artifact_state,
    phase: it.phase,
    health: it.health_status,
    updated_at: it.updated_at,
    age_seconds: ageSeconds(it.updated_at, now),
  };
}

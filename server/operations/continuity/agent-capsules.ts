import { list } from '../../../compiler/continuity/list.ts';
import { read } from '../../../compiler/continuity/read.ts';
import { LIST_ROWS } from '../../../compiler/schema/continuity/limits.ts';
import type { CapsuleRow, CapsuleSummary } from '../../../compiler/schema/continuity/list.ts';
import type { StartupSummary } from '../../../compiler/schema/continuity/startup-summary.ts';
import type { AgentCapsules, AgentCapsulesQuery, CapsuleLine } from '../../../compiler/schema/report/agent-capsules.ts';
import { gardenOf } from '../../auth/authorize.ts';
import type { Call } from '../call.ts';
import { agentIdIn, continuityOf } from './capsule-calls.ts';

/**
 * An agent's capsules for an administrator's page: a row each, and the startup view of one.
 *
 * @throws agent_not_found, continuity_unavailable
 */
export async function agentCapsules(call: Call, query: AgentCapsulesQuery): Promise<AgentCapsules> {
  const garden = gardenOf(call);
  if (!call.services.continuity)
    return { agent: garden, content_kind: 'agent_authored', is_kept: false, capsules: [], startup: null };
  const owner = agentIdIn(call, garden);
  const { list: rowsOf, held, archiveDays } = continuityOf(call);
  const now = call.services.now();
  const rows = (await rowsOf(owner, false)).flatMap(({ summary }) => (summary === null ? [] : [summary as CapsuleRow]));
  const { capsules } = list({ sort: 'salience', limit: LIST_ROWS.most, include_archived: true }, rows, {
    now,
    archiveDays,
  });
  const { subject_kind: kind, subject_id: id } = query;
  const asked = kind === undefined || id === undefined ? null : { subject_kind: kind, subject_id: id };
  const answer =
    asked &&
    read(
      { ...asked, allow_fallback: true, view: 'startup' },
      await held(owner, { kind: asked.subject_kind, id: asked.subject_id }),
      { now },
    );
  return {
    agent: garden,
    content_kind: 'agent_authored',
    is_kept: true,
    capsules: capsules.map(lineOf),
    startup: answer && {
      source_state: answer.source_state,
      warnings: answer.recovery_warnings,
      sections: answer.startup_summary ? sectionsOf(answer.startup_summary) : [],
    },
  };
}

function lineOf(it: CapsuleSummary): CapsuleLine {
  return {
    subject_kind: it.subject_kind,
    subject_id: it.subject_id,
    label: it.thread_descriptor?.label ?? null,
    lifecycle: it.thread_descriptor?.lifecycle ?? null,
    state: it.artifact_state,
    phase: it.phase,
    health: it.health_status,
    updated_at: it.updated_at,
  };
}

/** The view as names and texts; a section without any is left out. */
function sectionsOf({ orientation, context, stable_preferences }: StartupSummary) {
  const sections: [name: string, texts: readonly string[]][] = [
    ['Top priorities', orientation?.top_priorities ?? []],
    ['Constraints', orientation?.active_constraints ?? []],
    ['Open loops', orientation?.open_loops ?? []],
    ['Decided against', (orientation?.negative_decisions ?? []).map((it) => `${it.decision}: ${it.rationale}`)],
    ['Rationale', (orientation?.rationale_entries ?? []).map((it) => `${it.tag}: ${it.summary}`)],
    ['Session so far', context?.session_trajectory ?? []],
    ['Stance', context ? [context.stance_summary] : []],
    ['Concerns', context?.active_concerns ?? []],
    ['Preferences', (stable_preferences ?? []).map((it) => `${it.tag}: ${it.content}`)],
  ];
  return sections.filter(([, texts]) => texts.length > 0).map(([name, texts]) => ({ name, texts: [...texts] }));
}

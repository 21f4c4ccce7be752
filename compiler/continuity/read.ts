import { startupSummary, type Summarise } from './capsule/startup-summary.ts';
import { trustSignals } from './capsule/trust-signals.ts';
import type { ReadAnswer, ReadRequest } from './schema/reading/read.ts';
import { requireActive, resolve, type Resolved } from './stored/resolve.ts';
import type { Occasion, SubjectFiles } from './stored/subject.ts';

/**
 * `POST /v1/continuity/read`: the capsule of a subject. Without `allow_fallback` a missing one is an error. The startup
 * view adds a summary and changes nothing else; if it cannot be made, the capsule is answered all the same.
 *
 * @throws VadeError `capsule_not_found`, `capsule_damaged`
 */
export function read(
  { allow_fallback, view }: ReadRequest,
  files: SubjectFiles,
  { now }: Pick<Occasion, 'now'>,
  summarise: Summarise = startupSummary,
): ReadAnswer {
  const { capsule, source_state, recovery_warnings } = allow_fallback === true ? resolve(files) : activeOf(files);
  const answer: ReadAnswer = {
    ok: true,
    path: files.path,
    capsule,
    archived: capsule === null && files.archives.size > 0,
    source_state,
    recovery_warnings: [...recovery_warnings],
    trust_signals: capsule && trustSignals(capsule, source_state, now),
    content_kind: 'agent_authored',
  };
  return view === 'startup' ? withSummary(answer, summarise) : answer;
}

function activeOf(files: SubjectFiles): Resolved {
  return { capsule: requireActive(files), source_state: 'active', recovery_warnings: [] };
}

function withSummary(answer: ReadAnswer, summarise: Summarise): ReadAnswer {
  try {
    return { ...answer, startup_summary: summarise(answer) };
  } catch {
    const recovery_warnings = [...answer.recovery_warnings, 'startup_summary_build_failed' as const];
    return { ...answer, recovery_warnings, startup_summary: null };
  }
}

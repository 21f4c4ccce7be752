import type { StartupSummary } from '../schema/startup-summary.ts';

/** A part of a startup view by its name, as people and models read it. */
export interface StartupSection {
  readonly name: string;
  readonly texts: string[];
}

/** The view as names and texts; a section without any is left out. */
export function startupSections({ orientation, context, stable_preferences }: StartupSummary): StartupSection[] {
  const sections: [name: string, texts: readonly string[]][] = [
    ['Top priorities', orientation?.top_priorities ?? []],
    ['Constraints', orientation?.active_constraints ?? []],
    ['Open loops', orientation?.open_loops ?? []],
    ['Decided against', (orientation?.negative_decisions ?? []).map((it) => `${it.decision}: ${it.rationale}`)],
    ['Rationale', (orientation?.rationale_entries ?? []).map((it) => `${it.tag}: ${it.summary} ${it.reasoning}`)],
    ['Session so far', context?.session_trajectory ?? []],
    ['Stance', context ? [context.stance_summary] : []],
    ['Concerns', context?.active_concerns ?? []],
    ['Preferences', (stable_preferences ?? []).map((it) => `${it.tag}: ${it.content}`)],
  ];
  return sections.filter(([, texts]) => texts.length > 0).map(([name, texts]) => ({ name, texts: [...texts] }));
}

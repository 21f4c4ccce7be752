import { isOpen } from '../../../compiler/continuity/capsule/lifecycle-machine.ts';
import { suppressedGraph } from '../../../compiler/continuity/graph/graph-context.ts';
import { tokensOf } from '../../../compiler/continuity/retrieval/tokens.ts';
import { selectorsOf, retrieve } from '../../../compiler/continuity/retrieve.ts';
import type { AgentCapsules, BroughtLine } from '../../../compiler/continuity/schema/agent-capsules.ts';
import { CONTEXT_CAPS } from '../../../compiler/continuity/schema/graph/caps.ts';
import { SELECTORS, TOKENS } from '../../../compiler/continuity/schema/limits.ts';
import type { CapsuleSummary } from '../../../compiler/continuity/schema/list.ts';
import type { Continuity } from '../../continuity/continuity.ts';

type Subject = Pick<BroughtLine, 'subject_kind' | 'subject_id'>;

/**
 * Capsules that a start would bring back within a budget: the most salient open ones, as a retrieval trims them.
 *
 * @param listed the capsules of an owner, the most salient first
 * @throws continuity_unavailable
 */
export async function broughtBack(
  { heldOf }: Pick<Continuity, 'heldOf'>,
  owner: string,
  listed: readonly CapsuleSummary[],
  { now, budget = TOKENS.default }: { readonly now: number; readonly budget: number | undefined },
): Promise<AgentCapsules['brought']> {
  const open = listed.filter((it) => it.artifact_state === 'active' && isOpen(it));
  const asked = open.slice(0, SELECTORS.most).map(({ subject_kind, subject_id }) => ({ subject_kind, subject_id }));
  const request = {
    task: 'start',
    continuity_selectors: asked,
    continuity_max_capsules: SELECTORS.most,
    max_tokens_estimate: budget,
  };
  const subjects = selectorsOf(request);
  const names = subjects.map(({ subject_kind: kind, subject_id: id }) => ({ kind, id }));
  const { files, index } = await heldOf(owner, names);
  const found = files.flatMap((it, at) => subjects.slice(at, at + 1).map((subject) => ({ subject, files: it })));
  // the surroundings of the capsules take no part of the budget
  const around = { graph_context: suppressedGraph(CONTEXT_CAPS) };
  const { bundle } = retrieve(request, found, { now, index, around });
  const { capsules, trimmed, warnings, recovery_warnings } = bundle.continuity_state;
  const trimmedOf = (it: Subject) => trimmed.find((one) => isSame(one, it))?.trimmed_fields ?? [];
  const lines = subjects.map((subject): BroughtLine => {
    const kept = capsules.find((it) => isSame(it as unknown as Subject, subject));
    const source_state = kept?.source_state ?? 'missing';
    return { ...subject, source_state, tokens: kept ? tokensOf(kept) : 0, trimmed_fields: trimmedOf(subject) };
  });
  const tokens = lines.reduce((sum, it) => sum + it.tokens, 0);
  const { least, most } = TOKENS;
  return { budget, least, most, tokens, capsules: lines, warnings: [...warnings, ...recovery_warnings] };
}

function isSame(one: Subject, other: Subject): boolean {
  return one.subject_kind === other.subject_kind && one.subject_id === other.subject_id;
}

import type { TrimStep } from '../../budget/fit-by-steps.ts';
import type { Draft } from '../schema/draft.ts';

/** Level of detail of a capsule's trust signals. */
export type TrustForm = 'full' | 'compact' | 'none';

/** A capsule on its way down the ladder. */
export interface Trimmed {
  readonly capsule: Draft;
  readonly trust: TrustForm;
  readonly hasSalience: boolean;
}

type Step = TrimStep<Trimmed>;

/** Phase 1, "whole optional sections in deterministic order": a fixed rule of the product. */
const SECTIONS = [
  'metadata',
  'canonical_sources',
  'freshness',
  'attention_policy.presence_bias_overrides',
  'continuity.relationship_model.sensitivity_notes',
  'continuity.relationship_model.preferred_style',
  'continuity.retrieval_hints.avoid',
  'continuity.retrieval_hints.load_next',
  'continuity.trailing_notes',
  'continuity.curiosity_queue',
  'continuity.rationale_entries',
  'continuity.negative_decisions',
  'continuity.working_hypotheses',
  'stable_preferences',
];

/** Sections that the specification never names; they go between its phases. */
const UNNAMED = [
  'continuity.related_documents',
  'attention_policy',
  'source.inputs',
  'continuity.session_trajectory',
  'verification_state',
  'capsule_health',
  'thread_descriptor',
];

/** The core lists, in the order in which they go: what to do next stays the longest. */
const CORE = [
  'continuity.active_concerns',
  'continuity.open_loops',
  'continuity.active_constraints',
  'continuity.top_priorities',
];

/** Characters that one step takes from the end of a stance. */
const STANCE_STEP = 40;

/** Names of steps that trim no field of the capsule. */
const PSEUDO = ['salience', 'trust_signals'];

/**
 * The steps that trim a capsule, in order, without those that would remove nothing. The last entry of a core list
 * stays: a capsule without any says nothing, and is left out instead.
 */
export function ladderOf(capsule: Draft): readonly Step[] {
  const drop = (paths: readonly string[]) => paths.filter((it) => isFilled(at(capsule, it))).map(dropStep);
  const pop = (path: string) => entriesOf(at(capsule, path)).map((): Step => popStep(path));
  return [
    ...drop(SECTIONS),
    ...drop(UNNAMED),
    { field: 'salience', trim: (it) => ({ ...it, hasSalience: false }) },
    { field: 'trust_signals', trim: (it) => ({ ...it, trust: 'compact' }) },
    ...pop('continuity.retrieval_hints.must_include'),
    ...drop(['continuity.relationship_model']),
    ...pop('continuity.long_horizon_commitments'),
    ...stanceSteps(capsule),
    ...pop('continuity.drift_signals'),
    { field: 'trust_signals', trim: (it) => ({ ...it, trust: 'none' }) },
    ...CORE.flatMap(pop).slice(0, -1),
  ];
}

/** The names of the fields of a capsule among those of steps. */
export function fieldNames(steps: readonly string[]): string[] {
  return [...new Set(steps)].filter((it) => !PSEUDO.includes(it));
}

function dropStep(field: string): Step {
  return { field, trim: (it) => ({ ...it, capsule: changed(it.capsule, field, () => undefined) }) };
}

function popStep(field: string): Step {
  const shorter = (list: unknown) => entriesOf(list).slice(0, -1);
  return { field, trim: (it) => ({ ...it, capsule: changed(it.capsule, field, shorter) }) };
}

function stanceSteps(capsule: Draft): Step[] {
  const field = 'continuity.stance_summary';
  const stance = at(capsule, field);
  const characters = typeof stance === 'string' ? Array.from(stance) : [];
  const cuts = Array.from({ length: Math.ceil(characters.length / STANCE_STEP) }, (_, count) => count + 1);
  return cuts.map((count) => {
    const text = characters.slice(0, Math.max(0, characters.length - count * STANCE_STEP)).join('');
    return { field, trim: (it) => ({ ...it, capsule: changed(it.capsule, field, () => text) }) };
  });
}

/** An object with one member changed, at a dotted path; undefined removes it. */
function changed(value: Draft, path: string, change: (member: unknown) => unknown): Draft {
  const [key = '', ...rest] = path.split('.');
  const inner = rest.length === 0 ? change(value[key]) : changed(value[key] as Draft, rest.join('.'), change);
  if (inner !== undefined) return { ...value, [key]: inner };
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== key));
}

function at(value: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce((it, key) => (typeof it === 'object' && it !== null ? (it as Draft)[key] : undefined), value);
}

function entriesOf(list: unknown): unknown[] {
  return Array.isArray(list) ? (list as unknown[]) : [];
}

function isFilled(value: unknown): boolean {
  if (value === undefined || value === null) return false;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}

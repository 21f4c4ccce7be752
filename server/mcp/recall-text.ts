import { MAX_HINTS, type RecallResponse } from '../../compiler/schema/api/recall.ts';
import { escapeUnseen } from '../../compiler/schema/diagnostics.ts';
import { namesText, pageText, pointerText, type SkillStart } from '../../compiler/schema/page-text.ts';

/** Units of a list with their descriptions. */
const DESCRIBED = 3;

/** The parts of a request on which the text of its answer depends. */
export interface AnswerContext {
  /** Units that come with every recall, and that this one does not name. */
  readonly always: ReadonlySet<string>;
  /** Whether a unit came by its name. */
  readonly isNamed: boolean;
  /** Whether the agent has the answer before, and so the units that come always. */
  readonly isFollowing: boolean;
  /** How a skill is started that the answer points to. */
  readonly startOf?: ((name: string) => SkillStart) | undefined;
}

/** Characters that are quoted of a hint that was missed. */
const QUOTED = 64;

/** Warnings in words that help a model; another line has the others. */
const TOLD: Partial<Record<RecallResponse['warnings'][number], string>> = {
  low_confidence: 'Nothing fits well: choose by name, or say that nothing fits.',
  files_not_compared: 'Not all files were compared.',
  audit_write_failed: 'This answer may not have been recorded.',
  unversioned: 'These texts are not committed yet.',
};

/**
 * An answer as a model reads it: each text under its name, in a fence that it cannot close; then other names. Only a
 * heading outside of fences is one of ours, and no name, description or path has more than one line.
 */
export function recallText(
  response: Omit<RecallResponse, 'audit_token'>,
  { always, isNamed, isFollowing, startOf }: AnswerContext,
): string {
  const { chunks, warnings, missed_hints: missed, unavailable = [], candidates = [], by_files } = response;
  const fileOf = (name: string) => (by_files?.name === name ? [`for ${by_files.file}`] : []);
  const pages = chunks.map((it) => {
    if (isFollowing && always.has(it.name)) return `${it.name} ${it.version}: as above`;
    if (it.source === 'pointer' && startOf) return pointerText(it, startOf(it.name));
    const until = it.valid_until === null ? [] : [`until ${it.valid_until}`];
    return pageText(it, [...(always.has(it.name) ? ['always'] : []), ...fileOf(it.name), ...until]);
  });
  const quoted = missed.slice(0, MAX_HINTS).map((it) => escapeUnseen(JSON.stringify(it.slice(0, QUOTED))));
  const names = candidates.map(({ name, description }) => {
    return { name, description: [description, ...fileOf(name).map((it) => `(${it})`)].join(' ') };
  });
  return [
    ...(pages.length > 0 ? pages : ['There is no page.']),
    ...warnings.flatMap((it) => (isNamed && it === 'low_confidence' ? [] : (TOLD[it] ?? []))),
    ...(quoted.length > 0 ? [`No page is named ${quoted.join(', ')}.`] : []),
    ...unavailable.map(({ name, outcome }) => `${name}: ${outcome}.`),
    ...namesText('Or by name:', names, DESCRIBED),
  ].join('\n');
}

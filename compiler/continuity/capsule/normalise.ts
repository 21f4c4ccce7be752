import { canonicalJson } from '../../trust/canonical.ts';
import type { Capsule } from '../schema/capsule.ts';
import type { IdentityAnchor, RelatedDocument } from '../schema/entries.ts';
import { TEXT_LISTS } from '../schema/state.ts';

/** A capsule as it is stored, and what was changed for that, such as `strip:continuity.open_loops`. */
export interface Normalised {
  readonly capsule: Capsule;
  readonly normalizations_applied: readonly string[];
}

/** Notes what changed a list. */
type Note = (what: 'strip' | 'drop_empty' | 'dedup', field: string) => void;

/**
 * Strips white space from the entries of lists, drops those that are empty then, and repeated ones: the first of equal
 * texts stays, the last of entries with the same key, because it is the newer word. Doing it twice changes nothing.
 */
export function normalise(capsule: Capsule): Normalised {
  const applied: string[] = [];
  const note: Note = (what, field) => applied.push(`${what}:${field}`);
  const { continuity, thread_descriptor } = capsule;
  const state = { ...continuity };
  for (const name of TEXT_LISTS) state[name] = plain(state[name], `continuity.${name}`, note);
  return {
    capsule: {
      ...capsule,
      canonical_sources: plain(capsule.canonical_sources, 'canonical_sources', note),
      stable_preferences: keyed(capsule.stable_preferences, 'stable_preferences', ['tag', 'content'], 'tag', note),
      continuity: {
        ...state,
        negative_decisions: keyed(
          state.negative_decisions,
          'continuity.negative_decisions',
          ['decision', 'rationale'],
          'decision',
          note,
        ),
        rationale_entries: keyed(
          state.rationale_entries,
          'continuity.rationale_entries',
          ['tag', 'supersedes'],
          'tag',
          note,
        ),
        ...(state.related_documents && {
          related_documents: unique(state.related_documents, 'continuity.related_documents', documentKey, note),
        }),
      },
      ...(thread_descriptor && { thread_descriptor: descriptor(thread_descriptor, note) }),
    },
    normalizations_applied: applied,
  };
}

function descriptor(given: NonNullable<Capsule['thread_descriptor']>, note: Note) {
  return {
    ...given,
    keywords: plain(given.keywords, 'thread_descriptor.keywords', note),
    scope_anchors: plain(given.scope_anchors, 'thread_descriptor.scope_anchors', note),
    identity_anchors: unique(
      stripped(given.identity_anchors, 'thread_descriptor.identity_anchors', ['kind', 'value'], note),
      'thread_descriptor.identity_anchors',
      (it) => canonicalJson([it.kind, it.value]),
      note,
    ),
  };
}

/** The key by which a patch finds an anchor: `kind:value`. Two anchors may have the same key. */
export const anchorKey = ({ kind, value }: IdentityAnchor): string => `${kind}:${value}`;

const documentKey = (document: RelatedDocument): string => canonicalJson(document);

/** A list of texts: the first of equal ones stays. */
function plain(list: string[], field: string, note: Note): string[] {
  const trimmed = list.map((it) => it.trim());
  if (trimmed.some((it, at) => it !== list[at])) note('strip', field);
  const filled = trimmed.filter((it) => it !== '');
  if (filled.length < trimmed.length) note('drop_empty', field);
  const once = [...new Set(filled)];
  if (once.length < filled.length) note('dedup', field);
  return once;
}

/** A list of entries: those members are stripped, and of several with the same key the last one stays. */
function keyed<T extends object>(list: T[], field: string, members: (keyof T)[], key: keyof T, note: Note): T[] {
  return unique(stripped(list, field, members, note), field, (it) => String(it[key]), note);
}

function stripped<T extends object>(list: T[], field: string, members: readonly (keyof T)[], note: Note): T[] {
  const trimmed = list.map((entry) => ({
    ...entry,
    ...Object.fromEntries(
      members.filter((name) => entry[name] !== undefined).map((name) => [name, String(entry[name]).trim()]),
    ),
  }));
  if (trimmed.some((entry, at) => members.some((name) => entry[name] !== list[at]?.[name]))) note('strip', field);
  return trimmed;
}

function unique<T>(list: T[], field: string, keyOf: (entry: T) => string, note: Note): T[] {
  const last = new Map(list.map((entry, at) => [keyOf(entry), at]));
  const once = list.filter((entry, at) => last.get(keyOf(entry)) === at);
  if (once.length < list.length) note('dedup', field);
  return once;
}

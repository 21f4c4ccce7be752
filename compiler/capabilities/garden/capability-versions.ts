import { together, type Attribute } from '../../history/attribution.ts';
import { provenanceOf } from '../../history/unit-versions.ts';
import type { CapabilityFact } from '../../schema/bundle/capability-garden.ts';
import { instant } from '../../schema/primitives.ts';
import type { Change, Commit } from '../../schema/source/sources.ts';
import { normaliseText } from '../../sources/front-matter.ts';
import { canonicalJson, sha256 } from '../../trust/canonical.ts';

/** An atom or a role in the history: its files, and how a version of it is named. */
export interface CapabilitySeries {
  readonly name: string;
  /** Path of the declaration. */
  readonly file: string;
  /** Path of the text; null for a role. */
  readonly textFile: string | null;
  readonly uri: (version: number) => string;
}

interface State {
  readonly declaration: string | null;
  readonly text: string | null;
}

/**
 * Every version of an atom or a role, oldest first. A version counts the steps that change any of its files, so that a
 * new text and a new declaration in one commit are one version; a missing file ends the previous one (DESIGN §6.2).
 *
 * @param read a blob's bytes; undefined if it is too large
 */
export function versionCapability(
  series: CapabilitySeries,
  commits: readonly Commit[],
  read: (blob: string) => Buffer | undefined,
  attribute: Attribute,
): CapabilityFact[] {
  const facts: CapabilityFact[] = [];
  let state: State = { declaration: null, text: null };
  let version = 0;
  let created = 0;
  let open: CapabilityFact | null = null;
  let derivedFrom: CapabilityFact['derived_from'] = null;
  for (const commit of commits) {
    const changes = commit.changes.filter(({ path }) => path === series.file || path === series.textFile);
    const next = changes.reduce((it, change) => changed(it, change, series, read), state);
    if (changes.length === 0 || canonicalJson(next) === canonicalJson(state)) continue;
    state = next;
    version += 1;
    created = Math.max(commit.committed, created + 1);
    if (open) facts.push({ ...open, valid_until: instant(created) });
    open = toFact(series, state, { version, created, derivedFrom }, commit, changes, attribute);
    if (open) derivedFrom = open.digest;
  }
  return open ? [...facts, open] : facts;
}

/** sha256 over the declaration and the text of a version. */
function capabilityDigest(declaration: string, text: string | null): string {
  return sha256(canonicalJson({ declaration, text }));
}

function changed(
  state: State,
  { path, blob }: Change,
  { file }: CapabilitySeries,
  read: (blob: string) => Buffer | undefined,
): State {
  // bytes that are no text still count as a version, by the id of their blob
  const bytes = blob === null ? undefined : read(blob);
  const text = blob === null ? null : ((bytes && normaliseText(bytes)) ?? `\0${blob}`);
  return path === file ? { ...state, declaration: text } : { ...state, text };
}

interface Step {
  readonly version: number;
  readonly created: number;
  readonly derivedFrom: CapabilityFact['derived_from'];
}

function toFact(
  { name, file, textFile, uri }: CapabilitySeries,
  { declaration, text }: State,
  { version, created, derivedFrom }: Step,
  commit: Commit,
  changes: readonly Change[],
  attribute: Attribute,
): CapabilityFact | null {
  if (declaration === null || (textFile !== null && text === null)) return null;
  if (declaration.startsWith('\0') || text?.startsWith('\0')) return null;
  return {
    uri: uri(version),
    name,
    version,
    declaration,
    text,
    digest: capabilityDigest(declaration, text),
    created_at: instant(created),
    valid_until: null,
    ...provenanceOf(commit, together(changes.map((change) => attribute(commit, change)))),
    derived_from: derivedFrom,
    file,
  };
}

import type { FactVersion } from '../schema/bundle/fact.ts';
import { instant } from '../schema/primitives.ts';
import type { Change, Commit } from '../schema/source/sources.ts';
import { Name, RESERVED_NAMES, SHARED, unitUri } from '../schema/uri.ts';
import { gardenOf, unitName } from '../sources/classify-files.ts';
import { normaliseText, splitFrontMatter } from '../sources/front-matter.ts';
import { sha256 } from '../trust/canonical.ts';
import { attributor, plainRegister, type Attribute, type Attribution } from './attribution.ts';

/** One change of a path, and the commit of the step that made it. */
interface PathChange extends Omit<Change, 'path'> {
  readonly commit: Commit;
}

/** Changes of one path, oldest first. */
export type PathHistory = readonly PathChange[];

export interface UnitSeries {
  readonly deployment: string;
  readonly garden: string;
  readonly name: string;
  readonly file: string;
}

/** Source trust of a text without a verified signature or an approval (§21.4.3). */
const UNVERIFIED_TRUST = 0.5;

/** The histories of all present and former units of a garden, by path. */
export type GardenHistory = ReadonlyMap<string, PathHistory>;

/** Sorts a history by garden and by path of unit. */
export function historiesOf(commits: readonly Commit[], folder: string): Map<string, GardenHistory> {
  const gardens = new Map<string, Map<string, PathChange[]>>();
  const known = new Map<string, PathChange[] | null>();
  const open = (path: string) => {
    const garden = gardenOf(folder, path);
    if (garden === null || !isUnitPath(folder, garden, path)) return null;
    const histories = gardens.get(garden) ?? new Map<string, PathChange[]>();
    const history: PathChange[] = [];
    gardens.set(garden, histories.set(path, history));
    return history;
  };
  for (const commit of commits) {
    for (const { path, ...change } of commit.changes) {
      let history = known.get(path);
      if (history === undefined) known.set(path, (history = open(path)));
      history?.push({ commit, ...change });
    }
  }
  return gardens;
}

/** Every blob in the history of a garden's units. */
export function blobsOf(history: GardenHistory | undefined): string[] {
  return [...(history?.values() ?? [])].flatMap((changes) => changes.flatMap((it) => it.blob ?? []));
}

function isUnitPath(folder: string, garden: string, path: string): boolean {
  const depth = path.slice(folder.length + 1).split('/').length;
  if (!path.endsWith('.md') || depth !== (garden === SHARED ? 2 : 3)) return false;
  const name = unitName(path);
  return Name.safeParse(name).success && !RESERVED_NAMES.includes(name);
}

/**
 * Every version of one unit, oldest first (§21.4.2, DESIGN §6.2). A version counts a change of the
 * path's normalised bytes; a deletion counts too and ends the previous version. Old versions are not parsed.
 *
 * @param read a blob's bytes, or undefined if it is too large for a unit
 * @param attribute returns who wrote a change
 * @returns the facts; the last one is open (`valid_until` null) unless the path is deleted
 */
export function versionUnit(
  series: UnitSeries,
  history: PathHistory,
  read: (blob: string) => Buffer | undefined,
  attribute: Attribute = attributor(plainRegister(series.deployment)),
): FactVersion[] {
  const facts: FactVersion[] = [];
  let version = 0;
  let seen: string | null | undefined = null;
  let created = 0;
  let open: FactVersion | null = null;
  let derivedFrom: string | null = null;
  for (const { commit, blob, folder, ...change } of history) {
    const text = blob === null ? null : sourceText(read(blob), blob);
    const state = text === null ? null : sha256(folder === undefined ? text : `${folder}\n${text}`);
    if (state === seen) continue;
    seen = state;
    version += 1;
    created = Math.max(commit.committed, created + 1);
    if (open) facts.push({ ...open, valid_until: instant(created) });
    const step: Step = { version, text: text ?? '', digest: state ?? '', created, derivedFrom };
    open = text === null ? null : toFact(series, step, commit, attribute(commit, change));
    if (open) derivedFrom = open.source_digest;
  }
  return open ? [...facts, open] : facts;
}

/** An id that no git blob has. */
const AHEAD = '';

/**
 * The URI of a text once it is committed: the URI of the current version, if the text is the same.
 */
export function uriOnceCommitted(
  series: UnitSeries,
  history: PathHistory,
  read: (blob: string) => Buffer | undefined,
  text: string,
): string {
  const nobody = { name: '', email: '' };
  const commit = { id: AHEAD, committed: 0, authored: 0, author: nobody, changes: [] };
  const bytes = Buffer.from(text);
  const facts = versionUnit(
    series,
    [...history, { commit, blob: AHEAD }],
    (blob) => (blob === AHEAD ? bytes : read(blob)),
    () => ({ writers: [], authored: 0, vouch: undefined }),
  );
  return facts.at(-1)?.uri ?? unitUri(series.deployment, series.garden, series.name, 1);
}

/** Bytes that were never a valid unit still count as a version, by the id of their blob. */
function sourceText(bytes: Buffer | undefined, blob: string): string {
  return (bytes && normaliseText(bytes)) ?? `\0${blob}`;
}

interface Step {
  readonly version: number;
  readonly text: string;
  /** sha256 of the text. */
  readonly digest: string;
  readonly created: number;
  readonly derivedFrom: string | null;
}

function toFact(
  series: UnitSeries,
  { version, text, digest, created, derivedFrom }: Step,
  commit: Commit,
  attribution: Attribution,
): FactVersion | null {
  if (text.startsWith('\0')) return null;
  const { content } = splitFrontMatter(text);
  return {
    uri: unitUri(series.deployment, series.garden, series.name, version),
    name: series.name,
    version,
    content,
    digest: sha256(content),
    source_digest: digest,
    created_at: instant(created),
    valid_until: null,
    ...provenanceOf(commit, attribution),
    derived_from: derivedFrom,
    file: series.file,
  };
}

/** The authors of a change, and its source trust (§21.4.3). */
export function provenanceOf(commit: Commit, { writers, authored, vouch }: Attribution) {
  const [authored_by = '', ...others] = writers;
  return {
    authored_by,
    ...(others.length > 0 && { coauthored_by: others }),
    authored_at: instant(authored),
    source_trust: vouch?.trust ?? UNVERIFIED_TRUST,
    verified: vouch !== undefined,
    ...(vouch && { signed_by: vouch.key }),
    commit: commit.id,
  };
}

import type { PublishedEntry } from '../schema/api/publication.ts';
import type { ManifestEntry } from '../schema/bundle/manifest.ts';
import { diagnostic, type Diagnostic } from '../schema/diagnostics.ts';
import type { MigrationMode } from '../schema/source/agent.ts';
import type { Unit } from '../schema/source/unit.ts';
import { editFrontMatter, editYaml, type Edit } from '../sources/edit-yaml.ts';
import { parseUnit } from '../sources/unit.ts';
import { canonicalJson } from '../trust/canonical.ts';
import { editsOf, sourceDiagnostic, type CurrentUnit } from './entry-edits.ts';

/** The sources of one agent's manifest. */
export interface CurrentManifest {
  readonly agent: { readonly name: string; readonly file: string; readonly text: string };
  readonly mode: MigrationMode;
  readonly own: readonly CurrentUnit[];
  readonly shared: readonly CurrentUnit[];
  /** Names of the shared units that `agent.yaml` lists. */
  readonly listed: readonly string[];
}

/** The entries of the manifest in force, which the publication replaces, by name; null if there is none. */
export type ShownEntries = ReadonlyMap<string, ManifestEntry> | null;

/** The new texts of changed files by path, or the diagnostics of the entries. */
export interface PlannedEdits {
  readonly files: ReadonlyMap<string, string>;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Plans the edits of the sources after which a manifest has these entries (DESIGN §6.9): front matter of the agent's
 * units, and the listed shared units in `agent.yaml`. A unit that the manifest in force lists, and that has no entry,
 * becomes unlisted; a unit that the manifest does not show stays as it is. The text of a unit is never changed.
 */
export function planEdits(
  current: CurrentManifest,
  entries: readonly PublishedEntry[],
  shown: ShownEntries,
): PlannedEdits {
  const named = new Map(entries.map((it) => [it.name, it]));
  const diagnostics = [...unknownEntries(current, named), ...repeatedEntries(current, entries)];
  const files = new Map<string, string>();
  const change = (file: string, text: string | null) => {
    if (text === null) diagnostics.push(invalidEntry(file, 'vade cannot edit its YAML', 'open a pull request'));
    else files.set(file, text);
  };
  for (const it of current.own) {
    const entry = named.get(it.unit.name);
    diagnostics.push(...(entry ? sourceDiagnostic(entry, it, current.mode) : []));
    const edits = entry ? editsOf(entry, it.unit.delivery, shown?.get(it.unit.name)) : unlist(it.unit, shown);
    if (edits.length > 0 && it.unit.skill) diagnostics.push(invalidEntry(it.unit.file, ...IN_PLACE));
    else if (edits.length > 0) change(it.unit.file, editUnit(it, edits));
  }
  for (const it of current.shared) diagnostics.push(...checkShared(current, it, named, shown));
  const listed = editListed(current, named, shown);
  if (listed) change(current.agent.file, editYaml(current.agent.text, [listed]));
  return { files: diagnostics.length > 0 ? new Map() : files, diagnostics };
}

/** A skill has nothing of a handbook in its file, and its host reads it as it is. */
const IN_PLACE = ['a skill in place would change', 'repeat its entry as it is; edit the file in git'] as const;

/** Entries of unknown units: publishing writes no texts, so it cannot create a unit. */
function unknownEntries(
  { own, shared, agent }: CurrentManifest,
  named: ReadonlyMap<string, PublishedEntry>,
): Diagnostic[] {
  const known = new Set([...own, ...shared].map((it) => it.unit.name));
  return [...named.keys()]
    .filter((name) => !known.has(name))
    .map((name) =>
      invalidEntry(agent.file, `“${name}” is not a unit of ${agent.name}`, 'add its file by a pull request'),
    );
}

/** §21.2.2: names are unique within the manifest. */
function repeatedEntries({ agent }: CurrentManifest, entries: readonly PublishedEntry[]): Diagnostic[] {
  const names = entries.map((it) => it.name);
  return [...new Set(names.filter((name, at) => names.indexOf(name) !== at))].map((name) =>
    invalidEntry(agent.file, `“${name}” has several entries`, 'name each unit once'),
  );
}

function unlist({ name, delivery }: Unit, shown: ShownEntries): Edit[] {
  return delivery.listed && wasShown(name, shown) ? [{ path: ['listed'], value: false }] : [];
}

/** Whether an entry was shown. One that had no room is not left out on purpose: the caller did not see it. */
const wasShown = (name: string, shown: ShownEntries): boolean => shown === null || shown.has(name);

/** The file with the edits; null if anything else would change too, for example through a YAML alias. */
function editUnit({ unit, text }: CurrentUnit, edits: readonly Edit[]): string | null {
  const changed = editFrontMatter(text, edits);
  if (changed === null) return null;
  const file = { path: unit.file, mode: '', blob: '', size: 0 };
  const after = parseUnit(file, Buffer.from(changed), unit.garden).value;
  // the compiler reports an invalid value with its position
  if (after === null) return changed;
  const touched = new Set(edits.map(({ path }) => path[0]));
  const rest = (it: Unit) => Object.entries(it.delivery).filter(([key]) => !touched.has(key));
  return after.content === unit.content && canonicalJson(rest(after)) === canonicalJson(rest(unit)) ? changed : null;
}

/** One agent's manifest does not change how another agent's unit is delivered. */
function checkShared(
  { mode }: CurrentManifest,
  it: CurrentUnit,
  named: ReadonlyMap<string, PublishedEntry>,
  shown: ShownEntries,
): Diagnostic[] {
  const entry = named.get(it.unit.name);
  if (!entry) return [];
  const changed = editsOf(entry, { ...it.unit.delivery, listed: true }, shown?.get(it.unit.name));
  const message = `${it.unit.name} is shared by all agents: ${changed.map(({ path }) => path.join('.')).join(', ')} would change for each`;
  const help = 'remove these from the entry, and change them by a pull request';
  return [
    ...sourceDiagnostic(entry, it, mode === 'file' ? 'stigmem' : mode),
    ...(changed.length > 0 ? [invalidEntry(it.unit.file, message, help)] : []),
  ];
}

/** Edit of `agent.yaml` that lists the shared units with an entry, in their present order; null if none is needed. */
function editListed(
  { shared, listed }: CurrentManifest,
  named: ReadonlyMap<string, PublishedEntry>,
  shown: ShownEntries,
): Edit | null {
  const own = new Set(shared.map((it) => it.unit.name));
  const kept = listed.filter((name) => named.has(name) || !own.has(name) || !wasShown(name, shown));
  const added = [...own].filter((name) => named.has(name) && !listed.includes(name)).sort();
  if (kept.length === listed.length && added.length === 0) return null;
  const value = [...kept, ...added];
  return { path: ['shared'], value: value.length > 0 ? value : null };
}

function invalidEntry(file: string, message: string, help: string): Diagnostic {
  return diagnostic('manifest_entry_invalid', file, message, help);
}

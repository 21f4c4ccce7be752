import type { z } from 'zod';
import type { PublishedEntry } from '../schema/api/publication.ts';
import { diagnostic, type Diagnostic } from '../schema/diagnostics.ts';
import type { MigrationMode } from '../schema/source/agent.ts';
import type { Unit } from '../schema/source/unit.ts';
import { editFrontMatter, editYaml, type Edit } from '../sources/edit-yaml.ts';
import { parseUnit } from '../sources/unit.ts';
import { canonicalJson } from '../trust/canonical.ts';
import { editsOf, sourceDiagnostic, type CurrentUnit } from './entry-edits.ts';

/** What one agent's manifest is made from. */
export interface CurrentManifest {
  readonly agent: { readonly name: string; readonly file: string; readonly text: string };
  readonly mode: z.infer<typeof MigrationMode>;
  readonly own: readonly CurrentUnit[];
  readonly shared: readonly CurrentUnit[];
  /** Names of the shared units that the manifest lists. */
  readonly listed: readonly string[];
}

/** Files that get another text, by path, or every fault in the entries. */
export interface PlannedEdits {
  readonly files: ReadonlyMap<string, string>;
  readonly faults: readonly Diagnostic[];
}

/**
 * What the sources have to say for a manifest to have these entries (DESIGN §6.9): the front matter of the agent's
 * units, and in `agent.yaml` the shared units that are listed. A unit that no entry names is no longer listed; a text
 * an agent reads is never touched.
 */
export function planEdits(standing: CurrentManifest, entries: readonly PublishedEntry[]): PlannedEdits {
  const named = new Map(entries.map((it) => [it.name, it]));
  const faults = [...strangers(standing, named), ...repeated(standing, entries)];
  const files = new Map<string, string>();
  const change = (file: string, text: string | null) => {
    if (text === null) faults.push(entryFault(file, 'its YAML cannot be changed by a program', 'open a pull request'));
    else files.set(file, text);
  };
  for (const it of standing.own) {
    const entry = named.get(it.unit.name);
    faults.push(...(entry ? sourceDiagnostic(entry, it, standing.mode) : []));
    const edits = entry ? editsOf(entry, it.unit.delivery) : unlist(it.unit);
    if (edits.length > 0) change(it.unit.file, retuned(it, edits));
  }
  for (const it of standing.shared) faults.push(...checkShared(standing, it, named.get(it.unit.name)));
  const listed = relisted(standing, named);
  if (listed) change(standing.agent.file, editYaml(standing.agent.text, [listed]));
  return { files: faults.length > 0 ? new Map() : files, faults };
}

/** Entries of units there are not; publishing writes no text, so it makes none. */
function strangers({ own, shared, agent }: CurrentManifest, named: ReadonlyMap<string, PublishedEntry>): Diagnostic[] {
  const known = new Set([...own, ...shared].map((it) => it.unit.name));
  return [...named.keys()]
    .filter((name) => !known.has(name))
    .map((name) => entryFault(agent.file, `“${name}” is no unit of ${agent.name}`, 'add its file by a pull request'));
}

/** §21.2.2: names are unique within the manifest. */
function repeated({ agent }: CurrentManifest, entries: readonly PublishedEntry[]): Diagnostic[] {
  const names = entries.map((it) => it.name);
  return [...new Set(names.filter((name, at) => names.indexOf(name) !== at))].map((name) =>
    entryFault(agent.file, `“${name}” has several entries`, 'name each unit once'),
  );
}

function unlist({ delivery }: Unit): Edit[] {
  return delivery.listed ? [{ path: ['listed'], value: false }] : [];
}

/** The file with the edits; null where anything else would change with it. */
function retuned({ unit, text }: CurrentUnit, edits: readonly Edit[]): string | null {
  const changed = editFrontMatter(text, edits);
  if (changed === null) return null;
  const file = { path: unit.file, mode: '', blob: '', size: 0 };
  const after = parseUnit(file, Buffer.from(changed), unit.garden).value;
  // a value that the compiler will not take is told by the compiler, with its place
  if (after === null) return changed;
  const touched = new Set(edits.map(({ path }) => path[0]));
  const rest = (it: Unit) => Object.entries(it.delivery).filter(([key]) => !touched.has(key));
  return after.content === unit.content && canonicalJson(rest(after)) === canonicalJson(rest(unit)) ? changed : null;
}

/** One agent's manifest does not change how another agent's unit is delivered. */
function checkShared({ mode }: CurrentManifest, it: CurrentUnit, entry: PublishedEntry | undefined): Diagnostic[] {
  if (!entry) return [];
  const changed = editsOf(entry, { ...it.unit.delivery, listed: true });
  const message = `${it.unit.name} is shared by all agents: ${changed.map(({ path }) => path.join('.')).join(', ')} would change for each`;
  const help = 'leave these out of the entry, and change them by a pull request';
  return [
    ...sourceDiagnostic(entry, it, mode === 'file' ? 'stigmem' : mode),
    ...(changed.length > 0 ? [entryFault(it.unit.file, message, help)] : []),
  ];
}

/** `agent.yaml` with the shared units that have an entry, in the order they stand in. */
function relisted({ shared, listed }: CurrentManifest, named: ReadonlyMap<string, PublishedEntry>): Edit | null {
  const own = new Set(shared.map((it) => it.unit.name));
  const kept = listed.filter((name) => named.has(name) || !own.has(name));
  const added = [...own].filter((name) => named.has(name) && !listed.includes(name)).sort();
  if (kept.length === listed.length && added.length === 0) return null;
  const value = [...kept, ...added];
  return { path: ['shared'], value: value.length > 0 ? value : null };
}

function entryFault(file: string, message: string, help: string): Diagnostic {
  return diagnostic('manifest_entry_invalid', file, message, help);
}

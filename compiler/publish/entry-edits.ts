import type { PublishedEntry } from '../schema/api/publication.ts';
import type { ManifestEntry } from '../schema/bundle/manifest.ts';
import { diagnostic, type Diagnostic } from '../schema/diagnostics.ts';
import type { MigrationMode } from '../schema/source/agent.ts';
import type { Delivery, Unit } from '../schema/source/unit.ts';
import { formatUri, parseUri } from '../schema/uri.ts';
import type { Edit } from '../sources/edit-yaml.ts';
import { canonicalJson } from '../trust/canonical.ts';

/** A unit of the current sources, with its normalised text and the URI of its version in force. */
export interface CurrentUnit {
  readonly unit: Unit;
  readonly text: string;
  readonly uri: string;
}

/**
 * The edits of a unit's delivery metadata that an entry requires; none for values that are already set.
 *
 * @param shown its entry in the manifest in force; undefined if that does not list it
 */
export function editsOf(entry: PublishedEntry, now: Delivery, shown: ManifestEntry | undefined): Edit[] {
  const triggers = entry.load_triggers === null ? NO_TRIGGERS : (entry.load_triggers ?? {});
  const list = (path: readonly string[], to: readonly string[] | null | undefined, from: readonly string[]): Edit[] => {
    if (to === undefined || canonicalJson(to ?? []) === canonicalJson(from)) return [];
    return [{ path, value: to === null || to.length === 0 ? null : to }];
  };
  const scalar = <T extends string | number | boolean>(key: string, to: T | null | undefined, from: T | null): Edit[] =>
    to === undefined || to === from ? [] : [{ path: [key], value: to }];
  const { guarantee_load, force_position } = entry;
  const { intents, keywords, task_types } = now.load_triggers;
  return [
    ...describe(entry.description, now.description),
    ...list(['load_triggers', 'intents'], intentsAfter(triggers.intents, intents, shown), intents),
    ...list(['load_triggers', 'keywords'], triggers.keywords, keywords),
    ...list(['load_triggers', 'task_types'], triggers.task_types, task_types),
    ...list(['required_by_task_types'], entry.required_by_task_types, now.required_by_task_types),
    ...(guarantee_load === null && !now.guarantee_load
      ? []
      : scalar('guarantee_load', guarantee_load, now.guarantee_load)),
    ...(force_position === null && now.force_position === 'append'
      ? []
      : scalar('force_position', force_position, now.force_position)),
    ...scalar('path', entry.path, now.path),
    ...scalar('priority', entry.priority, now.priority ?? null),
    ...(now.listed ? [] : [{ path: ['listed'], value: true }]),
  ];
}

const NO_TRIGGERS = { intents: null, keywords: null, task_types: null };

/**
 * The intents of a unit after a publication. A manifest shows few of them (DESIGN §6.5): the caller who changes its
 * entry has not seen the others, so they stay.
 */
function intentsAfter(
  to: readonly string[] | null | undefined,
  from: readonly string[],
  shown: ManifestEntry | undefined,
): readonly string[] | null | undefined {
  if (to === null || to === undefined) return to;
  const seen = shown?.load_triggers?.intents ?? [];
  const kept = from.filter((it) => to.includes(it) || !seen.includes(it));
  return [...kept, ...to.filter((it) => !from.includes(it))];
}

function describe(to: string | undefined, from: string): Edit[] {
  if (to === undefined || to.trim() === from) return [];
  return [{ path: ['description'], value: to }];
}

/** §21.2.2, DESIGN §6.4: checks `fact_uri` and `path` of an entry. */
export function sourceDiagnostic(
  entry: Pick<PublishedEntry, 'name' | 'fact_uri' | 'path'>,
  { unit, uri }: CurrentUnit,
  mode: MigrationMode,
): Diagnostic[] {
  const invalid = (message: string, help: string) => [
    diagnostic('manifest_entry_invalid', unit.file, `${entry.name}: ${message}`, help, unit.at('description')),
  ];
  const fact = entry.fact_uri ?? null;
  const path = entry.path ?? null;
  if (fact === null && path === null) return invalid('neither fact_uri nor path', `give fact_uri: ${uri}`);
  if (fact !== null && path !== null && mode !== 'coexistence')
    return invalid('both fact_uri and path', 'give one of them');
  if (path !== null && mode === 'stigmem') {
    return invalid('path requires mode file or coexistence', `give fact_uri: ${uri}`);
  }
  if (fact === null) return [];
  if (unit.content === '')
    return invalid('the unit has no text of its own, so it has no fact', 'give its path instead');
  const parsed = parseUri(fact);
  if (parsed !== null && formatUri(parsed) === uri) return [];
  return invalid(`${fact} is not the version in force`, `give ${uri}; to change a text, open a pull request`);
}

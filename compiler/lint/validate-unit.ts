import { closest } from 'fastest-levenshtein';
import { diagnostic, type Diagnostic, type RuleId } from '../schema/diagnostics.ts';
import type { Org } from '../schema/source/org.ts';
import type { TreeFile } from '../schema/source/sources.ts';
import type { Unit } from '../schema/source/unit.ts';
import { SHARED } from '../schema/uri.ts';
import type { ConfiguredAgent, ConfiguredPhrases, ConfiguredProbes } from '../sources/config.ts';
import { resolveLink } from '../sources/links.ts';
import { isRepositoryPath } from '../sources/paths.ts';

/** One garden before it has a history, for checks across its units. */
export interface GardenDraft {
  readonly folder: string;
  readonly org: Org;
  /** Null for the shared garden. */
  readonly agent: ConfiguredAgent | null;
  /** The agent's probes; null if it has none. */
  readonly probes: ConfiguredProbes | null;
  /** Those of its units, its own and the shared ones. */
  readonly phrases: { readonly own: ConfiguredPhrases | null; readonly shared: ConfiguredPhrases | null };
  readonly units: readonly Unit[];
  /** Shared units, for an agent's garden. */
  readonly shared: readonly Unit[];
  /** Names of all unit files, including those that did not parse. */
  readonly known: ReadonlySet<string>;
  readonly knownOwn: ReadonlySet<string>;
  readonly knownShared: ReadonlySet<string>;
  /** Legacy files of the tree that units name by `path`. */
  readonly legacy: ReadonlyMap<string, TreeFile>;
}

/** Checks of one unit against its garden. */
export function checkUnit(draft: GardenDraft, unit: Unit): Diagnostic[] {
  const { known } = draft;
  const reasons = new Set(draft.org.wake_reasons);
  const { delivery } = unit;
  const related = delivery.related.flatMap((name, i) =>
    known.has(name) && name !== unit.name
      ? []
      : [
          diagnostic(
            'related_unknown',
            unit.file,
            `related unit “${name}” is not another unit`,
            suggest(name, known),
            unit.at('related', i),
          ),
        ],
  );
  const taskTypes = delivery.required_by_task_types.flatMap((reason, i) =>
    reasons.has(reason)
      ? []
      : [
          diagnostic(
            'task_type_unknown',
            unit.file,
            `“${reason}” is not a wake reason of org.yaml`,
            suggest(reason, reasons),
            unit.at('required_by_task_types', i),
          ),
        ],
  );
  return [...related, ...taskTypes, ...checkLinks(draft, unit), ...checkPath(draft, unit)];
}

function checkLinks(draft: GardenDraft, unit: Unit): Diagnostic[] {
  return unit.links.flatMap((link) => {
    const target = resolveLink(unit, link.target, draft.folder);
    if (target === null) return [];
    const readable = target.garden === unit.garden || target.garden === SHARED;
    const names = target.garden === SHARED ? draft.knownShared : draft.knownOwn;
    if (readable && names.has(target.name)) return [];
    const message = readable ? `“${link.target}” leads to no unit` : `“${link.target}” leads into another garden`;
    return [diagnostic('link_broken', unit.file, message, 'link to a unit of this agent or to a shared one', link.at)];
  });
}

/** DESIGN §6.4: exactly one of fact and path, except in mode coexistence. */
function checkPath(draft: GardenDraft, unit: Unit): Diagnostic[] {
  const { path } = unit.delivery;
  const mode = draft.agent?.config.migration_mode ?? 'stigmem';
  const fault = (rule: RuleId, message: string, help: string) => [
    diagnostic(rule, unit.file, message, help, unit.at('path')),
  ];
  const entry = (message: string, help: string) => fault('manifest_entry_invalid', message, help);
  if (path === null) {
    return unit.content === ''
      ? entry('the unit has neither a body nor a path', 'write the instruction below the front matter')
      : [];
  }
  if (mode === 'stigmem')
    return entry('path requires mode file or coexistence', 'remove path, or set migration_mode in agent.yaml');
  if (mode === 'file' && unit.content !== '')
    return entry(
      'in mode file a unit has a body or a path, not both',
      'remove one, or set migration_mode: coexistence',
    );
  // untrusted input: a unit must not carry another agent's sources into its own garden
  if (!isRepositoryPath(path) || path.startsWith(`${draft.folder}/`)) {
    const message = `“${path}” is not a repository path outside the sources`;
    return fault('path_invalid', message, 'write it relative to the repository, without . or ..');
  }
  const file = draft.legacy.get(path);
  if (file?.mode.startsWith('100')) return [];
  return fault('path_missing', `${path} is not a file of the compiled tree`, 'commit it, or correct the path');
}

/** Unknown names with the nearest known one, because thousands of units may name the same missing unit. */
const nearest = new WeakMap<ReadonlySet<string>, Map<string, string>>();
/** Cached lookups in one set of names, because each compares with all of them. */
const MOST_LOOKUPS = 500;

/** The help for an unknown name. */
export function suggest(name: string, known: ReadonlySet<string>): string {
  if (known.size === 0) return 'there is no such unit yet';
  const found = nearest.get(known) ?? new Map<string, string>();
  nearest.set(known, found);
  if (!found.has(name) && found.size < MOST_LOOKUPS) found.set(name, closest(name, [...known].sort()));
  const best = found.get(name);
  return best === undefined ? `use one of the ${known.size} known names` : `did you mean “${best}”?`;
}

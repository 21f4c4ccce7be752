import { posix } from 'node:path';
import { VadeError } from '../schema/errors.ts';
import type { Unit } from '../schema/source/unit.ts';
import { editFrontMatter } from '../sources/edit-yaml.ts';
import { isRepositoryPath } from '../sources/paths.ts';
import { parseUnit } from '../sources/unit.ts';
import { canonicalJson } from '../trust/canonical.ts';

/** A unit of the working tree, with the text of its file. */
export interface CurrentSource {
  readonly unit: Unit;
  readonly text: string;
}

/** An agent's legacy files and units, to plan the archive from (§21.6.2, stage 5). */
export interface LegacyFiles {
  readonly agent: string;
  /** Folder of the sources, and of the archive, relative to the repository. */
  readonly folder: string;
  readonly archive: string;
  readonly units: readonly CurrentSource[];
  /** Legacy files that its units named before it reached `stigmem`. */
  readonly before: readonly string[];
  /** Legacy files that units of other agents name, with those units' files. */
  readonly inUse: ReadonlyMap<string, string>;
}

/** Why a legacy file is not moved. */
type KeepReason = 'in_use' | 'not_markdown' | 'path_invalid' | 'missing';

/** The files to move and to write. */
export interface Retirement {
  /** Legacy files, with their new paths. */
  readonly moves: readonly { readonly path: string; readonly to: string }[];
  readonly kept: readonly { readonly path: string; readonly reason: KeepReason }[];
  /** Units that lose their `path`, with their new texts. */
  readonly rewritten: ReadonlyMap<string, string>;
}

/**
 * Plans the archive of an agent's legacy files. A file that another agent still uses is not moved, and no unit loses
 * its only text.
 *
 * @throws stage_not_reached for a unit without a text of its own; sources_invalid for YAML that no program can change
 */
export function planRetirement({ agent, folder, archive, units, before, inUse }: LegacyFiles): Retirement {
  const naming = units.filter(({ unit }) => unit.delivery.path !== null);
  const bare = naming.filter(({ unit }) => unit.content === '');
  if (bare.length > 0) {
    const names = bare.map(({ unit }) => unit.name).join(', ');
    throw new VadeError('stage_not_reached', `these units have no text of their own: ${names}; write it first`, {
      agent,
    });
  }
  const named = naming.flatMap(({ unit }) => unit.delivery.path ?? []);
  const paths = [...new Set([...named, ...before])].sort();
  const judged = paths.map((path) => ({ path, reason: reasonToKeep(path, [folder, archive], inUse) }));
  return {
    moves: judged.flatMap(({ path, reason }) => (reason === null ? [{ path, to: posix.join(archive, path) }] : [])),
    kept: judged.flatMap(({ path, reason }) => (reason === null ? [] : [{ path, reason }])),
    rewritten: new Map(naming.map((it) => [it.unit.file, withoutPath(it)])),
  };
}

/** Untrusted input: a path outside the repository, or into the sources or the archive, is refused. */
function reasonToKeep(path: string, closed: readonly string[], inUse: LegacyFiles['inUse']): KeepReason | null {
  if (!isRepositoryPath(path) || closed.some((it) => path === it || path.startsWith(`${it}/`))) return 'path_invalid';
  if (inUse.has(path)) return 'in_use';
  return /\.(?:md|markdown)$/i.test(path) ? null : 'not_markdown';
}

/** The redirect in place of a legacy file: a comment, which is not rendered but visible in the file. */
export function redirectOf(agent: string, folder: string, to: string): string {
  const now = `${folder}/agents/${agent}/`;
  return `<!-- Moved to ${to}. These instructions are units in ${now} now; the agent loads each when it needs it. -->\n`;
}

/** The unit's file without `path`; everything else, comments included, is unchanged. */
function withoutPath({ unit, text }: CurrentSource): string {
  const changed = editFrontMatter(text, [{ path: ['path'], value: null }]);
  const source = { path: unit.file, mode: '', blob: '', size: 0 };
  const after = changed === null ? null : parseUnit(source, Buffer.from(changed), unit.garden).value;
  const same =
    after?.content === unit.content &&
    canonicalJson(after.delivery) === canonicalJson({ ...unit.delivery, path: null });
  if (changed !== null && same) return changed;
  throw new VadeError('sources_invalid', `${unit.file}: vade cannot edit its YAML; remove path by hand`);
}

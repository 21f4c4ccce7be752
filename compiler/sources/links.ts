import { posix } from 'node:path';
import type { Unit } from '../schema/source/unit.ts';
import { parseUri, SHARED } from '../schema/uri.ts';
import { gardenOf, unitName } from './classify-files.ts';

/** The target of a link: a unit by garden and name. */
export interface LinkTarget {
  readonly garden: string;
  readonly name: string;
}

/** Resolves a Markdown link or an `instruction:` URI of a unit's body (DESIGN §6.7); null for any other link. */
export function resolveLink(unit: Unit, target: string, folder: string): LinkTarget | null {
  const uri = parseUri(target);
  if (uri) return { garden: uri.agent ?? SHARED, name: uri.unit };
  const [path = ''] = target.split('#');
  if (!path.endsWith('.md') || /^[a-z][a-z0-9+.-]*:/i.test(path) || path.startsWith('/')) return null;
  const file = posix.join(posix.dirname(unit.file), path);
  const garden = file.startsWith(`${folder}/`) ? gardenOf(folder, file) : null;
  return garden === null ? null : { garden, name: unitName(file) };
}

/** The names of the units of `gardens` that a unit refers to by `related` and by links. */
export function linkedNames(unit: Unit, folder: string): readonly string[] {
  const known = linked.get(unit);
  if (known?.folder === folder) return known.names;
  const names = findLinked(unit, folder);
  linked.set(unit, { folder, names });
  return names;
}

/** Cached, because several rules need the same names, and resolving parses each link. */
const linked = new WeakMap<Unit, { readonly folder: string; readonly names: readonly string[] }>();

function findLinked(unit: Unit, folder: string): string[] {
  const names = unit.links.flatMap((link) => {
    const target = resolveLink(unit, link.target, folder);
    return target && (target.garden === unit.garden || target.garden === SHARED) ? [target.name] : [];
  });
  return [...new Set([...unit.delivery.related, ...names])];
}

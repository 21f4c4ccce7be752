import { atomName, Category, CATEGORIES } from '../schema/capability/atom-name.ts';
import { diagnostic, type Diagnostic } from '../schema/diagnostics.ts';
import type { Commit, TreeFile } from '../schema/source/sources.ts';
import { Name } from '../schema/uri.ts';

/** The files of one atom's folder. */
export interface AtomSite {
  readonly name: string;
  declared: TreeFile | null;
  text: TreeFile | null;
}

/** The files of atoms and roles, by name. */
export interface CapabilitySite {
  readonly atoms: Map<string, AtomSite>;
  readonly roles: Map<string, TreeFile>;
}

/** Sorts in a file of `capabilities/<category>/<slug>/` or `roles/`. */
export function placeCapability(site: CapabilitySite, file: TreeFile, parts: readonly string[]): Diagnostic[] {
  const [top, second = '', third = '', last] = parts;
  if (parts.at(-1) === '.gitkeep' || (parts.length === 2 && second === 'README.md')) return [];
  if (top === 'roles' && parts.length === 2 && second.endsWith('.toml')) return placeRole(site, file, second);
  if (top !== 'capabilities' || parts.length !== 4 || last === undefined) return [stray(file)];
  return placeAtom(site, file, [second, third, last]);
}

function placeRole(site: CapabilitySite, file: TreeFile, fileName: string): Diagnostic[] {
  const name = fileName.slice(0, -'.toml'.length);
  if (!Name.safeParse(name).success) {
    const help = 'name the file with [a-z0-9-] and .toml';
    return [diagnostic('name_invalid', file.path, `“${name}” is not a valid name of a role`, help)];
  }
  site.roles.set(name, file);
  return [];
}

function placeAtom(site: CapabilitySite, file: TreeFile, [category, slug, name]: [string, string, string]) {
  if (!Category.safeParse(category).success || !Name.safeParse(slug).success) {
    const help = `put it into a folder of ${CATEGORIES.join(', ')}, and name its own folder with [a-z0-9-]`;
    return [diagnostic('name_invalid', file.path, `“${category}/${slug}” is not a valid name of an atom`, help)];
  }
  const own = atomName(category, slug);
  const atom = site.atoms.get(own) ?? { name: own, declared: null, text: null };
  if (name === 'capability.toml') atom.declared = file;
  else if (name === 'text.md') atom.text = file;
  else return [stray(file)];
  site.atoms.set(own, atom);
  return [];
}

/** The diagnostic for a file in a place that nothing reads. */
export function stray(file: TreeFile): Diagnostic {
  return diagnostic(
    'file_stray',
    file.path,
    'the compiler does not read files in this place',
    'move or delete it; see instructions/README.md of Vademecum',
  );
}

/** The blobs of atoms and roles. */
export function capabilityBlobs({ atoms, roles }: CapabilitySite): string[] {
  const files = [...atoms.values()].flatMap(({ declared, text }) => [declared, text]);
  return [...files, ...roles.values()].flatMap((file) => file?.blob ?? []);
}

/** Whether the sources have any atom or role. */
export function hasCapabilities({ atoms, roles }: CapabilitySite): boolean {
  return atoms.size > 0 || roles.size > 0;
}

/** Every blob in the history of atoms and roles. */
export function capabilityHistoryBlobs(commits: readonly Commit[], folder: string): string[] {
  const places = [`${folder}/capabilities/`, `${folder}/roles/`];
  const own = commits.flatMap(({ changes }) => changes.filter(({ path }) => places.some((it) => path.startsWith(it))));
  return own.flatMap((it) => it.blob ?? []);
}

import { diagnostic, type Diagnostic, type Position } from '../schema/diagnostics.ts';
import type { TreeFile } from '../schema/source/sources.ts';
import type { AtomSite, CapabilitySite } from '../sources/place-capability.ts';
import { decodeToml } from '../sources/toml.ts';
import { parseText } from '../sources/unit.ts';
import { CapabilityFile, type Atom } from './schema/atom.ts';
import { RoleFile, type Role } from './schema/role.ts';

/** Position of a key in a file. */
export type At = (path: readonly PropertyKey[]) => Position;

/** An atom that could be read, with the places of its keys. */
export interface ReadAtom extends Atom {
  readonly at: At;
}

/** A role that could be read, with the places of its keys. */
export interface ReadRole extends Role {
  readonly at: At;
}

/** Atoms and roles of the sources, by name; those that cannot be read are left out. */
export interface Capabilities {
  readonly atoms: ReadonlyMap<string, ReadAtom>;
  readonly roles: ReadonlyMap<string, ReadRole>;
  /** Names that exist, also of those that cannot be read. */
  readonly known: { readonly atoms: ReadonlySet<string>; readonly roles: ReadonlySet<string> };
}

/** Decodes every atom and role. @param folder of the sources */
export function readCapabilities(
  site: CapabilitySite,
  folder: string,
  read: (file: TreeFile) => Buffer,
): { capabilities: Capabilities; faults: Diagnostic[] } {
  const faults: Diagnostic[] = [];
  const decode = <T>(schema: Parameters<typeof decodeToml<T>>[0], file: TreeFile) => {
    const text = parseText(file.path, read(file));
    faults.push(...text.faults);
    if (text.value === null) return null;
    const { value, faults: found, at } = decodeToml(schema, text.value, file.path);
    faults.push(...found);
    return value === null ? null : { value, at };
  };
  const atoms = new Map<string, ReadAtom>();
  for (const own of sorted(site.atoms)) {
    faults.push(...missingFiles(own, `${folder}/capabilities/${own.name.replace('::', '/')}`));
    const declared = own.declared && decode(CapabilityFile, own.declared);
    const text = own.text && parseText(own.text.path, read(own.text));
    faults.push(...(text?.faults ?? []));
    if (!declared || !own.declared || !own.text || text?.value === null || !text) continue;
    const { value, at } = declared;
    const files = { file: own.declared.path, textFile: own.text.path };
    atoms.set(own.name, { name: own.name, ...files, declared: value, text: text.value, at });
  }
  const roles = new Map<string, ReadRole>();
  for (const [name, file] of [...site.roles].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const decoded = decode(RoleFile, file);
    if (decoded) roles.set(name, { name, file: file.path, declared: decoded.value, at: decoded.at });
  }
  const known = { atoms: new Set(site.atoms.keys()), roles: new Set(site.roles.keys()) };
  return { capabilities: { atoms, roles, known }, faults };
}

function sorted(atoms: ReadonlyMap<string, AtomSite>): AtomSite[] {
  return [...atoms.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function missingFiles({ name, declared, text }: AtomSite, folder: string): Diagnostic[] {
  const missing = [...(declared ? [] : ['capability.toml']), ...(text ? [] : ['text.md'])];
  return missing.map((file) => {
    const message = `atom ${name} has no ${file}`;
    return diagnostic('atom_artefact_missing', `${folder}/${file}`, message, 'write it, or delete the folder');
  });
}

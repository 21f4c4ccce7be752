import { z } from 'zod';
import { Name } from '../uri.ts';

/** Categories of atoms; the first part of an atom's name. */
export const CATEGORIES = ['policy', 'scope', 'quality', 'safety', 'output', 'tools'] as const;

export const Category = z.enum(CATEGORIES);

const SEPARATOR = '::';
const FORM = new RegExp(`^(?:${CATEGORIES.join('|')})${SEPARATOR}[a-z0-9]+(?:-[a-z0-9]+)*$`);

/** The name of an atom: `policy::no-git-ops`. */
export const AtomName = z.string().max(80).regex(FORM, `write it as <category>::<slug>, such as policy::no-git-ops`);

/** The name of a role: `edit-local`. */
export const RoleName = Name;

/** The name of an atom, from the folders in which it lies. */
export function atomName(category: string, slug: string): string {
  return `${category}${SEPARATOR}${slug}`;
}

/** The folders of an atom below `capabilities/`: `policy/no-git-ops`. */
export function atomFolder(name: string): string {
  return name.replace(SEPARATOR, '/');
}

export type Category = z.infer<typeof Category>;

import { foldCase, foldLetters, plainText } from './fold-letters.ts';

/** A name in lower-case ASCII letters and digits, with a hyphen for every other run of characters. */
export function slugOf(text: string): string {
  return foldLetters(foldCase(plainText(text)))
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
}

/**
 * The canonical form of an entity URI or a name, for comparing people: its letters and digits alone. Deployment, kind,
 * case, accents, dots, hyphens and spaces do not distinguish people.
 */
export function canonicalName(text: string): string {
  return slugOf(text.slice(text.lastIndexOf('/') + 1)).replaceAll('-', '');
}

/** The canonical forms of several entity URIs or names. */
export function canonicalNames(texts: Iterable<string>): Set<string> {
  return new Set([...texts].map(canonicalName));
}

/** Pairs of identities with the same canonical name. */
export function confusable(entities: Iterable<string>): readonly (readonly [one: string, other: string])[] {
  const known = new Map<string, string>();
  return [...new Set(entities)].flatMap((entity) => {
    const name = canonicalName(entity);
    const other = known.get(name);
    known.set(name, entity);
    return other === undefined ? [] : [[other, entity] as const];
  });
}

/** A person as git writes them: `Name <address>`. */
export function renderPerson({ name, email }: { readonly name: string; readonly email: string }): string {
  return `${name} <${email}>`;
}

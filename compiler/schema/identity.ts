/** Letters that Unicode does not take apart into a letter of ASCII and a mark. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ı: 'i',
  ł: 'l',
  ŋ: 'n',
  þ: 'th',
  ŧ: 't',
};

/** A name in lower-case ASCII letters and digits, a hyphen for all that lies between them. */
export function slugOf(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[ßæœøđðħıłŋþŧ]/g, (letter) => LETTERS[letter] ?? letter)
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
}

/**
 * The one form in which people are compared, of an entity URI or of a name: its letters and digits alone. Neither
 * deployment nor kind, case, accents, dots, hyphens or spaces make somebody another person.
 */
export function canonicalName(text: string): string {
  return slugOf(text.slice(text.lastIndexOf('/') + 1)).replaceAll('-', '');
}

/** The same of several. */
export function canonicalNames(texts: Iterable<string>): Set<string> {
  return new Set([...texts].map(canonicalName));
}

/** Identities of which two could be taken for each other. */
export function confusable(entities: Iterable<string>): readonly (readonly [one: string, other: string])[] {
  const known = new Map<string, string>();
  return [...new Set(entities)].flatMap((entity) => {
    const name = canonicalName(entity);
    const other = known.get(name);
    known.set(name, entity);
    return other === undefined ? [] : [[other, entity] as const];
  });
}

/** Someone as git writes them, `Name <address>`. */
export function renderPerson({ name, email }: { readonly name: string; readonly email: string }): string {
  return `${name} <${email}>`;
}

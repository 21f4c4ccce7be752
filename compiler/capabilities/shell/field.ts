/**
 * A word of a command after its expansions. Text that is only known at run time stands in it as one of four characters
 * of the private use area; a command that contains such characters itself is only read more strictly.
 */
export type Field = string;

/** Any text, of any number of words. */
export const HOLE = '\uE000';
/** Words that a program takes from its input: `xargs`. */
export const INPUT = '\uE001';
/** Place of a glob: the names on the disk decide what it matches. */
export const STAR = '\uE002';
/** Any text, in one word. */
export const QUOTED_HOLE = '\uE003';

const UNKNOWN = /[\uE000-\uE003]/;

/** Whether the whole text of a field is known. */
export function isKnown(field: Field): boolean {
  return !UNKNOWN.test(field);
}

/** The known start of a field: everything before the first unknown character. */
export function knownStart(field: Field): string {
  return field.slice(0, UNKNOWN.exec(field)?.index ?? field.length);
}

/** The last part of a path; null where an unknown text could be, or hide, the program. */
export function programName(field: Field): string | null {
  const slash = field.lastIndexOf('/');
  const name = field.slice(slash + 1);
  if (isKnown(field)) return name;
  const isSure = slash >= 0 && name !== '' && isKnown(name) && !field.includes(HOLE) && !field.includes(STAR);
  return isSure ? name : null;
}

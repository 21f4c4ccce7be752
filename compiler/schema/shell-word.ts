/** A word that a POSIX shell takes literally. */
export function shellWord(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

/** A word as a person would type it in a POSIX shell: quoted where that is needed. */
export function typedWord(word: string): string {
  return /^[\w./:=@,+-]+$/.test(word) ? word : shellWord(word);
}

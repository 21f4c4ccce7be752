import type { Layout, SubjectName } from '../state/files.ts';

/**
 * Where the active capsule of a subject may be, the best first: at the plain name of its id, and at those with a suffix
 * that other subjects have pushed it to.
 */
export function homesOf(subject: SubjectName, { homeOf }: Layout, count: number): string[] {
  const homes = new Set<string>();
  for (let at = 0; at < count; at++) homes.add(homeOf(subject, (home) => (homes.has(home) ? '\0' : null)));
  return [...homes];
}

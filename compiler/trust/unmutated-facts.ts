import type { Subject } from '../schema/bundle/garden.ts';
import { VadeError } from '../schema/errors.ts';

/**
 * DESIGN §6.2: every fact that was ever published keeps its digest.
 *
 * @param mayMiss whether `later` may lack facts: after a rollback, the bundle in force does not know newer facts
 * @throws fact_mutated
 */
export function assertUnmutated(earlier: readonly Subject[], later: readonly Subject[], mayMiss = false): void {
  const now = new Map(later.map((it) => [it.name, it.digest.sha256]));
  for (const { name, digest } of earlier.filter(isFact)) {
    if (now.get(name) === digest.sha256 || (mayMiss && !now.has(name))) continue;
    throw new VadeError('fact_mutated', `${name} was published with another text`, { fact_uri: name });
  }
}

/** The facts among the subjects of a statement; a manifest depends on the compiler's version and is no fact. */
export function factsOf(subjects: readonly Subject[]): Subject[] {
  return subjects.filter(isFact);
}

function isFact({ name }: Subject): boolean {
  if (name.startsWith('capability:') || name.startsWith('role:')) return true;
  return name.startsWith('instruction:') && !name.includes('/manifest/');
}

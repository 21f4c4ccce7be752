import { createHash } from 'node:crypto';
import type { Subject } from '../../compiler/schema/bundle/garden.ts';
import { VadeError } from '../../compiler/schema/errors.ts';
import { factsOf } from '../../compiler/trust/lineage.ts';

/** Of each fact: the first half of its URI's sha256, then the first half of its text's. */
const HALF = 16;
const ENTRY = 2 * HALF;

/**
 * What the facts of a garden were, in 32 bytes each: it is kept for every garden that was proven, so that a later root
 * is held against it even where the files are gone by then.
 */
export type Lineage = Buffer;

export function lineageOf(subjects: readonly Subject[]): Lineage {
  const facts = factsOf(subjects);
  const lineage = Buffer.allocUnsafeSlow(facts.length * ENTRY);
  facts.forEach(({ name, digest }, i) => {
    lineage.set(halfOf(name), i * ENTRY);
    lineage.set(Buffer.from(digest.sha256, 'hex').subarray(0, HALF), i * ENTRY + HALF);
  });
  return lineage;
}

/**
 * DESIGN §6.2: every fact that was ever published keeps its digest, here too (`assertUnmutated`).
 *
 * @param mayMiss whether later facts may be unknown: a bundle that is returned to does not know what came after it
 * @throws fact_mutated
 */
export function assertFollows(garden: string, earlier: Lineage, later: readonly Subject[], mayMiss: boolean): void {
  const now = lineageOf(later);
  const texts = new Map<string, string>();
  for (let at = 0; at < now.length; at += ENTRY) texts.set(keyAt(now, at), textAt(now, at));
  for (let at = 0; at < earlier.length; at += ENTRY) {
    const text = texts.get(keyAt(earlier, at));
    if (text === textAt(earlier, at) || (mayMiss && text === undefined)) continue;
    throw new VadeError('fact_mutated', `a fact of garden ${garden} was published with another text`, { garden });
  }
}

const halfOf = (name: string) => createHash('sha256').update(name).digest().subarray(0, HALF);
const keyAt = (lineage: Lineage, at: number) => lineage.toString('latin1', at, at + HALF);
const textAt = (lineage: Lineage, at: number) => lineage.toString('latin1', at + HALF, at + ENTRY);

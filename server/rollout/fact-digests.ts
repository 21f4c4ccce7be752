import { createHash } from 'node:crypto';
import type { Subject } from '../../compiler/schema/bundle/garden.ts';
import { VadeError } from '../../compiler/schema/errors.ts';
import { factsOf } from '../../compiler/trust/unmutated-facts.ts';

/** Per fact: the first half of its URI's sha256, then the first half of its text's. */
const HALF = 16;
const ENTRY = 2 * HALF;

/**
 * The digests of a garden's facts, 32 bytes each. It is kept for every verified garden, so that a later root is
 * compared with it even if the files were removed.
 */
export type FactDigests = Buffer;

export function factDigestsOf(subjects: readonly Subject[]): FactDigests {
  const facts = factsOf(subjects);
  const digests = Buffer.allocUnsafeSlow(facts.length * ENTRY);
  facts.forEach(({ name, digest }, i) => {
    digests.set(halfOf(name), i * ENTRY);
    digests.set(Buffer.from(digest.sha256, 'hex').subarray(0, HALF), i * ENTRY + HALF);
  });
  return digests;
}

/**
 * DESIGN §6.2: a published fact never changes its digest; the server checks it too (`assertUnmutated`).
 *
 * @param mayMiss whether facts may be missing: a bundle that was rolled back to lacks later facts
 * @throws fact_mutated
 */
export function assertFollows(garden: string, previous: FactDigests, next: readonly Subject[], mayMiss: boolean): void {
  const now = factDigestsOf(next);
  const texts = new Map<string, string>();
  for (let at = 0; at < now.length; at += ENTRY) texts.set(keyAt(now, at), textAt(now, at));
  for (let at = 0; at < previous.length; at += ENTRY) {
    const text = texts.get(keyAt(previous, at));
    if (text === textAt(previous, at) || (mayMiss && text === undefined)) continue;
    throw new VadeError('fact_mutated', `a published fact of garden ${garden} has changed its text`, { garden });
  }
}

const halfOf = (name: string) => createHash('sha256').update(name).digest().subarray(0, HALF);
const keyAt = (digests: FactDigests, at: number) => digests.toString('latin1', at, at + HALF);
const textAt = (digests: FactDigests, at: number) => digests.toString('latin1', at + HALF, at + ENTRY);

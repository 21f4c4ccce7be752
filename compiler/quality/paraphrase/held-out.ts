import { createHash } from 'node:crypto';

/** The resources that are divided between the training of the built-in model and the coverage gate. */
export type Resource = 'synset' | 'frame' | 'group';

/** The gate's share, out of 256. */
const GATE_SHARE: Readonly<Record<Resource, number>> = { synset: 102, frame: 128, group: 77 };

/**
 * Whether a resource is reserved for the coverage gate's paraphrases (§21.8.3). Such a resource trains no model and
 * expands no trigger; otherwise the gate would test with its training data.
 *
 * @param id a synset as part of speech and offset (`n00001740`), a frame's text, or a group's ID; frames that differ
 *   only in their slots count as one
 */
export function isHeldOut(resource: Resource, id: string): boolean {
  const known = resource === 'frame' ? id.replace(/\{\w+\}/g, '{}') : id;
  const [first = 0] = createHash('sha256').update(`${resource}\0${known}`).digest();
  return first < GATE_SHARE[resource];
}

import { createHash } from 'node:crypto';

/** What is shared out between the training of the built-in model and the coverage gate. */
export type Resource = 'synset' | 'frame' | 'group';

/** The gate's share, out of 256. */
const GATE_SHARE: Readonly<Record<Resource, number>> = { synset: 102, frame: 128, group: 77 };

/**
 * Whether a resource is kept for the coverage gate's paraphrases (§21.8.3). What is held out trains no
 * model and expands no trigger, or the gate would ask what it has taught.
 *
 * @param id a synset as part of speech and offset (`n00001740`), a frame's text, a group's id; frames that differ
 *   in their slots alone are one
 */
export function isHeldOut(resource: Resource, id: string): boolean {
  const known = resource === 'frame' ? id.replace(/\{\w+\}/g, '{}') : id;
  const [first = 0] = createHash('sha256').update(`${resource}\0${known}`).digest();
  return first < GATE_SHARE[resource];
}

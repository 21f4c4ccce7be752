import type { z } from 'zod';
import type { Capsule } from '../schema/capsule.ts';
import { IdentityAnchor, NegativeDecision, RationaleEntry, StablePreference } from '../schema/entries.ts';
import { CHARACTERS, ITEMS } from '../schema/limits.ts';
import type { PatchTarget } from '../schema/patch.ts';
import { text } from '../schema/text.ts';
import { anchorKey } from './normalise.ts';
import { conflict } from './refusals.ts';

/** One of the lists that a patch changes. */
export interface PatchList {
  /** Most entries. */
  readonly most: number;
  /** The schema of an entry. */
  readonly entry: z.ZodType;
  /** The key by which an entry is found; null if it is a plain text. */
  readonly keyOf: ((entry: never) => string) | null;
  /** @throws VadeError `capsule_conflict` if the capsule has no such list */
  readonly get: (capsule: Capsule) => readonly unknown[];
  readonly set: (capsule: Capsule, list: readonly unknown[]) => Capsule;
}

type Access = Pick<PatchList, 'get' | 'set'>;
type ListName<T> = string & keyof T;

/** The entries that have a key of their own. */
const ENTRIES: Readonly<Partial<Record<PatchTarget, Pick<PatchList, 'entry' | 'keyOf'>>>> = {
  'continuity.negative_decisions': { entry: NegativeDecision, keyOf: (it: NegativeDecision) => it.decision },
  'continuity.rationale_entries': { entry: RationaleEntry, keyOf: (it: RationaleEntry) => it.tag },
  stable_preferences: { entry: StablePreference, keyOf: (it: StablePreference) => it.tag },
  'thread_descriptor.identity_anchors': { entry: IdentityAnchor, keyOf: anchorKey },
};

/** The list of a target: where it is, how long it may be, and what an entry is. */
export function patchList(target: PatchTarget): PatchList {
  const name = target.replace(/^continuity\./, '') as keyof typeof ITEMS;
  const entry = ENTRIES[target] ?? { entry: text(CHARACTERS[name as keyof typeof CHARACTERS], 1), keyOf: null };
  return { most: ITEMS[name], ...entry, ...accessTo(target) };
}

function accessTo(target: PatchTarget): Access {
  const [place = '', name = ''] = target.split('.');
  if (place === 'continuity') return inState(name as ListName<Capsule['continuity']>);
  if (place === 'thread_descriptor') return inDescriptor(name as ListName<Descriptor>, target);
  return {
    get: (capsule) => capsule.stable_preferences,
    set: (capsule, list) => ({ ...capsule, stable_preferences: list as StablePreference[] }),
  };
}

function inState(name: ListName<Capsule['continuity']>): Access {
  return {
    get: (capsule) => capsule.continuity[name] as readonly unknown[],
    set: (capsule, list) => ({ ...capsule, continuity: { ...capsule.continuity, [name]: list } }),
  };
}

type Descriptor = NonNullable<Capsule['thread_descriptor']>;

function inDescriptor(name: ListName<Descriptor>, target: string): Access {
  const descriptorOf = ({ thread_descriptor }: Capsule): Descriptor => {
    if (thread_descriptor) return thread_descriptor;
    throw conflict(`${target}: the capsule has no thread_descriptor`, { target });
  };
  return {
    get: (capsule) => descriptorOf(capsule)[name] as readonly unknown[],
    set: (capsule, list) => ({ ...capsule, thread_descriptor: { ...descriptorOf(capsule), [name]: list } }),
  };
}

import type { Approval } from '../../compiler/schema/source/approval.ts';
import { person, staff, type Person } from './staff.ts';

/** Digests of shapes: those of the program that asks, and those that are locked. */
export const OURS = 'a'.repeat(64);
const THEIRS = 'b'.repeat(64);
/** When a lock ends by itself. */
export const SOON = '2026-05-10T12:00:00Z';

/** Two administrators, and somebody who is none. */
export const [ann, bob, eve] = ['ann', 'bob', 'eve'].map((name) => person(name)) as [Person, Person, Person];
export const { root } = staff([ann, bob]).root;
/** A root under which one administrator alone approves nothing. */
export const strict = { ...root, thresholds: { ...root.thresholds, approval: 2 } };

/** A lock of THEIRS, unsigned. */
export const LOCK: Approval = {
  ...{ deployment: 'acme', garden: 'capabilities', unit: null, kind: 'schema_lock', value: THEIRS, digest: THEIRS },
  ...{ delivery: null, source_digest: null, note: null, expires: SOON },
};

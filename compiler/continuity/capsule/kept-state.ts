import { canonicalJson } from '../../trust/canonical.ts';
import type { Capsule } from '../schema/capsule.ts';
import { unmoved } from './lifecycle-machine.ts';
import { laterOf } from './stale-write.ts';

/**
 * Members that `revalidate` alone writes: an agent could vouch for its own text with them. The kind of a verification
 * is the agent's to set until the first one.
 */
const JUDGED = ['verification_state', 'capsule_health', 'verification_kind'] as const;

/** A capsule as it may be stored, with notes on the members that the agent must not set. */
export interface KeptCapsule {
  readonly capsule: Capsule;
  /** Such as `server_managed:capsule_health`. */
  readonly notes: readonly string[];
}

/**
 * Keeps the state that verbs of the server gave the capsule before (verification, health, lifecycle), whatever an agent
 * writes over it. A capsule that was never judged has neither state nor health.
 *
 * @param before null if there is none
 * @param now milliseconds since 1970
 * @throws VadeError `capsule_invalid` for a first descriptor that is superseded without a successor
 */
export function keepState(given: Capsule, before: Capsule | null, now: number): KeptCapsule {
  const sent = unmoved(given, before);
  const capsule = before?.verification_state ? judgedAs(sent, before, now) : unjudged(sent, before);
  const changed = JUDGED.filter((name) => sent[name] !== undefined && differs(sent[name], capsule[name]));
  return { capsule, notes: changed.map((name) => `server_managed:${name}`) };
}

function judgedAs(sent: Capsule, before: Capsule, now: number): Capsule {
  const verified_at = laterOf(sent.verified_at, before.verified_at, now);
  return { ...without(sent, JUDGED), verified_at, ...only(before, JUDGED) };
}

function unjudged(sent: Capsule, before: Capsule | null): Capsule {
  const members = ['verification_state', 'capsule_health'] as const;
  return { ...without(sent, members), ...(before && only(before, members)) };
}

function without(capsule: Capsule, names: readonly (keyof Capsule)[]): Capsule {
  return membersOf(capsule, (name) => !names.includes(name)) as Capsule;
}

function only(capsule: Capsule, names: readonly (keyof Capsule)[]): Partial<Capsule> {
  return membersOf(capsule, (name) => names.includes(name));
}

function membersOf(capsule: Capsule, isTaken: (name: keyof Capsule) => boolean): Partial<Capsule> {
  return Object.fromEntries(Object.entries(capsule).filter(([name]) => isTaken(name as keyof Capsule)));
}

function differs(one: unknown, other: unknown): boolean {
  return canonicalJson(one) !== canonicalJson(other ?? null);
}

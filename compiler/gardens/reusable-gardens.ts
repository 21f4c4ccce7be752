import type { RootEntry } from '../schema/bundle/bundle.ts';
import type { Signer } from '../trust/dsse.ts';
import type { GardenPlan } from './garden-plan.ts';
import type { Previous } from './previous-bundle.ts';

/** The gardens of the previous bundle, by name, whose digest over all inputs is unchanged. */
export function findReusable(
  previous: Previous | null,
  plans: readonly GardenPlan[],
  signers: readonly Signer[],
): Map<string, RootEntry> {
  const sameKeys = signers.map((it) => it.keyid).join() === previous?.signed_by.join();
  const entries = new Map(previous?.root.predicate.gardens.map((it) => [it.garden, it]));
  const reusable = new Map<string, RootEntry>();
  for (const { name, inputs } of plans) {
    const entry = entries.get(name);
    // a garden that bypassed the coverage gate is evaluated again
    const isDone = sameKeys && entry?.inputs === inputs && entry.recertify_by === null;
    if (isDone && previous.isWhole(name)) reusable.set(name, entry);
  }
  return reusable;
}

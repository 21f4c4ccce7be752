import type { Fact } from '../schema/bundle/fact.ts';
import type { Language } from '../schema/source/language.ts';
import type { TrustRoot } from '../schema/source/trust-root.ts';
import { gardenId } from '../schema/uri.ts';
import { neededUnder, type Claim } from './approval.ts';
import { sha256 } from './canonical.ts';

/**
 * What administrators approve when the coverage gate shall not judge what an agent's handbook says in another language than
 * English: for this agent, in this language. It covers no text, so it lapses with none, and its author may be one of theirs.
 */
export function languageClaim(deployment: string, garden: string, agent_id: string, language: Language): Claim {
  const digest = sha256(gardenId(deployment, agent_id));
  return { deployment, garden, unit: null, kind: 'other_language', value: language, digest, delivery: null };
}

/** How many administrators must approve it: two if any unit is guaranteed, as for a bypass of the gate (§21.8.3 S7). */
export function languageThreshold(facts: readonly Pick<Fact, 'delivery'>[], root: TrustRoot): number {
  return Math.max(neededUnder(root, true), facts.some((it) => it.delivery.guarantee_load) ? 2 : 1);
}

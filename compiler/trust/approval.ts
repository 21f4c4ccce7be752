import type { FactVersion, Fact } from '../schema/bundle/fact.ts';
import { MAX_TASK_TYPES } from '../schema/bundle/manifest.ts';
import { APPROVAL_TYPE, Approval, type ApprovalKind } from '../schema/source/approval.ts';
import type { Language } from '../schema/source/language.ts';
import type { UnitPhrases } from '../schema/source/phrases.ts';
import type { TrustRoot } from '../schema/source/trust-root.ts';
import type { Delivery } from '../schema/source/unit.ts';
import { gardenId } from '../schema/uri.ts';
import { byText, canonicalBytes, canonicalJson, sha256 } from './canonical.ts';
import { checkSignatures, signEnvelope, type Signer } from './dsse.ts';
import { readPayload } from './read-payload.ts';

/** A verified approval, and the administrators who gave it. */
export interface GivenApproval {
  readonly approval: Approval;
  /** Entity URIs, each once: an administrator's two keys are one administrator. */
  readonly by: readonly string[];
  readonly bytes: Buffer;
}

/** A claim that needs approval; an approval must match it exactly. */
export type Claim = Pick<
  Approval,
  'deployment' | 'garden' | 'unit' | 'kind' | 'value' | 'digest' | 'legacy' | 'model' | 'delivery'
>;

/** Why an approval does not cover a claim. */
export type Lapse =
  | 'other_deployment'
  | 'other_garden'
  | 'other_unit'
  | 'other_kind'
  | 'other_value'
  | 'older_text'
  | 'other_model'
  | 'expired';

/** Signs an approval; several administrators may sign it. */
export function signApproval(approval: Approval, signers: readonly Signer[]): Buffer {
  return signEnvelope(APPROVAL_TYPE, canonicalBytes(approval), signers);
}

/**
 * Verifies an approval: at least one administrator of the trust root has signed it.
 *
 * @param now ISO 8601, for the validity of their keys
 * @throws bundle_unverified
 */
export function openApproval(bytes: Buffer, root: TrustRoot, now: string): GivenApproval {
  const { payload, keyids } = checkSignatures(bytes, APPROVAL_TYPE, root, adminKeys(root), now);
  return { approval: readPayload(Approval, payload, 'an approval'), by: ownersOf(root, keyids), bytes };
}

/** The keys of a root's administrators. */
export function adminKeys(root: TrustRoot): string[] {
  return Object.entries(root.keys).flatMap(([keyid, { owner }]) =>
    owner !== undefined && root.admins.includes(owner) ? [keyid] : [],
  );
}

/** The owners of these keys, sorted, each once. */
export function ownersOf(root: TrustRoot, keyids: readonly string[]): string[] {
  return [...new Set(keyids.flatMap((keyid) => root.keys[keyid]?.owner ?? []))].sort(byText);
}

/**
 * Number of administrators who must approve a text.
 *
 * @param proven whether every commit that wrote it is signed with a key that the root names
 */
export function neededUnder({ thresholds }: TrustRoot, proven: boolean): number {
  return proven ? thresholds.approval : Math.max(thresholds.approval, thresholds.unproven_authors ?? 1);
}

/** Why an approval does not cover a claim at `now`; null if it does. */
export function lapseOf({ approval }: GivenApproval, claim: Claim, now: string): Lapse | null {
  if (approval.deployment !== claim.deployment) return 'other_deployment';
  if (approval.garden !== claim.garden) return 'other_garden';
  if (approval.unit !== claim.unit) return 'other_unit';
  if (approval.kind !== claim.kind) return 'other_kind';
  if (approval.value !== claim.value) return 'other_value';
  if (approval.digest !== claim.digest || approval.legacy !== claim.legacy) return 'older_text';
  if (approval.delivery !== claim.delivery) return 'older_text';
  if (approval.model !== claim.model) return 'other_model';
  if (approval.expires !== null && Date.parse(approval.expires) <= Date.parse(now)) return 'expired';
  return null;
}

/** The approvals that a unit's delivery metadata requires (§21.1.5, §21.3.3 S6): their kinds and values. */
export function requiredApprovals(delivery: Delivery): { kind: ApprovalKind; value: string }[] {
  const { guarantee_load, force_position, required_by_task_types } = delivery;
  return [
    ...(guarantee_load ? [{ kind: 'guarantee_load', value: 'true' } as const] : []),
    ...(force_position === 'prepend' ? [{ kind: 'force_position', value: force_position } as const] : []),
    ...(required_by_task_types.length > MAX_TASK_TYPES
      ? [{ kind: 'task_types', value: [...required_by_task_types].sort(byText).join(',') } as const]
      : []),
  ];
}

/**
 * The claims of one fact that need approval. Digests are computed from the served bytes, never copied from metadata. A
 * server may serve the legacy file instead of the text, so the approval covers both: `legacy` for the file, `digest`
 * for the text.
 *
 * @param legacy sha256 of the legacy file that can be served instead of the fact; null if there is none
 */
export function claimsOf(
  deployment: string,
  garden: string,
  { name, content, delivery }: ClaimedFact,
  legacy: string | null,
): Claim[] {
  const required = requiredApprovals(delivery);
  if (required.length === 0) return [];
  const text = { digest: sha256(content), ...(legacy !== null && { legacy }), delivery: deliveryDigest(delivery) };
  return required.map((it) => ({ deployment, garden, unit: name, ...it, ...text }));
}

/**
 * The claim that administrators approve for phrases that find their unit where another is needed: exactly these, for
 * one agent.
 */
export function captureClaim(
  deployment: string,
  garden: string,
  { name, phrases }: Pick<UnitPhrases, 'name' | 'phrases'>,
): Claim {
  const digest = sha256(canonicalJson(phrases));
  return { deployment, garden, unit: name, kind: 'phrase_capture', value: 'phrases', digest, delivery: null };
}

export type ClaimedFact = Pick<FactVersion, 'name' | 'content'> & Pick<Fact, 'delivery'>;

/** sha256 of the canonical delivery metadata. */
export function deliveryDigest(delivery: Delivery): string {
  return sha256(canonicalJson(delivery));
}

/**
 * sha256 of the inputs of a manifest: every unit in force, its own and shared, by name and source digest.
 */
export function manifestInputDigest(
  units: readonly { readonly name: string; readonly source_digest: string }[],
): string {
  const pairs = units.map(({ name, source_digest }) => [name, source_digest]);
  return sha256(canonicalJson(pairs.sort(([a = '', x = ''], [b = '', y = '']) => byText(a, b) || byText(x, y))));
}

/**
 * The claim that administrators approve so that the coverage gate does not judge the texts of an agent's handbook in
 * another language than English: for this agent, in this language. It covers no text, so no change of a text makes it
 * lapse, and an author of the handbook may approve it.
 */
export function languageClaim(deployment: string, garden: string, agent_id: string, language: Language): Claim {
  const digest = sha256(gardenId(deployment, agent_id));
  return { deployment, garden, unit: null, kind: 'other_language', value: language, digest, delivery: null };
}

/** Number of administrators it needs: two if any unit is guaranteed, as for a bypass of the gate (§21.8.3 S7). */
export function languageThreshold(facts: readonly Pick<Fact, 'delivery'>[], root: TrustRoot): number {
  return Math.max(neededUnder(root, true), facts.some((it) => it.delivery.guarantee_load) ? 2 : 1);
}

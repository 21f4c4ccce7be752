import {
  EVIDENCE_PREDICATE,
  EVIDENCE_SUBJECTS,
  EVIDENCE_TYPE,
  EvidenceStatement,
  type AuditHead,
  type Evidence,
} from '../schema/bundle/evidence.ts';
import { STATEMENT_TYPE } from '../schema/bundle/garden.ts';
import type { TrustRoot } from '../schema/source/trust-root.ts';
import { adminKeys, ownersOf } from './approval.ts';
import { byText, canonicalBytes, canonicalJson, sha256 } from './canonical.ts';
import { checkSignatures, signEnvelope, type Signer } from './dsse.ts';
import { readPayload } from './read-payload.ts';

/** Verified evidence, and the administrators who signed it. */
export interface GivenEvidence {
  readonly evidence: Evidence;
  /** sha256 over the agent's units at the time of the evidence. */
  readonly units: string;
  /** Entity URIs, each once. */
  readonly by: readonly string[];
}

/** The inputs of the evidence, besides the audit. */
export interface EvidenceInputs {
  /** The manifest that was served, with the sha256 of its bytes. */
  readonly manifest: { readonly uri: string; readonly digest: string };
  /** sha256 over the agent's own units: `unitsDigest`. */
  readonly units: string;
}

/** The statement that an administrator signs; the same evidence gives the same bytes. */
export function evidencePayload(evidence: Evidence, { manifest, units }: EvidenceInputs): Buffer {
  const subject = (name: string, digest: string) => ({ name, digest: { sha256: digest } });
  const statement: EvidenceStatement = {
    _type: STATEMENT_TYPE,
    subject: [
      subject(EVIDENCE_SUBJECTS.audit, headsDigest(evidence.audit_heads)),
      subject(manifest.uri, manifest.digest),
      subject(EVIDENCE_SUBJECTS.units, units),
    ],
    predicateType: EVIDENCE_PREDICATE,
    predicate: evidence,
  };
  return canonicalBytes(EvidenceStatement.parse(statement));
}

/** Signs evidence; several administrators may sign it. */
export function signEvidence(payload: Buffer, signers: readonly Signer[]): Buffer {
  return signEnvelope(EVIDENCE_TYPE, payload, signers);
}

/**
 * Verifies evidence: at least one administrator of the trust root has signed it; under a development root its bundle
 * key is enough.
 *
 * @param now ISO 8601, for the validity of their keys; null to ignore expiry
 * @throws bundle_unverified
 */
export function openEvidence(bytes: Buffer, root: TrustRoot, now: string | null): GivenEvidence {
  const allowed = [...adminKeys(root), ...(root.development ? root.roles.bundle.keyids : [])];
  const { payload, keyids } = checkSignatures(bytes, EVIDENCE_TYPE, root, allowed, now);
  const { subject, predicate } = readPayload(EvidenceStatement, payload, 'evidence of a migration');
  const units = subject.find(({ name }) => name === EVIDENCE_SUBJECTS.units)?.digest.sha256 ?? '';
  return { evidence: predicate, units, by: ownersOf(root, keyids) };
}

/** sha256 over the heads of the audit's hash chains. */
function headsDigest(heads: readonly AuditHead[]): string {
  return sha256(canonicalJson(heads));
}

/**
 * sha256 over an agent's own units in one stage.
 *
 * @param texts the digest of each unit's own text, by name; null if the evidence does not cover texts
 */
export function unitsDigest(texts: ReadonlyMap<string, string | null>): string {
  return sha256(canonicalJson([...texts].sort(([a], [b]) => byText(a, b))));
}

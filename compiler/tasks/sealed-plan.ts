import { createPublicKey, type KeyObject } from 'node:crypto';
import { refuse } from '../schema/refusals.ts';
import { canonicalBytes, canonicalJson } from '../trust/canonical.ts';
import { signEnvelope, validKeys, type Signer } from '../trust/dsse.ts';
import { LedgerRow, ROW_TYPE, type LedgerEntry } from './schema/ledger-row.ts';
import { Plan, PLAN_TYPE } from './schema/plan.ts';

/** The orchestrator's public key. */
export interface OrchestratorKey {
  readonly keyid: string;
  readonly pem: string;
}

/** Seals a plan with the orchestrator's key. */
export function sealPlan(plan: Plan, orchestrator: Signer): Buffer {
  return signEnvelope(PLAN_TYPE, canonicalBytes(Plan.parse(plan)), [orchestrator]);
}

/** Reads a plan that the orchestrator sealed. @throws bundle_unverified */
export function openPlan(bytes: Buffer, orchestrator: OrchestratorKey): Plan {
  const payload = opened(bytes, PLAN_TYPE, orchestrator);
  const plan = Plan.safeParse(JSON.parse(payload.toString('utf8')));
  if (!plan.success) throw refuse('format_unknown', 'the plan has another format');
  return plan.data;
}

/** Whether the orchestrator sealed exactly this row. Who got at the ledger's file could have written any row. */
export function isSealed({ row, seal }: LedgerEntry, orchestrator: OrchestratorKey): boolean {
  if (seal === null) return false;
  try {
    const sealed = LedgerRow.parse(JSON.parse(opened(seal, ROW_TYPE, orchestrator).toString('utf8')));
    return canonicalJson(sealed) === canonicalJson(row);
  } catch {
    return false;
  }
}

function opened(bytes: Buffer, type: string, { keyid, pem }: OrchestratorKey): Buffer {
  const { payload, keyids } = validKeys(bytes, type, new Map<string, KeyObject>([[keyid, createPublicKey(pem)]]));
  if (keyids.length === 0) throw refuse('signatures_missing', 'the orchestrator’s key has not signed it');
  return payload;
}

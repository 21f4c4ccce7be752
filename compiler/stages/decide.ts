import { APPROVAL_TYPE } from '../model/approval.ts';
import { VadeError } from '../model/errors.ts';
import { EVIDENCE_TYPE } from '../model/evidence.ts';
import { fault, type Fault } from '../model/fault.ts';
import { refuse } from '../model/refusal.ts';
import type { TreeFile } from '../model/sources.ts';
import type { TrustRoot } from '../model/trustroot.ts';
import { WITHDRAWAL_TYPE } from '../model/withdrawal.ts';
import { neededUnder, openApproval, type GivenApproval } from '../trust/approval.ts';
import { openEvidence, type GivenEvidence } from '../trust/evidence.ts';
import { openOrder, withdrawnKey } from '../trust/withdrawal.ts';
import { vouchingRoots, type Trust } from './establish.ts';

/** An approval, and the file it stands in. */
export interface FiledApproval extends GivenApproval {
  readonly file: string;
  readonly blob: string;
}

/** Evidence of a migration, and the file it stands in; who signed it is for the move that it is held against. */
export interface FiledEvidence extends Pick<GivenEvidence, 'evidence'> {
  readonly file: string;
  readonly bytes: Buffer;
}

/** What administrators decided, as the sources hold it. */
export interface Decisions {
  readonly approvals: readonly FiledApproval[];
  readonly evidence: readonly FiledEvidence[];
  /** Facts taken out, as `uri digest`. */
  readonly withdrawn: ReadonlySet<string>;
  /** How many administrators an approval takes. */
  readonly threshold: number;
  /** How many it takes where nobody signed what is approved. */
  readonly unproven: number;
  /** The instant that approvals and keys are judged at: that of the compiled commit. */
  readonly at: string;
}

/**
 * Opens every file of `approvals/`. An administrator has to be one both before the compiled commit and after it: what
 * a commit changes about trust does not count for itself (DESIGN §7).
 *
 * @param at ISO 8601, of the compiled commit
 */
export function readDecisions(
  files: readonly TreeFile[],
  read: (file: TreeFile) => Buffer,
  trust: Trust & { readonly before: TrustRoot },
  at: string,
): { decisions: Decisions; faults: Fault[] } {
  const { before, current, chain } = trust;
  const approvals: FiledApproval[] = [];
  const evidence: FiledEvidence[] = [];
  const withdrawn = new Set<string>();
  const faults: Fault[] = [];
  const roots = [before, current.root];
  // an order stays in force when the administrator who gave it has left
  const ordering = chain.filter((root) => root.version <= Math.max(before.version, chain[0]?.version ?? 0));
  for (const file of files) {
    const bytes = read(file);
    try {
      const kind = payloadTypeOf(bytes);
      if (kind === WITHDRAWAL_TYPE) {
        const order = openOrder(bytes, ordering);
        assertOwn(order.withdrawal, current.root);
        withdrawn.add(withdrawnKey(order.withdrawal));
      } else if (kind === APPROVAL_TYPE) {
        const given = openUnder(bytes, roots, at);
        assertOwn(given.approval, current.root);
        approvals.push({ ...given, file: file.path, blob: file.blob });
      } else if (kind === EVIDENCE_TYPE) {
        evidence.push({ evidence: openByAny(bytes, vouchingRoots(trust)), file: file.path, bytes });
      } else faults.push(strange(file.path));
    } catch (error) {
      if (!(error instanceof VadeError)) throw error;
      faults.push(invalid(file.path, bytes, error));
    }
  }
  const threshold = Math.max(...roots.map((root) => root.thresholds.approval));
  const unproven = Math.max(...roots.map((root) => neededUnder(root, false)));
  return { decisions: { approvals, evidence, withdrawn, threshold, unproven, at }, faults };
}

/** The approval, by those whom every root names an administrator. */
function openUnder(bytes: Buffer, roots: readonly TrustRoot[], at: string): GivenApproval {
  const opened = roots.map((root) => openApproval(bytes, root, at));
  const [first] = opened;
  if (!first) throw new TypeError('there is no trust root');
  return { ...first, by: first.by.filter((admin) => opened.every((it) => it.by.includes(admin))) };
}

/** Evidence that any root vouches for: of a move long ago, by an administrator who has left. */
function openByAny(bytes: Buffer, roots: readonly TrustRoot[]): GivenEvidence['evidence'] {
  let refusal: unknown = refuse('key_unknown', 'there is no trust root');
  for (const root of [...roots].reverse()) {
    try {
      return openEvidence(bytes, root, null).evidence;
    } catch (error) {
      refusal = error;
    }
  }
  throw refusal as Error;
}

/** One administrator may serve several deployments; what they said of another says nothing here. */
function assertOwn({ deployment }: { readonly deployment: string }, root: TrustRoot): void {
  if (root.development || deployment === root.deployment) return;
  throw refuse('statement_misplaced', `it is of deployment ${deployment}`);
}

function payloadTypeOf(bytes: Buffer): unknown {
  try {
    return (JSON.parse(bytes.toString('utf8')) as { payloadType?: unknown } | null)?.payloadType;
  } catch {
    return undefined;
  }
}

function strange(file: string): Fault {
  return fault(
    'approval_invalid',
    file,
    'neither an approval nor a withdrawal',
    'write it with vade approve or withdraw',
  );
}

function invalid(file: string, bytes: Buffer, error: VadeError): Fault {
  const reason = typeof error.details['reason'] === 'string' ? error.details['reason'] : error.code;
  // what an administrator ordered must not be lost silently; an approval that does not hold is simply none
  const rule = payloadTypeOf(bytes) === WITHDRAWAL_TYPE ? 'withdrawal_invalid' : 'approval_invalid';
  return fault(
    rule,
    file,
    `it does not hold: ${error.message} (${reason})`,
    'have it signed by an administrator of the trust root, or remove it',
  );
}

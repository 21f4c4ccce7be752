import { EVIDENCE_TYPE } from '../../schema/bundle/evidence.ts';
import { WITHDRAWAL_TYPE } from '../../schema/bundle/withdrawal.ts';
import { diagnostic, type Diagnostic } from '../../schema/diagnostics.ts';
import { VadeError } from '../../schema/errors.ts';
import { reasonOf, refuse } from '../../schema/refusals.ts';
import { APPROVAL_TYPE } from '../../schema/source/approval.ts';
import type { Commit, TreeFile } from '../../schema/source/sources.ts';
import type { TrustRoot } from '../../schema/source/trust-root.ts';
import type { BlobStore } from '../../sources/blobs.ts';
import { neededUnder, openApproval, type GivenApproval } from '../../trust/approval.ts';
import { openEvidence, type GivenEvidence } from '../../trust/evidence.ts';
import { withdrawnKey } from '../../trust/withdrawal.ts';
import { occasionsNow, openFiled, payloadTypeOf, traceFilings, type Filings } from './filings.ts';
import { acceptedRoots, type Trust } from './trust-root.ts';

/** An approval and its file. */
export interface FiledConsent extends GivenApproval {
  readonly file: string;
  readonly blob: string;
}

/** Evidence of a migration and its file; its signers are checked when it is used for a move. */
export interface FiledEvidence extends Pick<GivenEvidence, 'evidence'> {
  readonly file: string;
  readonly bytes: Buffer;
}

/** The decisions of administrators in the sources. */
export interface AdministratorDecisions {
  readonly approvals: readonly FiledConsent[];
  readonly evidence: readonly FiledEvidence[];
  /** Withdrawn facts, as `uri digest`. */
  readonly withdrawn: ReadonlySet<string>;
  /** Number of administrators that an approval requires. */
  readonly threshold: number;
  /** Number that it requires if the commits of the approved text are not signed. */
  readonly unproven: number;
  /** The time for checking approvals and keys: that of the compiled commit. */
  readonly at: string;
}

/** The files of `approvals/`, including deleted ones. */
export interface FiledFiles {
  readonly files: readonly TreeFile[];
  readonly filings: Filings;
  readonly read: (file: TreeFile) => Buffer;
  /** A blob's bytes; undefined for one that is too large to be read. */
  readonly blob: (id: string) => Buffer | undefined;
}

/** Follows `approvals/` through the history, and loads every file that it has or had. */
export async function loadFiled(
  files: readonly TreeFile[],
  { commits, folder, chain }: { commits: readonly Commit[]; folder: string; chain: readonly TrustRoot[] },
  { load, read, blob }: Pick<BlobStore, 'load' | 'read' | 'blob'>,
): Promise<FiledFiles> {
  const filings = traceFilings(commits, folder, chain);
  await load([...files.map((file) => file.blob), ...filings.byBlob.keys()]);
  return { files, filings, read, blob };
}

/**
 * Opens every file of `approvals/`. A signer must be an administrator both before the compiled commit and after it: a
 * commit's own changes of trust do not count for it (DESIGN §7). A withdrawal stays in force after its signers have
 * left, and after its file is deleted.
 *
 * @param at ISO 8601, of the compiled commit
 */
export function readDecisions(
  filed: FiledFiles,
  trust: Trust & { readonly before: TrustRoot },
  at: string,
): { administratorDecisions: AdministratorDecisions; faults: Diagnostic[] } {
  const { before, current, isUnknown } = decidingRoots(trust);
  const approvals: FiledConsent[] = [];
  const evidence: FiledEvidence[] = [];
  const withdrawn = withdrawalsInDeletedFiles(filed, current);
  const faults: Diagnostic[] = [];
  const unchecked: string[] = [];
  const roots = [before, current];
  const now = occasionsNow(trust, filed.filings.latest);
  for (const file of filed.files) {
    const bytes = filed.read(file);
    try {
      const kind = payloadTypeOf(bytes);
      if (kind === WITHDRAWAL_TYPE) {
        const { withdrawal } = openFiled(bytes, [...now, ...(filed.filings.byBlob.get(file.blob) ?? [])]);
        assertOwn(withdrawal, current);
        withdrawn.add(withdrawnKey(withdrawal));
      } else if (kind === APPROVAL_TYPE) {
        approvals.push({ ...openUnder(bytes, before, current, at), file: file.path, blob: file.blob });
      } else if (kind === EVIDENCE_TYPE) {
        evidence.push({ evidence: openByAny(bytes, acceptedRoots(trust)), file: file.path, bytes });
      } else faults.push(unknownFile(file.path));
    } catch (error) {
      if (!(error instanceof VadeError)) throw error;
      if (isUnknown && reasonOf(error) === 'key_unknown') unchecked.push(file.path);
      else faults.push(invalid(file.path, bytes, error, trust.current.root.development === true));
    }
  }
  if (unchecked[0] !== undefined) faults.push(notChecked(unchecked[0], unchecked.length));
  const threshold = Math.max(...roots.map((root) => root.thresholds.approval));
  const unproven = Math.max(...roots.map((root) => neededUnder(root, false)));
  return { administratorDecisions: { approvals, evidence, withdrawn, threshold, unproven, at }, faults };
}

/**
 * The roots whose administrators decide: before the compiled commit and after it. A development root has no
 * administrators, so the sources' newest root stands for both; if they have none, nobody is known who could decide.
 */
function decidingRoots({ before, current: { root }, offered = [] }: Trust & { readonly before: TrustRoot }) {
  if (!root.development) return { before, current: root, isUnknown: false };
  const [newest] = [...offered].sort((a, b) => b.version - a.version);
  const deciding = newest ?? root;
  return { before: deciding, current: deciding, isUnknown: newest === undefined };
}

/** Withdrawals in deleted files: deleting the file does not cancel a withdrawal. */
function withdrawalsInDeletedFiles({ files, filings, blob: bytesOf }: FiledFiles, root: TrustRoot): Set<string> {
  const present = new Set(files.map((it) => it.blob));
  const deleted = [...filings.byBlob].filter(([blob]) => !present.has(blob));
  const keys = deleted.flatMap(([blob, occasions]) => {
    const bytes = bytesOf(blob);
    if (!bytes) return [];
    try {
      const { withdrawal } = openFiled(bytes, occasions);
      assertOwn(withdrawal, root);
      return withdrawnKey(withdrawal);
    } catch (error) {
      // it was never a valid order, or is another decision, and its file is deleted
      if (error instanceof VadeError) return [];
      throw error;
    }
  });
  return new Set(keys);
}

/** The approval, by the signers who are administrators in both roots. */
function openUnder(bytes: Buffer, before: TrustRoot, current: TrustRoot, at: string): GivenApproval {
  const given = openApproval(bytes, before, at);
  const { by } = openApproval(bytes, current, at);
  assertOwn(given.approval, current);
  return { ...given, by: given.by.filter((admin) => by.includes(admin)) };
}

/** Evidence that any root accepts: the move may be old, and its signers may have left. */
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

/** An administrator may serve several deployments; decisions for another deployment do not count. */
function assertOwn({ deployment }: { readonly deployment: string }, root: TrustRoot): void {
  if (root.development || deployment === root.deployment) return;
  throw refuse('statement_misplaced', `it is for deployment ${deployment}`);
}

function unknownFile(file: string): Diagnostic {
  return diagnostic(
    'approval_invalid',
    file,
    'neither an approval nor a withdrawal',
    'write it with vade approve or withdraw',
  );
}

function notChecked(file: string, count: number): Diagnostic {
  const message = `${count} ${count === 1 ? 'file' : 'files'} of approvals/ cannot be checked with a development key: the sources have no trust root, so no approval counts and no withdrawal is in force`;
  const help = 'nothing is wrong with them; vade compile --trust <root> checks them';
  return diagnostic('approvals_unchecked', file, message, help);
}

function invalid(file: string, bytes: Buffer, error: VadeError, development: boolean): Diagnostic {
  // an administrator's order must not be lost silently; an invalid approval has simply no effect
  const rule = payloadTypeOf(bytes) === WITHDRAWAL_TYPE ? 'withdrawal_invalid' : 'approval_invalid';
  const help = development
    ? 'vade compile --trust <root> decides: a development compile believes the newest trust root of the sources'
    : 'ask an administrator of the trust root to sign it, or delete it';
  return diagnostic(rule, file, `it is invalid: ${error.message} (${reasonOf(error)})`, help);
}

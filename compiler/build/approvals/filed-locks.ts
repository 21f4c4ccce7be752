import { VadeError } from '../../schema/errors.ts';
import { APPROVAL_TYPE, LOCK_KINDS, type Approval } from '../../schema/source/approval.ts';
import type { GivenApproval } from '../../trust/approval.ts';
import { byText, canonicalBytes, sha256 } from '../../trust/canonical.ts';
import { peekPayload } from '../../trust/dsse.ts';
import { payloadTypeOf, type Filings } from './filings.ts';

/** A lock of shapes, or what ends one, with all signatures that were ever filed for it. */
export interface FiledLock {
  readonly approval: Approval;
  /** sha256 of what was signed. The envelope has another digest with every signature that is added. */
  readonly id: string;
  /** Entity URIs of administrators, each once. */
  readonly by: readonly string[];
  readonly given: readonly GivenApproval[];
  /** Its file, or the one that it had. */
  readonly file: string;
  readonly isPresent: boolean;
  /** ISO 8601, of the commit that first filed it. */
  readonly filed: string;
}

/** The files of `approvals/` and their history. */
interface Filed {
  readonly filings: Filings;
  readonly blob: (id: string) => Buffer | undefined;
}

/** One envelope. */
interface Envelope extends GivenApproval {
  readonly blob: string;
  readonly file: string;
  readonly isPresent: boolean;
}

/**
 * Locks in all files that ever were in `approvals/`: who may commit, but is no administrator, neither ends a lock nor brings
 * one back by deleting a file.
 *
 * @param approvals of present files
 * @param open verifies an envelope; it throws for one that does not count
 * @param now ISO 8601, for files that no commit has
 */
export function filedLocks(
  approvals: readonly (GivenApproval & Pick<Envelope, 'blob' | 'file'>)[],
  filed: Filed,
  open: (bytes: Buffer) => GivenApproval,
  now: string,
): FiledLock[] {
  const present = approvals.filter(({ approval }) => isLock(approval)).map((it) => ({ ...it, isPresent: true }));
  const known = new Set(present.map(({ blob }) => blob));
  const deleted = [...filed.filings.byBlob.keys()].filter((blob) => !known.has(blob));
  const envelopes = [...present, ...deleted.flatMap((blob) => deletedLock(blob, filed, open))];
  const byId = new Map<string, Envelope[]>();
  for (const it of envelopes) {
    const id = sha256(canonicalBytes(it.approval));
    byId.set(id, [...(byId.get(id) ?? []), it]);
  }
  return [...byId].map(([id, all]) => together(id, all, filed, now)).sort((a, b) => byText(a.id, b.id));
}

function isLock({ kind }: Pick<Approval, 'kind'>): boolean {
  return (LOCK_KINDS as readonly string[]).includes(kind);
}

function deletedLock(blob: string, { filings, blob: read }: Filed, open: (bytes: Buffer) => GivenApproval): Envelope[] {
  const bytes = read(blob);
  // only locks outlive their files, so no signature of another approval is checked
  if (bytes === undefined || payloadTypeOf(bytes) !== APPROVAL_TYPE) return [];
  try {
    if (!isLock(JSON.parse(peekPayload(bytes, APPROVAL_TYPE).toString('utf8')) as Approval)) return [];
    const file = filings.byBlob.get(blob)?.at(-1)?.path ?? 'approvals';
    return [{ ...open(bytes), blob, file, isPresent: false }];
  } catch (error) {
    // it never counted, and its file is deleted
    if (error instanceof VadeError || error instanceof SyntaxError || error instanceof TypeError) return [];
    throw error;
  }
}

function together(id: string, all: readonly Envelope[], { filings }: Filed, now: string): FiledLock {
  const [first] = all.toSorted((a, b) => Number(b.isPresent) - Number(a.isPresent) || byText(a.file, b.file));
  if (first === undefined) throw new TypeError('there is no envelope');
  const times = all.flatMap(({ blob }) => filings.byBlob.get(blob)?.map(({ at }) => at) ?? []);
  return {
    approval: first.approval,
    id,
    by: [...new Set(all.flatMap(({ by }) => by))].sort(byText),
    given: all.toSorted((a, b) => byText(a.blob, b.blob)),
    file: first.file,
    isPresent: first.isPresent,
    filed: times.sort(byText)[0] ?? now,
  };
}

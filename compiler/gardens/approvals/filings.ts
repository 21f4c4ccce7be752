import { instant } from '../../schema/primitives.ts';
import { refuse } from '../../schema/refusals.ts';
import type { Commit } from '../../schema/source/sources.ts';
import type { TrustRoot } from '../../schema/source/trust-root.ts';
import { textOfFile } from '../../schema/text-file.ts';
import { openWithdrawal, type OrderedWithdrawal } from '../../trust/withdrawal.ts';
import { acceptedRoots, rootsTouched, type Trust } from './trust-root.ts';

/** A first-parent commit that added a file of `approvals/`, and the trust roots of that time. */
export interface Filing {
  /** The current trust roots before the commit and after it; null if the chain of trust does not prove it. */
  readonly roots: readonly (TrustRoot | null)[];
  /** ISO 8601; never earlier than a previous commit, whatever date the commit has. */
  readonly at: string;
}

/** The history of `approvals/`. */
export interface Filings {
  /** The commits that added each blob, also of deleted files. */
  readonly byBlob: ReadonlyMap<string, readonly Filing[]>;
  /** The latest time of any commit, ISO 8601, so that a back-dated commit cannot revive an expired key. */
  readonly latest: string;
}

/**
 * Follows `approvals/` and `trust/` through the first-parent history. A trust root that was once added stays valid
 * after its file is deleted.
 */
export function traceFilings(commits: readonly Commit[], folder: string, chain: readonly TrustRoot[]): Filings {
  const byBlob = new Map<string, Filing[]>();
  const approvals = `${folder}/approvals/`;
  let version = 0;
  let latest = 0;
  for (const commit of commits) {
    const { committed, changes } = commit;
    latest = Math.max(latest, committed);
    const next = Math.max(version, ...rootsTouched(commit, folder));
    const roots = [version, next].map((it) => rootAt(chain, it));
    for (const { path, blob } of changes) {
      if (blob === null || !path.startsWith(approvals) || !path.endsWith('.json')) continue;
      byBlob.set(blob, [...(byBlob.get(blob) ?? []), { roots, at: instant(latest) }]);
    }
    version = next;
  }
  return { byBlob, latest: instant(latest) };
}

/**
 * The trust roots whose administrators may order withdrawals now: before the compiled commit and after it. A
 * development root has no administrators, so the sources' own roots count instead.
 *
 * @param at ISO 8601
 */
export function occasionsNow(trust: Trust & { readonly before: TrustRoot }, at: string): Filing[] {
  const { before, current } = trust;
  if (!current.root.development) return [{ roots: [before, current.root], at }];
  return acceptedRoots(trust).map((root) => ({ roots: [root], at }));
}

/**
 * Verifies a withdrawal: its signers must be administrators at one of these occasions.
 *
 * @throws bundle_unverified with the reason for the first occasion
 */
export function openFiled(bytes: Buffer, occasions: readonly Filing[]): OrderedWithdrawal {
  let refusal: unknown = null;
  for (const occasion of occasions) {
    try {
      return openUnderAll(bytes, occasion);
    } catch (error) {
      refusal ??= error;
    }
  }
  throw refusal as Error;
}

function openUnderAll(bytes: Buffer, { roots, at }: Filing): OrderedWithdrawal {
  const [order] = roots.map((root) => {
    if (root === null)
      throw refuse('key_unknown', 'the chain from the pinned trust root does not prove the trust root of that time');
    return openWithdrawal(bytes, root, at);
  });
  if (!order) throw new TypeError('there is no trust root');
  return order;
}

/** The payload type of an envelope; undefined for other bytes. */
export function payloadTypeOf(bytes: Buffer): unknown {
  try {
    return (JSON.parse(textOfFile(bytes)) as { payloadType?: unknown }).payloadType;
  } catch {
    return undefined;
  }
}

/** Before the first trust root in the sources, the pinned one was valid. */
function rootAt(chain: readonly TrustRoot[], version: number): TrustRoot | null {
  const found = version === 0 ? chain[0] : chain.find((it) => it.version === version);
  return found ?? null;
}

import { instant } from '../../schema/primitives.ts';
import { refuse } from '../../schema/refusals.ts';
import type { Commit } from '../../schema/source/sources.ts';
import type { TrustRoot } from '../../schema/source/trust-root.ts';
import { openWithdrawal, type OrderedWithdrawal } from '../../trust/withdrawal.ts';
import { rootsBrought, vouchingRoots, type Trust } from './trust-root.ts';

/** A first-parent commit that brought a file of `approvals/`, and who might sign then. */
export interface Filing {
  /** The trust roots in force before the commit and after it; null for one that the chain of trust does not prove. */
  readonly roots: readonly (TrustRoot | null)[];
  /** ISO 8601; never earlier than a commit before it, whatever date a commit bears. */
  readonly at: string;
}

/** What was ever filed in `approvals/`. */
export interface Filings {
  /** When each text was, by blob, whether its file is still there or not. */
  readonly byBlob: ReadonlyMap<string, readonly Filing[]>;
  /** The latest time that any commit bears, ISO 8601: a commit that is dated back makes no key young again. */
  readonly latest: string;
}

/**
 * Follows `approvals/` and `trust/` through the first-parent history. A trust root that was brought once stays in force
 * when its file is deleted.
 */
export function traceFilings(commits: readonly Commit[], folder: string, chain: readonly TrustRoot[]): Filings {
  const byBlob = new Map<string, Filing[]>();
  let version = 0;
  let latest = 0;
  for (const commit of commits) {
    const { committed, changes } = commit;
    latest = Math.max(latest, committed);
    const next = Math.max(version, ...rootsBrought(commit, folder));
    const roots = [version, next].map((it) => rootAt(chain, it));
    for (const { path, blob } of changes) {
      if (blob === null || !isFiled(folder, path)) continue;
      byBlob.set(blob, [...(byBlob.get(blob) ?? []), { roots, at: instant(latest) }]);
    }
    version = next;
  }
  return { byBlob, latest: instant(latest) };
}

/**
 * Whose orders count now: those of administrators before the compiled commit and after it. A development root knows
 * nobody, so that the sources' own roots are heard.
 *
 * @param at ISO 8601
 */
export function occasionsNow(trust: Trust & { readonly before: TrustRoot }, at: string): Filing[] {
  const { before, current } = trust;
  if (!current.root.development) return [{ roots: [before, current.root], at }];
  return vouchingRoots(trust).map((root) => ({ roots: [root], at }));
}

/**
 * A withdrawal that administrators ordered who were in force on any of these occasions.
 *
 * @throws bundle_unverified: why it does not hold on the first of them
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
    if (root === null) throw refuse('key_unknown', 'the trust root of that time does not follow from the pinned one');
    return openWithdrawal(bytes, root, at);
  });
  if (!order) throw new TypeError('there is no trust root');
  return order;
}

/** What an envelope says that it holds; undefined where it is none. */
export function payloadTypeOf(bytes: Buffer): unknown {
  try {
    return (JSON.parse(bytes.toString('utf8')) as { payloadType?: unknown } | null)?.payloadType;
  } catch {
    return undefined;
  }
}

/** Before any root was among the sources, the pinned one was in force. */
function rootAt(chain: readonly TrustRoot[], version: number): TrustRoot | null {
  const found = version === 0 ? chain[0] : chain.find((it) => it.version === version);
  return found ?? null;
}

function isFiled(folder: string, path: string): boolean {
  return path.startsWith(`${folder}/approvals/`) && path.endsWith('.json');
}

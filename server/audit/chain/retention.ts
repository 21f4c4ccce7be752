import { chained, genesis } from '../records/hash-chain.ts';
import type { AuditLedger, ChainHead, SignedPoint } from '../records/store.ts';
import { signPoint, type SignCheckpoint } from './checkpointer.ts';
import { entryProblem } from './verify-entry.ts';

const PAGE = 1000;

/**
 * Signs the heads of chains whose writers were killed before they could sign. A head that does not follow from the last
 * checkpoint is not signed.
 *
 * @param but the running writer, which signs its own chain
 * @returns writers whose head does not verify and was not signed
 */
export async function signTails(
  ledger: AuditLedger,
  but: string,
  sign: SignCheckpoint,
  now: number,
): Promise<string[]> {
  const broken: string[] = [];
  for (const writer of await ledger.writers()) {
    if (writer === but) continue;
    const last = (await ledger.checkpoints(writer)).at(-1) ?? genesis(writer);
    const head = await tailOf(ledger, { writer, n: last.n, hash: last.hash });
    if (head === null) broken.push(writer);
    else if (head.n > last.n) await ledger.checkpoint(signPoint('checkpoint', head, now, sign));
  }
  return broken;
}

async function tailOf(ledger: AuditLedger, start: ChainHead): Promise<ChainHead | null> {
  let head = start;
  for (;;) {
    const page = await ledger.entries(start.writer, head.n, PAGE);
    if (page.length === 0) return head;
    for (const entry of page) {
      const next = chained(head, entry);
      if (entryProblem(entry, next, undefined) !== null) return null;
      head = next;
    }
  }
}

/** A chain whose beginning is old enough to drop. */
export interface Retirable extends ChainHead {
  /** Number of entries to drop. */
  readonly entries: number;
}

/** The droppable part of each chain: whole segments, up to a checkpoint, in which every entry is older. */
export async function retirable(ledger: AuditLedger, olderThan: number): Promise<Retirable[]> {
  const found: Retirable[] = [];
  for (const writer of await ledger.writers()) {
    const retired = (await ledger.retirements(writer)).at(-1)?.n ?? 0;
    let last: SignedPoint | null = null;
    for (const point of await ledger.checkpoints(writer)) {
      if (point.n <= retired) continue;
      const newest = await ledger.newest(writer, last?.n ?? retired, point.n);
      if (newest !== null && newest >= olderThan) break;
      last = point;
    }
    if (last) found.push({ writer, n: last.n, hash: last.hash, entries: last.n - retired });
  }
  return found;
}

/** Drops what `retirable` named, and signs a retirement of each segment. */
export async function retireSegments(
  ledger: AuditLedger,
  upTo: readonly ChainHead[],
  sign: SignCheckpoint,
  now: number,
): Promise<number> {
  const points: SignedPoint[] = [];
  for (const { writer, n } of upTo) {
    const retired = (await ledger.retirements(writer)).at(-1)?.n ?? 0;
    const due = (await ledger.checkpoints(writer)).filter((it) => it.n > retired && it.n <= n);
    points.push(...due.map((it) => signPoint('retirement', it, now, sign)));
  }
  return ledger.retire(points);
}

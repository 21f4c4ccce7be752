import { Checkpoint } from '../../../compiler/schema/audit/checkpoint.ts';
import { chained, genesis, headsIn } from '../records/hash-chain.ts';
import type { AuditLedger, ChainHead, SignedPoint } from '../records/store.ts';
import { entryProblem, type Problem } from './verify-entry.ts';

/** Verifies an envelope and returns its payload. @throws Error if no trusted key signed it */
export type VerifyEnvelope = (envelope: string) => unknown;

/** The first problem and its place. */
export interface VerificationFailure {
  readonly writer: string;
  /** The entry's place in its chain; null for the whole chain. */
  readonly n: number | null;
  readonly problem: Problem;
}

/** Counts of a verification. */
export interface AuditTally {
  writers: number;
  entries: number;
  /** Entries whose intent text and salt were erased or never stored. */
  erased: number;
  checkpoints: number;
  /** Entries dropped by retention. */
  retired: number;
  /** Entries not yet covered by a checkpoint. */
  unsigned: number;
  /** The highest bundle serial of any answer; 0 without answers. */
  serial: number;
}

export interface VerifiedChains {
  readonly tally: AuditTally;
  /** The last entry of every chain, or its last retirement. */
  readonly ends: readonly ChainHead[];
  /** Null if everything verifies. */
  readonly failure: VerificationFailure | null;
}

/** Entries per read. */
const PAGE = 1000;

class ChainError extends Error {
  readonly failure: VerificationFailure;

  constructor(failure: VerificationFailure) {
    super(failure.problem);
    this.failure = failure;
  }
}

/**
 * Verifies every chain from its beginning, or from its last retirement, to its end.
 *
 * @param witnessed chain heads known from outside the store: each has to exist or be retired
 */
export async function verifyLedger(
  ledger: AuditLedger,
  verifyEnvelope: VerifyEnvelope,
  witnessed: readonly ChainHead[] = [],
): Promise<VerifiedChains> {
  const tally: AuditTally = { writers: 0, entries: 0, erased: 0, checkpoints: 0, retired: 0, unsigned: 0, serial: 0 };
  const ends: ChainHead[] = [];
  try {
    const named: ChainHead[] = [];
    for (const writer of await ledger.writers()) {
      const chain = await verifyChain(ledger, writer, verifyEnvelope, tally);
      named.push(...chain.named);
      ends.push(chain.head);
    }
    await verifyNamed(ledger, [...named, ...witnessed]);
    const [twin] = await ledger.duplicates();
    if (twin !== undefined) throw new ChainError({ writer: twin, n: null, problem: 'duplicate' });
    const [stray] = await ledger.strayIntents();
    if (stray !== undefined) throw new ChainError({ writer: stray, n: null, problem: 'intent_stray' });
    return { tally, ends, failure: null };
  } catch (error) {
    if (error instanceof ChainError) return { tally, ends, failure: error.failure };
    throw error;
  }
}

/** @returns the head of this chain, and the heads of other chains that it names */
async function verifyChain(
  ledger: AuditLedger,
  writer: string,
  verifyEnvelope: VerifyEnvelope,
  tally: AuditTally,
): Promise<{ head: ChainHead; named: ChainHead[] }> {
  const checkpoints = verifyPoints(await ledger.checkpoints(writer), 'checkpoint', verifyEnvelope);
  const start = await retiredTo(ledger, writer, checkpoints, verifyEnvelope);
  const due = checkpoints.filter((it) => it.n > start.n);
  const { head, named } = await verifyEntries(ledger, start, new Map(due.map((it) => [it.n, it.hash])), tally);
  const last = checkpoints.at(-1)?.n ?? 0;
  if (last > head.n) throw new ChainError({ writer, n: head.n + 1, problem: 'missing' });
  const entries = await ledger.count(writer);
  if (entries !== head.n - start.n) throw new ChainError({ writer, n: null, problem: 'duplicate' });
  tally.writers += 1;
  tally.checkpoints += checkpoints.length;
  tally.retired += start.n;
  tally.unsigned += head.n - Math.max(last, start.n);
  return { head, named };
}

function verifyPoints(points: readonly SignedPoint[], kind: Checkpoint['kind'], verifyEnvelope: VerifyEnvelope) {
  return points.map((point) => {
    const { writer, n, hash, at, envelope } = point;
    const payload = Checkpoint.safeParse(payloadOf(envelope, verifyEnvelope));
    const statement = payload.data;
    if (!statement) throw new ChainError({ writer, n, problem: `${kind}_unproven` });
    const isSame =
      statement.kind === kind &&
      statement.writer === writer &&
      statement.n === n &&
      statement.hash === hash &&
      statement.at === at;
    if (!isSame) throw new ChainError({ writer, n, problem: `${kind}_differs` });
    return point;
  });
}

function payloadOf(envelope: string, verifyEnvelope: VerifyEnvelope): unknown {
  try {
    return verifyEnvelope(envelope);
  } catch {
    return undefined;
  }
}

/** The head before the first remaining entry; a signed retirement covers what was dropped. */
async function retiredTo(
  ledger: AuditLedger,
  writer: string,
  checkpoints: readonly SignedPoint[],
  verifyEnvelope: VerifyEnvelope,
) {
  const retirements = verifyPoints(await ledger.retirements(writer), 'retirement', verifyEnvelope);
  for (const { n, hash } of retirements) {
    const isCheckpoint = checkpoints.some((it) => it.n === n && it.hash === hash);
    if (!isCheckpoint) throw new ChainError({ writer, n, problem: 'retirement_differs' });
  }
  const last = retirements.at(-1);
  return last ? { writer, n: last.n, hash: last.hash } : genesis(writer);
}

async function verifyEntries(
  ledger: AuditLedger,
  start: ChainHead,
  signed: ReadonlyMap<number, string>,
  tally: AuditTally,
): Promise<{ head: ChainHead; named: ChainHead[] }> {
  const { writer } = start;
  const named: ChainHead[] = [];
  let head = start;
  for (;;) {
    const page = await ledger.entries(writer, head.n, PAGE);
    if (page.length === 0) return { head, named };
    for (const entry of page) {
      const next = chained(head, entry);
      const problem = entryProblem(entry, next, signed.get(next.n));
      if (problem !== null) throw new ChainError({ writer, n: next.n, problem });
      if (entry.type === 'opening') named.push(...headsIn(entry.body));
      tally.entries += 1;
      tally.serial = Math.max(tally.serial, serialOf(entry.bundle_revision));
      if (entry.type === 'recall' && entry.intent === null && entry.body.includes('"intent_digest":')) {
        tally.erased += 1;
      }
      head = next;
    }
  }
}

function serialOf(revision: string | null): number {
  return Number(/^(\d+)-/.exec(revision ?? '')?.[1] ?? 0);
}

/** A chain that another one names has to reach that head, or be retired. */
async function verifyNamed(ledger: AuditLedger, named: readonly ChainHead[]): Promise<void> {
  for (const head of named) {
    const retired = (await ledger.retirements(head.writer)).at(-1)?.n ?? 0;
    if (head.n <= retired || (await ledger.has(head))) continue;
    throw new ChainError({ writer: head.writer, n: head.n, problem: 'missing' });
  }
}

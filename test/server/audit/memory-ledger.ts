import { signPoint } from '../../../server/audit/chain/checkpointer.ts';
import { closingEntry, recallEntry } from '../../../server/audit/records/entry.ts';
import { chained, genesis, openingEntry, unnamedHeads } from '../../../server/audit/records/hash-chain.ts';
import type {
  AuditLedger,
  ChainHead,
  NewEntry,
  SignedPoint,
  StoredEntry,
} from '../../../server/audit/records/store.ts';
import { options, sign } from './harness.ts';
import { closing, record, START } from './records.ts';

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** An audit in memory, without any of the rules that a database has: tests change what they like. */
export interface MemoryAudit {
  readonly entries: Writable<StoredEntry>[];
  readonly checkpoints: Writable<SignedPoint>[];
  readonly retirements: Writable<SignedPoint>[];
  readonly duplicates: string[];
  readonly strayIntents: string[];
  readonly ledger: AuditLedger;
  /** Appends entries to the chain of a writer, with its opening before the first of them. */
  readonly append: (writer: string, ...entries: readonly NewEntry[]) => ChainHead;
  /** Appends the recalls of these numbers. */
  readonly recalls: (writer: string, ...numbers: readonly number[]) => ChainHead;
  /** Signs the head of a chain. */
  readonly sign: (writer: string) => void;
  /** The entry of a writer at a place. */
  readonly at: (writer: string, n: number) => Writable<StoredEntry>;
}

export const recalled = (i: number) => recallEntry(record(i), 'full', '0'.repeat(32));
export const closed = (i: number) => closingEntry(closing(i));

export function memoryAudit(): MemoryAudit {
  const entries: Writable<StoredEntry>[] = [];
  const checkpoints: Writable<SignedPoint>[] = [];
  const retirements: Writable<SignedPoint>[] = [];
  const [duplicates, strayIntents]: [string[], string[]] = [[], []];
  const of = (writer: string) =>
    entries.filter((it) => it.writer === writer).sort((a, b) => a.n - b.n || a.seq - b.seq);
  const headOf = (writer: string): ChainHead => {
    const last = of(writer).at(-1);
    return last ? { writer, n: last.n, hash: last.hash } : genesis(writer);
  };
  const append: MemoryAudit['append'] = (writer, ...more) => {
    let head = headOf(writer);
    const ends = [...new Set(entries.map((it) => it.writer))].map(headOf);
    const openings = entries.filter((it) => it.type === 'opening').map((it) => it.body);
    const opening = head.n > 0 ? [] : [openingEntry(options(writer), unnamedHeads(ends, openings))];
    for (const entry of [...opening, ...more]) {
      head = chained(head, entry);
      entries.push({ ...entry, ...head, seq: entries.length + 1 });
    }
    return head;
  };
  const points = (all: readonly SignedPoint[], writer: string) =>
    Promise.resolve(all.filter((it) => it.writer === writer).sort((a, b) => a.n - b.n));
  const ledger = {
    writers: () =>
      Promise.resolve([...new Set([...entries, ...checkpoints, ...retirements].map((it) => it.writer))].sort()),
    entries: (writer, after, limit) =>
      Promise.resolve(
        of(writer)
          .filter((it) => it.n > after)
          .slice(0, limit),
      ),
    count: (writer) => Promise.resolve(of(writer).length),
    has: ({ writer, n, hash }) => Promise.resolve(of(writer).some((it) => it.n === n && it.hash === hash)),
    newest: (writer, after, n) => {
      const times = of(writer).flatMap((it) => (it.n > after && it.n <= n ? [it.created_at] : []));
      return Promise.resolve(times.length === 0 ? null : Math.max(...times));
    },
    checkpoints: (writer) => points(checkpoints, writer),
    retirements: (writer) => points(retirements, writer),
    duplicates: () => Promise.resolve(duplicates),
    strayIntents: () => Promise.resolve(strayIntents),
    checkpoint: (point) => Promise.resolve(void checkpoints.push(point)),
    retire: (upTo) => {
      const dropped = upTo.flatMap((point) => of(point.writer).filter((it) => it.n <= point.n));
      for (const it of new Set(dropped)) entries.splice(entries.indexOf(it), 1);
      retirements.push(...upTo);
      return Promise.resolve(new Set(dropped).size);
    },
  } satisfies Partial<AuditLedger>;
  return {
    ...{ entries, checkpoints, retirements, duplicates, strayIntents, append },
    ledger: ledger as unknown as AuditLedger,
    recalls: (writer, ...numbers) => append(writer, ...numbers.map(recalled)),
    sign: (writer) => checkpoints.push(signPoint('checkpoint', headOf(writer), START, sign)),
    at: (writer, n) => {
      const found = of(writer).find((it) => it.n === n);
      if (!found) throw new Error(`${writer} has no entry ${n}`);
      return found;
    },
  };
}

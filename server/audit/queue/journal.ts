import { inTurn } from '../../../compiler/schema/in-turn.ts';
import { arrivalEntry, capsuleEntry, closingEntry, recallEntry } from '../records/entry.ts';
import type { AuditLog, Release } from '../records/log.ts';
import type { AuditStore, IntentMode, NewEntry } from '../records/store.ts';
import { Batcher } from './batcher.ts';
import { DirectWriter, WRITE_TIMEOUT_MS } from './direct-writer.ts';
import { SpoolDrain } from './spool-drain.ts';
import { SpoolShipper } from './spool-shipper.ts';
import type { Spool } from './spool.ts';
import { createStoreWriter, type StoreWriter, type StoreWriterOptions } from './store-writer.ts';

export interface JournalOptions extends StoreWriterOptions {
  readonly spool: Spool;
  readonly intents: IntentMode;
  /** Whether rows go to the spool first and to the store afterwards: for a store on the same disk. */
  readonly isSpooledFirst: boolean;
  /** Called if a checkpoint or documents could not be stored; both are retried. */
  readonly onDelay: (what: 'checkpoint' | 'archive', error: Error) => void;
}

/** Time limit of `end`, in milliseconds; unwritten rows stay in the spool for the next start. */
const CLOSE_TIMEOUT_MS = 10_000;

/** If a working store is more rows than this behind, new rows are delayed. */
const BACKLOG = 500;

/** A wait that only its time limit ends. */
const never = () => new Promise<void>(() => undefined);

/**
 * The audit over a store that may fail. A row that the store does not accept within 50 ms waits in the spool; with
 * `isSpooledFirst` every row does. Spooled rows go to the store in order as soon as it works. A row that neither
 * accepts is refused, and counted as lost. ../README.md explains why there are two modes, with figures.
 */
export function openJournal(options: JournalOptions): AuditLog {
  const { store, spool, intents, isSpooledFirst, now } = options;
  const archive = createArchiveQueue(options);
  const writer = createStoreWriter(options, archive.keep);
  const onFailed = () => {
    drain.start();
  };
  const shipper = isSpooledFirst ? new SpoolShipper(spool, writer.write, onFailed) : null;
  const drain = new SpoolDrain(spool, writer.write, writer.onError, () => shipper?.rows ?? 0);
  const reading = countReading(store, () => shipper?.caughtUp());
  const intake = createIntake(spool, writer, drain, shipper);
  drain.start();
  return {
    append: (record) => intake.add(recallEntry(record, intents)),
    note: (call) => intake.add(capsuleEntry(call)),
    close: (closing) => intake.add(closingEntry(closing)),
    // they wait in a file of their own until the store has them, so the spool does not keep them too
    take: (taken) => writer.write(taken.map((it) => arrivalEntry(it, intents))),
    isClosed: (token) => isClosed(token, store, spool, shipper),
    list: async (...args) => {
      await shipper?.caughtUp();
      return store.list(...args);
    },
    ...reading.queries,
    archive: archive.add,
    health: () => ({
      up: writer.watch(),
      ...backlogOf(spool, shipper, now()),
      lost: intake.lost(),
      ...reading.health(),
    }),
    end: async () => {
      const settled = intake.idle().then(() => drain.end());
      await within(CLOSE_TIMEOUT_MS, settled.then(archive.keep).then(writer.end).then(store.end)).catch(writer.onError);
      spool.end();
    },
  };
}

/** Whether an answer was closed. @throws Error while a closing may wait in the spool */
async function isClosed(token: string, store: AuditStore, spool: Spool, shipper: SpoolShipper | null) {
  if (shipper?.has('closing', token) === true || (await store.isClosed(token))) return true;
  if (spool.rows() > (shipper?.rows ?? 0)) throw new Error('closings still wait in the spool');
  return false;
}

/** Chooses the path of each entry: spool first, store first, or behind the entries that wait in the spool. */
function createIntake(spool: Spool, writer: StoreWriter, drain: SpoolDrain, shipper: SpoolShipper | null) {
  let lost = 0;
  const divert = (entry: NewEntry) => {
    writer.watch();
    spool.add([entry]);
    shipper?.forget();
    drain.start();
  };
  const directWriter = new DirectWriter({ write: writer.write, divert, onLost: (entries) => (lost += entries) });
  // once the last spooled rows are being written to a working store, new rows are in order behind them
  const isLastBatchOnItsWay = () => spool.unread() === 0 && writer.isUp();
  const hasNoBacklog = (): boolean => spool.rows() === (shipper?.rows ?? 0);
  const spoolAndShip = (entries: readonly NewEntry[]) => {
    if (!hasNoBacklog()) throw new Error('earlier rows wait for the store');
    shipper?.add(entries);
  };
  const spoolOnly = (entry: NewEntry) => {
    try {
      divert(entry);
    } catch (error) {
      lost += 1;
      throw error;
    }
  };
  const addOne = async (entry: NewEntry) => {
    // later rows wait behind earlier ones, so that the store has them in order
    if (shipper !== null && !hasNoBacklog() && isLastBatchOnItsWay()) await within(WRITE_TIMEOUT_MS, drain.idle());
    if (hasNoBacklog() || (shipper === null && isLastBatchOnItsWay())) await directWriter.add(entry);
    else spoolOnly(entry);
  };
  const batcher = shipper && new Batcher({ takeAll: spoolAndShip, fallback: addOne });
  // without a delay, callers would fill the spool faster than a store empties it, which may have just recovered
  const behind = () => (shipper !== null && hasNoBacklog() ? shipper.shipped() : never());
  const add = async (entry: NewEntry) => {
    await (batcher?.add(entry) ?? addOne(entry));
    if (writer.isUp() && spool.unread() > BACKLOG) await within(WRITE_TIMEOUT_MS, behind());
  };
  const idle = async () => {
    await batcher?.idle();
    await Promise.all([directWriter.idle(), shipper?.caughtUp()]);
  };
  return { add, lost: () => lost, idle };
}

/** Counts aggregations in progress, until the store has really stopped them. */
function countReading(store: AuditStore, caughtUp: () => Promise<void> | undefined) {
  const health = { reading: 0, stopped: 0 };
  const counted = async <T>(work: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> => {
    health.reading += 1;
    try {
      return await work();
    } catch (error) {
      if (signal?.aborted === true) health.stopped += 1;
      throw error;
    } finally {
      health.reading -= 1;
    }
  };
  const days: AuditStore['days'] = async (query, signal) => {
    await caughtUp();
    return counted(() => store.days(query, signal), signal);
  };
  const sums: AuditStore['sums'] = (query, signal) => counted(() => store.sums(query, signal), signal);
  const arrivals: AuditStore['arrivals'] = (query, signal) => counted(() => store.arrivals(query, signal), signal);
  return { queries: { days, sums, arrivals }, health: () => health };
}

function backlogOf(spool: Spool, shipper: SpoolShipper | null, now: number) {
  const since = shipper?.since ?? (spool.rows() > 0 ? spool.since() : null);
  const lag_ms = since === null ? 0 : Math.max(0, now - since);
  return { spooled: spool.rows(), spooled_bytes: spool.bytes(), lag_ms };
}

/** Releases are few: they wait in memory, and are archived in the order in which they were served. */
function createArchiveQueue({ store, onDelay }: JournalOptions) {
  const waiting: Release[] = [];
  const oneAtATime = inTurn();
  const keepWaiting = async () => {
    try {
      for (let first = waiting[0]; first; first = waiting[0]) {
        await store.archive(first);
        waiting.shift();
      }
    } catch (error) {
      onDelay('archive', error as Error);
    }
  };
  const keep = () => oneAtATime(keepWaiting);
  const add = async (release: Release) => {
    waiting.push(release);
    await keep();
  };
  return { add, keep };
}

/** Waits for a promise, with a time limit. */
async function within(ms: number, done: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([done, late]).finally(() => {
    clearTimeout(timer);
  });
}

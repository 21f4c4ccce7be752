import { setTimeout } from 'node:timers/promises';
import { closingEntry, recallEntry } from '../records/entry.ts';
import type { AuditLog, Release } from '../records/log.ts';
import type { AuditStore, IntentMode, NewEntry } from '../records/store.ts';
import { Batcher } from './batcher.ts';
import { DirectWriter, PATIENCE_MS } from './direct-writer.ts';
import { SpoolDrain } from './spool-drain.ts';
import { SpoolShipper } from './spool-shipper.ts';
import type { Spool } from './spool.ts';
import { openWriting, type Writing, type WritingOptions } from './writing.ts';

export interface JournalOptions extends WritingOptions {
  readonly spool: Spool;
  readonly intents: IntentMode;
  /** Whether the spool takes every row first, and the store follows: for a store on the same disk. */
  readonly isSpooledFirst: boolean;
  /** Told of a checkpoint or of documents that were not kept; both are tried again. */
  readonly onDelay: (what: 'checkpoint' | 'archive', error: Error) => void;
}

/** What is still under way after this long at the end, in milliseconds, is left to the spool and the next start. */
const END_MS = 10_000;

/** With more rows than this behind a store that works, new ones are made to wait as long as the store may take. */
const BACKLOG = 500;

/**
 * The audit over a store that may fail: what the store does not take within 50 ms waits in the spool, where all of it
 * waits if that comes first; it goes to the store, in its order, as soon as that is back. Only what neither takes is
 * refused, and counted as lost. Why there are two ways in, with their figures: ../README.md.
 */
export function openJournal(options: JournalOptions): AuditLog {
  const { store, spool, intents, isSpooledFirst, now } = options;
  const archive = openArchive(options);
  const writing = openWriting(options, archive.keep);
  const onFailed = () => {
    drain.start();
  };
  const shipper = isSpooledFirst ? new SpoolShipper(spool, writing.write, onFailed) : null;
  const drain = new SpoolDrain(spool, writing.write, writing.onTrouble, () => shipper?.rows ?? 0);
  const reading = openReading(store, () => shipper?.caughtUp());
  const entrance = openEntrance(spool, writing, drain, shipper);
  drain.start();
  return {
    append: (record) => entrance.add(recallEntry(record, intents)),
    close: (closing) => entrance.add(closingEntry(closing)),
    isClosed: async (token) => {
      if (shipper?.has('closing', token) === true || (await store.isClosed(token))) return true;
      if (spool.rows() > (shipper?.rows ?? 0)) throw new Error('closings still wait in the spool');
      return false;
    },
    list: async (...asked) => {
      await shipper?.caughtUp();
      return store.list(...asked);
    },
    ...reading.asked,
    answersAt: store.answersAt,
    archive: archive.add,
    health: () => ({
      up: writing.watch(),
      ...waitingIn(spool, shipper, now()),
      lost: entrance.lost(),
      ...reading.health(),
    }),
    end: async () => {
      const settled = entrance.idle().then(() => drain.end());
      await within(END_MS, settled.then(archive.keep).then(writing.end).then(store.end)).catch(writing.onTrouble);
      spool.end();
    },
  };
}

/** The way of one entry: into the spool and on, straight into the store, or behind those that wait for it. */
function openEntrance(spool: Spool, writing: Writing, drain: SpoolDrain, shipper: SpoolShipper | null) {
  let lost = 0;
  const divert = (entry: NewEntry) => {
    writing.watch();
    spool.add([entry]);
    shipper?.leave();
    drain.start();
  };
  const directWriter = new DirectWriter({ write: writing.write, divert, onLost: (entries) => (lost += entries) });
  // once the last rows that waited are on their way into a store that works, whatever comes is behind them as well
  const isPassing = () => spool.unread() === 0 && writing.isUp();
  const isOpen = (): boolean => spool.rows() === (shipper?.rows ?? 0);
  const follow = (entries: readonly NewEntry[]) => {
    if (!isOpen()) throw new Error('earlier rows wait for the store');
    shipper?.add(entries);
  };
  const wait = (entry: NewEntry) => {
    try {
      divert(entry);
    } catch (error) {
      lost += 1;
      throw error;
    }
  };
  const enter = async (entry: NewEntry) => {
    // later rows wait behind earlier ones: the store has them in their order
    if (shipper !== null && !isOpen() && isPassing()) await drain.idle();
    if (isOpen() || (shipper === null && isPassing())) await directWriter.add(entry);
    else wait(entry);
  };
  const batcher = shipper && new Batcher({ take: follow, otherwise: enter });
  const add = async (entry: NewEntry) => {
    await (batcher?.add(entry) ?? enter(entry));
    // callers who were answered from the spool at once would fill it faster than a store that is back empties it
    if (writing.isUp() && spool.unread() > BACKLOG) await setTimeout(PATIENCE_MS);
  };
  const idle = async () => {
    await batcher?.idle();
    await Promise.all([directWriter.idle(), shipper?.caughtUp()]);
  };
  return { add, lost: () => lost, idle };
}

/** Counts what is being added up, until the store has really stopped. */
function openReading(store: AuditStore, caughtUp: () => Promise<void> | undefined) {
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
  return { asked: { days, sums }, health: () => health };
}

function waitingIn(spool: Spool, shipper: SpoolShipper | null, now: number) {
  const since = shipper?.since ?? (spool.rows() > 0 ? spool.since() : null);
  const lag_ms = since === null ? 0 : Math.max(0, now - since);
  return { spooled: spool.rows(), spooled_bytes: spool.bytes(), lag_ms };
}

/** Releases are few: they wait in memory, and are kept in the order in which they were served. */
function openArchive({ store, onDelay }: JournalOptions) {
  const waiting: Release[] = [];
  let busy: Promise<void> = Promise.resolve();
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
  const keep = () => (busy = busy.then(keepWaiting));
  const add = async (release: Release) => {
    waiting.push(release);
    await keep();
  };
  return { add, keep };
}

/** Waits for something, but not for ever. */
async function within(ms: number, done: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = globalThis.setTimeout(resolve, ms);
  });
  await Promise.race([done, late]).finally(() => {
    clearTimeout(timer);
  });
}

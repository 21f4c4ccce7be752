import { performance } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import type { ArchivedDocument, AuditLog } from './auditlog.ts';
import type { AuditStore, IntentMode, NewEntry } from './auditstore.ts';
import { closingEntry, recallEntry } from './entry.ts';
import { Lane, PATIENCE_MS } from './lane.ts';
import { openNotary, type Seal } from './notary.ts';
import { Replay } from './replay.ts';
import type { Spool } from './spool.ts';

export interface JournalOptions {
  readonly store: AuditStore;
  readonly spool: Spool;
  readonly intents: IntentMode;
  readonly seal: Seal;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Told once when the store stops taking entries, and once when it takes them again. */
  readonly onChange: (up: boolean, error: Error | null) => void;
  /** Told of a checkpoint or of documents that were not kept; both are tried again. */
  readonly onDelay: (what: 'checkpoint' | 'archive', error: Error) => void;
}

/** What is still under way after this long at the end, in milliseconds, is left to the spool and the next start. */
const END_MS = 10_000;

/** With more rows than this behind a store that works, new ones are made to wait as long as the store may take. */
const BACKLOG = 500;

/** A store that has said nothing for this long, in milliseconds, is as good as down. */
const SILENT_MS = 1000;

/**
 * The audit over a store that may fail: what the store does not take within 50 ms waits in the spool, and goes to the
 * store, in its order, as soon as that is back. Only what neither takes is refused, and counted as lost.
 */
export function openJournal(options: JournalOptions): AuditLog {
  const { store, spool, intents, now } = options;
  const archive = openArchive(options);
  const writing = openWriting(options, archive.keep);
  const replay = new Replay(spool, writing.write, writing.onTrouble);
  const entrance = openEntrance(spool, writing, replay);
  replay.start();
  return {
    append: (record) => entrance.add(recallEntry(record, intents)),
    close: (closing) => entrance.add(closingEntry(closing)),
    isClosed: async (token) => {
      if (await store.isClosed(token)) return true;
      if (spool.rows() > 0) throw new Error('closings still wait in the spool');
      return false;
    },
    list: store.list,
    archive: archive.add,
    health: () => ({ up: writing.watch(), ...waitingIn(spool, now()), lost: entrance.lost() }),
    end: async () => {
      const settled = entrance.idle().then(() => replay.end());
      await within(END_MS, settled.then(archive.keep).then(writing.end).then(store.end)).catch(writing.onTrouble);
      spool.end();
    },
  };
}

/** The way of one entry: straight into the store, or behind those that wait in the spool. */
function openEntrance(spool: Spool, writing: ReturnType<typeof openWriting>, replay: Replay) {
  let lost = 0;
  const divert = (entry: NewEntry) => {
    writing.watch();
    spool.add(entry);
    replay.start();
  };
  const lane = new Lane({ write: writing.write, divert, onLost: (entries) => (lost += entries) });
  const add = async (entry: NewEntry) => {
    // later rows wait behind earlier ones: the store has them in their order. Once the last that waited are on their
    // way into a store that works, the lane is behind them as well
    if (spool.rows() === 0 || (spool.unread() === 0 && writing.isUp())) return lane.add(entry);
    try {
      divert(entry);
    } catch (error) {
      lost += 1;
      throw error;
    }
    // callers who were answered from the spool at once would fill it faster than a store that is back empties it
    if (writing.isUp() && spool.unread() > BACKLOG) await setTimeout(PATIENCE_MS);
  };
  return { add, lost: () => lost, idle: () => lane.idle() };
}

function waitingIn(spool: Spool, now: number) {
  const since = spool.since();
  const lag_ms = since === null ? 0 : Math.max(0, now - since);
  return { spooled: spool.rows(), spooled_bytes: spool.bytes(), lag_ms };
}

/** Batches on their way into the store, one at a time: a chain has one end. */
function openWriting({ store, seal, now, onChange, onDelay }: JournalOptions, onBack: () => Promise<void>) {
  let up = true;
  let since: number | null = null;
  let last: Promise<unknown> = Promise.resolve();
  const turn = (to: boolean, error: Error | null) => {
    if (up !== to) onChange(to, error);
    up = to;
  };
  const onTrouble = turn.bind(null, false);
  const notary = openNotary(store.checkpoint, seal, now, (error) => {
    onDelay('checkpoint', error);
  });
  const append = async (entries: readonly NewEntry[]) => {
    since = performance.now();
    try {
      notary.saw(await store.append(entries));
    } catch (error) {
      onTrouble(error as Error);
      throw error;
    } finally {
      since = null;
    }
    if (!up) void onBack();
    turn(true, null);
  };
  return {
    write: (entries: readonly NewEntry[]): Promise<void> => {
      const next = last.then(() => append(entries));
      last = next.catch(() => undefined);
      return next;
    },
    onTrouble,
    isUp: () => up,
    /** Whether the store answers, as far as is known now. */
    watch: (): boolean => {
      if (since !== null && performance.now() - since > SILENT_MS) onTrouble(new Error('the store says nothing'));
      return up;
    },
    end: notary.end,
  };
}

/** Documents are few, and come again with every start: they wait in memory. */
function openArchive({ store, onDelay }: JournalOptions) {
  const waiting = new Set<ArchivedDocument>();
  const keep = async () => {
    const kept = [...waiting];
    try {
      if (kept.length > 0) await store.archive(kept);
      for (const it of kept) waiting.delete(it);
    } catch (error) {
      onDelay('archive', error as Error);
    }
  };
  const add = async (documents: readonly ArchivedDocument[]) => {
    for (const it of documents) waiting.add(it);
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

import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import {
  ARRIVALS_BYTES,
  ARRIVALS_FILE,
  isOwnScratch,
  type ArrivalsPlace,
} from '../../compiler/io/files/arrivals-spool.ts';
import { readRegular } from '../../compiler/io/files/file.ts';
import { assertOwnWay } from '../../compiler/io/files/own-way.ts';
import { SpooledArrival, type TakenArrival } from '../../compiler/schema/audit/arrival.ts';
import { DAY_MS } from '../../compiler/schema/audit/sums.ts';
import { messageOf } from '../../compiler/schema/errors.ts';
import { inTurn } from '../../compiler/schema/in-turn.ts';
import { orNull } from '../../compiler/schema/or-null.ts';
import { newUlid } from '../ids.ts';
import { withLedger } from './maintenance.ts';
import { openAudit, stateOf, type AuditOptions } from './open.ts';
import { intentDigest } from './records/hash-chain.ts';
import type { AuditLog } from './records/log.ts';
import type { IntentMode } from './records/store.ts';

/** A file that was taken away from the hooks, and is in no store yet. It sorts before theirs. */
const TAKEN = /^arrivals\.[0-7][0-9A-HJKMNP-TV-Z]{25}\.taken$/;

/** Files of one folder at once; with so many left, a store has refused them, and no more is taken away. */
const FILES = 16;

/** Rows in one transaction. */
const ROWS = 500;

/** Time between two looks at the spool of arrivals. */
const EVERY_MS = 60_000;

/** At the end of a process, a store that does not answer is not waited for longer; the files stay for the next one. */
const END_MS = 5000;

/** The audit of a running process, which also takes what hooks write: at once, every minute, and before it ends. */
export function takingArrivals(
  audit: AuditLog,
  place: ArrivalsPlace,
  { log, now }: { readonly log: Logger; readonly now: () => number },
): AuditLog {
  const oneAtATime = inTurn();
  let isReported = false;
  const take = () =>
    oneAtATime(async () => {
      const problems = await takeArrivals(place, audit.take, now());
      // such as a folder that cannot be written: it stays so
      if (problems.length > 0 && !isReported) log.warn({ problems }, 'arrivals of hooks wait, or were skipped');
      isReported = problems.length > 0;
    });
  const timer = setInterval(() => void take(), EVERY_MS);
  timer.unref();
  void take();
  const end = async () => {
    clearInterval(timer);
    await Promise.race([take(), delay(END_MS, undefined, { ref: false })]);
    await audit.end();
  };
  return { ...audit, end };
}

/**
 * Takes what hooks of a project wrote into its audit, before a command reads it; opens the audit for that only if
 * something waits. An audit without the key of a server beside it is a copy, or none: it takes nothing. Texts are
 * stored as the newest chain does; without its opening, as digests.
 *
 * @returns why some wait, or were skipped
 */
export async function takeWaiting(place: ArrivalsPlace, options: AuditOptions): Promise<string[]> {
  const state = stateOf(options);
  if (waitingIn(place).length === 0 || !existsSync(`${state}.checkpoint.pub`)) return [];
  try {
    const intents = await withLedger<IntentMode>({ audit: options.audit, state }, 'read', async (ledger) => {
      const [opening] = await ledger.entries((await ledger.writers()).at(-1) ?? '', 0, 1);
      return opening?.body.includes('"intents":"full"') === true ? 'full' : 'digest';
    });
    const { pino } = await import('pino');
    const audit = await openAudit({ ...options, intents }, pino({ level: 'silent' }));
    const problems = await takeArrivals(place, audit.take, options.now());
    await audit.end();
    return problems;
  } catch (error) {
    // the command itself reports an audit that cannot be read
    return [messageOf(error)];
  }
}

/**
 * Takes what hooks wrote into an audit. A file is renamed first, so that hooks begin a new one, and deleted once the
 * store has its rows; one that a killed process left is read again, also by two processes at once: entries are unique.
 *
 * @param now milliseconds since 1970
 * @returns why some wait, or were skipped
 */
export async function takeArrivals(place: ArrivalsPlace, take: AuditLog['take'], now: number): Promise<string[]> {
  const problems = new Set<string>();
  for (const path of waitingIn(place)) {
    try {
      assertOwnWay(path);
      if (dirname(path) === place.scratch && !isOwnScratch(place.scratch))
        throw new Error(`${place.scratch} is not private to this user`);
      const skipped = await takeFile(path, take, now);
      if (skipped > 0) problems.add(`${skipped} lines were skipped: they are torn, or not of a hook`);
    } catch (error) {
      // without a file, another process was faster
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') problems.add(messageOf(error));
    }
  }
  return [...problems];
}

/** The files of both folders that are to be taken, the oldest first. */
function waitingIn({ folder, scratch }: ArrivalsPlace): string[] {
  return [folder, scratch].flatMap((at) => {
    const names = (orNull(() => readdirSync(at)) ?? []).filter((it) => it === ARRIVALS_FILE || TAKEN.test(it)).sort();
    return names.slice(0, FILES).map((it) => join(at, it));
  });
}

/** @returns the number of lines that were skipped @throws Error if it cannot be read or stored: it stays then */
async function takeFile(path: string, take: AuditLog['take'], now: number): Promise<number> {
  const taken = basename(path) === ARRIVALS_FILE ? join(dirname(path), `arrivals.${newUlid(now)}.taken`) : path;
  if (taken !== path) renameSync(path, taken);
  const { arrivals, skipped } = readArrivals(taken, now);
  for (let at = 0; at < arrivals.length; at += ROWS) await take(arrivals.slice(at, at + ROWS));
  rmSync(taken, { force: true });
  return skipped;
}

/**
 * Everything in the file is untrusted: a line that would make the audit fail to verify, or a store fail, is skipped.
 * Silences of an agent are one arrival, with an id from the name of the file, so that reading it twice is harmless.
 */
function readArrivals(path: string, now: number) {
  const arrivals = new Map<string, TakenArrival>();
  let skipped = 0;
  for (const line of readRegular(path, 2 * ARRIVALS_BYTES, 'refuse')
    .toString('utf8')
    .split('\n')) {
    if (line === '') continue;
    const given = orNull(() => SpooledArrival.parse(JSON.parse(line)));
    const arrival = given !== null && 'silent_at' in given ? silence(given, basename(path)) : given;
    if (arrival === null || !isPlausible(arrival, now)) {
      skipped += 1;
      continue;
    }
    const known = arrivals.get(arrival.id);
    const created_at = Math.max(arrival.created_at, known?.created_at ?? 0);
    arrivals.set(arrival.id, known?.count === undefined ? arrival : { ...known, created_at, count: known.count + 1 });
  }
  return { arrivals: [...arrivals.values()], skipped };
}

type Silence = Exclude<SpooledArrival, { id: string }>;

function silence({ agent_id, silent_at }: Silence, file: string): TakenArrival {
  const id = `silence_${intentDigest(file, agent_id).slice(0, 32)}`;
  const nothing = { session: '', pages: [], names: [], tokens: 0, intent_digest: null, intent: null };
  return { id, agent_id, event: 'prompt', ...nothing, bundle_revision: '', created_at: silent_at, count: 1 };
}

/** Whether its time can be true, and the digest is that of its prompt: otherwise the audit would not verify. */
function isPlausible({ created_at: at, intent, intent_digest }: TakenArrival, now: number): boolean {
  // in PostgreSQL each month has a partition
  if (at < now - 366 * DAY_MS || at > now + DAY_MS) return false;
  return intent === null || intent_digest === intentDigest(intent.salt, intent.text);
}

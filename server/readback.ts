import { performance } from 'node:perf_hooks';
import { setImmediate } from 'node:timers/promises';
import type { Answered } from '../compiler/model/answered.ts';
import { VadeError } from '../compiler/model/errors.ts';
import type { AuditLog } from './store/auditlog.ts';

/** What one answer may read: a server has other things to do. */
export interface ReadingLimits {
  readonly rows: number;
  readonly ms: number;
}

export const READING: ReadingLimits = { rows: 100_000, ms: 5000 };

/** A page holds the event loop for some milliseconds. */
const PAGE = 250;

/** A window is read in so many parts; for a week, that is an hour each. */
const PARTS = 168;

/** Rows in a window, milliseconds since 1970. */
export interface Reading {
  /** An agent's id; null for all of them. */
  readonly agent: string | null;
  readonly since: number;
  readonly until: number;
}

/** What reading came to: without `complete`, rows of before `from` were not read. */
export interface ReadBack {
  readonly rows: number;
  readonly complete: boolean;
  readonly from: number;
}

/**
 * Reads an agent's rows back from the newest part of a window, and begins no other part once it has read enough: what
 * is read is whole from some instant on. A part that is far too much by itself is broken off, and told as not read.
 *
 * @throws recall_backend_unavailable
 */
export function readBack(
  audit: AuditLog,
  reading: Reading,
  add: (row: Answered) => void,
  limits = READING,
): Promise<ReadBack> {
  return inTurn(audit, () => readParts(audit, reading, add, limits));
}

async function readParts(
  audit: AuditLog,
  { agent, since, until }: Reading,
  add: (row: Answered) => void,
  limits: ReadingLimits,
): Promise<ReadBack> {
  const begun = performance.now();
  const isOver = (rows: number, times: number) =>
    rows >= times * limits.rows || performance.now() - begun >= times * limits.ms;
  const width = Math.max(1, Math.ceil((until - since) / PARTS));
  let rows = 0;
  for (let to = until; to > since; to -= width) {
    if (rows > 0 && isOver(rows, 1)) return { rows, complete: false, from: to };
    for await (const page of pagesOf(audit, { agent, since: Math.max(since, to - width), until: to })) {
      for (const row of page) add(row);
      rows += page.length;
      if (isOver(rows, 1.5)) return { rows, complete: false, from: to };
    }
  }
  return { rows, complete: true, from: since };
}

async function* pagesOf(audit: AuditLog, part: Reading): AsyncGenerator<readonly Answered[]> {
  for (let after = 0; ;) {
    const page = await audit.answers(part, after, PAGE).catch(unavailable);
    if (page.length > 0) yield page;
    if (page.length < PAGE) return;
    after = page.at(-1)?.seq ?? after;
    // recalls come in between
    await setImmediate();
  }
}

function unavailable(): never {
  throw new VadeError('recall_backend_unavailable', 'the audit cannot be read now; ask again');
}

/** Readings of one audit wait for each other: what is asked at once is not read at once. */
const turns = new WeakMap<AuditLog, Promise<unknown>>();

function inTurn<T>(audit: AuditLog, work: () => Promise<T>): Promise<T> {
  const mine = (turns.get(audit) ?? Promise.resolve()).then(work, work);
  turns.set(audit, mine);
  return mine;
}

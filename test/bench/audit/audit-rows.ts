import Database from 'better-sqlite3';
import type { LoadAnswer } from '../serve/load.ts';

/** The tokens of all recalls in an audit file, in the order of its rows. */
export function tokensIn(file: string): string[] {
  const db = new Database(file, { readonly: true });
  try {
    return db.prepare("SELECT audit_token FROM entries WHERE type = 'recall' ORDER BY seq").pluck().all() as string[];
  } finally {
    db.close();
  }
}

/** Rows that the answers promised, compared with the rows that are there. */
export interface Accounts {
  /** Answers that promised a row. */
  readonly acknowledged: number;
  /** Of those, how many have none. */
  readonly missing: number;
  /** Answers that said `audit_write_failed`. */
  readonly unaudited: number;
  /** Of those, how many have no row. */
  readonly lost: number;
  /** Rows with a token that another row has. */
  readonly doubled: number;
  /** Rows whose answer nobody got. */
  readonly unheard: number;
}

export function accountsOf(rows: readonly string[], answers: readonly LoadAnswer[]): Accounts {
  const there = new Set(rows);
  const promised = answers.filter((it) => !it.isUnaudited);
  const warned = answers.filter((it) => it.isUnaudited);
  const heard = new Set(answers.map((it) => it.token));
  return {
    acknowledged: promised.length,
    missing: promised.filter((it) => !there.has(it.token)).length,
    unaudited: warned.length,
    lost: warned.filter((it) => !there.has(it.token)).length,
    doubled: rows.length - there.size,
    unheard: rows.filter((it) => !heard.has(it)).length,
  };
}

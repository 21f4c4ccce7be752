import type { NewEntry } from './store.ts';

/** The columns of entries that refer to `names`, where each text is kept once; the hash covers the text itself. */
export const NAMED = ['agent_id', 'asked_by', 'bundle_revision', 'request'] as const;

/** The texts that entries of a writer refer to, sorted, so that two instances add new ones in one order. */
export function namesIn(writer: string, entries: readonly NewEntry[]): string[] {
  const texts = entries.flatMap((it) => NAMED.map((column) => it[column]));
  // an opening has no agent
  return [...new Set([writer, '', ...texts])].filter((it) => it !== null).sort();
}

/** SQL for the reference to a text. @param text an expression */
export const refTo = (text: string, names = 'names'): string => `(SELECT id FROM ${names} WHERE name = ${text})`;

/** SQL for the text of a reference. @param ref an expression */
export const nameOf = (ref: string, names = 'names'): string => `(SELECT name FROM ${names} WHERE id = ${ref})`;

/** SQL of the columns with their texts. @param alias of `entries` */
const namedColumns = (alias: string): string =>
  NAMED.map((column) => `${nameOf(`${alias}.${column}`)} AS ${column}`).join(', ');

/** SQL for the heartbeat of a recall `r` whose caller named none. */
export const GENERATED_HEARTBEAT = "'hb_' || substr(r.audit_token, 6, 26)";

/** SQL of the columns of an entry `e` but its writer and hash; `own` is the stored id. */
export const ENTRY = `e.seq, e.n, e.type, e.id AS own, ${namedColumns('e')}, e.audit_token, e.created_at, e.body`;

/** SQL of the columns of a `RecallRow`: recall `r`, its intent `i` and its closing `c`. */
export const RECALL_ROW = `r.seq, ${namedColumns('r')}, r.audit_token, r.created_at, r.body, i.text AS intent, i.files,
  c.body AS closing, c.created_at AS closed_at`;

import { readdirSync } from 'node:fs';
import * as spoolFile from '../../../../server/audit/queue/spool-file.ts';
import { createSpoolSeal } from '../../../../server/audit/queue/spool-file.ts';
import { openSpool, type Spool } from '../../../../server/audit/queue/spool.ts';
import { recallEntry } from '../../../../server/audit/records/entry.ts';
import { record, START } from '../records.ts';

export const entry = (i: number, intent = `intent ${i}`) => recallEntry(record(i, { intent }), 'full');
/** The seal of the spools of tests. */
export const SEAL = createSpoolSeal([Buffer.from('a key of some characters')]);
export const lineOf = (row: Parameters<typeof spoolFile.lineOf>[0]) => spoolFile.lineOf(row, SEAL);
export const readRows = (path: string) => spoolFile.readRows(path, SEAL);
export const MIB = 1024 * 1024;

export function opened(folder: string, writer = 'w1', maxBytes = MIB, now = () => START): Spool {
  return openSpool({ folder, writer, maxBytes, now, seal: SEAL, onAltered: () => undefined });
}

/** Removes all rows. @returns their ids, in order */
export function drained(spool: Spool): string[] {
  const ids: string[] = [];
  for (let rows = spool.oldest(); rows.length > 0; rows = spool.oldest()) {
    ids.push(...rows.map((it) => it.id));
    spool.drop();
  }
  return ids;
}

export const ids = (...numbers: number[]) => numbers.map((i) => record(i).id);
export const files = (folder: string) => readdirSync(folder).filter((name) => name.endsWith('.jsonl'));

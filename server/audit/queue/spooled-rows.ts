import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { orNull } from '../../../compiler/schema/or-null.ts';
import { inspectSpoolFile } from './spool-file.ts';

/** Number of rows in the spool of an audit. @param place the prefix of the spool's name */
export function spooledRows({ state }: { readonly state: string }): number {
  const folder = `${state}.spool`;
  if (!existsSync(folder)) return 0;
  const files = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
  return files.reduce((rows, name) => rows + rowsOf(join(folder, name)), 0);
}

/** A running server may have stored and removed the file meanwhile. */
function rowsOf(path: string): number {
  return orNull(() => inspectSpoolFile(path).rows) ?? 0;
}

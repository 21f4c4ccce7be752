import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { leftFile } from './spool-file.ts';

/** How many rows of any kind wait beside an audit for its store. @param place what the spool's name begins with */
export function spooledRows({ state }: { readonly state: string }): number {
  const folder = `${state}.spool`;
  if (!existsSync(folder)) return 0;
  const files = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
  return files.reduce((rows, name) => rows + rowsOf(join(folder, name)), 0);
}

/** A file that its server has stored meanwhile holds none. */
function rowsOf(path: string): number {
  try {
    return leftFile(path).rows;
  } catch {
    return 0;
  }
}

import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

const DEFAULT = '../shared/corpus';

/** A folder or file of the corpus of real documents, and whether tests of it can run. */
export interface Corpus {
  readonly path: string;
  readonly isThere: boolean;
}

/**
 * A part of the corpus that `VADE_CORPUS` names. Without that variable the corpus may be missing: its tests are skipped
 * then, and say so.
 *
 * @throws if `VADE_CORPUS` names a folder without this part: its tests must not be skipped
 */
export function corpusOf(
  part: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
  say: (line: string) => unknown = (line) => process.stderr.write(line),
): Corpus {
  const named = env['VADE_CORPUS'] ?? '';
  const path = join(resolve(named === '' ? DEFAULT : named), part);
  if (existsSync(path)) return { path, isThere: true };
  if (named !== '') throw new Error(`VADE_CORPUS is ${named}, but there is no ${path}`);
  say(`\nSKIPPED, no real documents are tested here: there is no ${path}; name a corpus in VADE_CORPUS\n`);
  return { path, isThere: false };
}

import type { Diagnostic } from '../schema/diagnostics.ts';
import type { TreeFile } from '../schema/source/sources.ts';
import { MAX_UNIT_BYTES } from '../schema/source/unit.ts';
import type { Site } from '../sources/classify-files.ts';
import { parseText } from '../sources/unit.ts';
import { lintText } from './lint-text.ts';

/** The files that belong to no garden's checks: all except units, `boot.md` and `agent.yaml`. */
export function configurationFiles(site: Site, tree: ReadonlyMap<string, TreeFile>): TreeFile[] {
  const judged = [
    ...site.shared,
    ...[...site.agents.values()].flatMap(({ units, boot, config }) => [...units, boot, config]),
  ];
  const paths = new Set(judged.map((file) => file?.path));
  return [...tree.values()].filter(
    ({ path, mode, size }) => mode.startsWith('100') && size <= MAX_UNIT_BYTES && !paths.has(path),
  );
}

/** Security diagnostics of these files: a secret in org.yaml or in a probe is public, and cannot be quarantined. */
export async function lintConfiguration(
  files: readonly TreeFile[],
  read: (file: TreeFile) => Buffer,
): Promise<Diagnostic[]> {
  const faults: Diagnostic[] = [];
  for (const file of files) {
    const { value } = parseText(file.path, read(file));
    if (value !== null) faults.push(...(await lintText(file.path, value)));
  }
  return faults;
}

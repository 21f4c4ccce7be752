import type { Diagnostic } from '../schema/diagnostics.ts';
import type { KeptResults } from '../schema/kept-results.ts';
import type { Sources, TreeFile } from '../schema/source/sources.ts';
import { mostBytes, type Site } from '../sources/classify-files.ts';
import { parseText } from '../sources/unit.ts';
import { lintText } from './lint-text.ts';

/** The files that belong to no garden's checks: all except units, `boot.md` and `agent.yaml`. */
export function configurationFiles(site: Site, { folder, tree }: Pick<Sources, 'folder' | 'tree'>): TreeFile[] {
  const judged = [
    ...site.shared,
    ...[...site.agents.values()].flatMap(({ units, boot, config }) => [...units, boot, config]),
  ];
  const paths = new Set(judged.map((file) => file?.path));
  return [...tree.values()].filter(
    ({ path, mode, size }) => mode.startsWith('100') && size <= mostBytes(folder, path) && !paths.has(path),
  );
}

/** Security diagnostics of these files: a secret in org.yaml, a probe or a phrase is public; no quarantine helps. */
export async function lintConfiguration(
  files: readonly TreeFile[],
  read: (file: TreeFile) => Buffer,
  kept: KeptResults | null = null,
): Promise<Diagnostic[]> {
  const faults: Diagnostic[] = [];
  for (const file of files) {
    const { value } = parseText(file.path, read(file));
    if (value !== null) faults.push(...(await lintText(file.path, value, undefined, kept)));
  }
  return faults;
}

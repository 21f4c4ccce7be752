import { lintText } from '../../lint/lint-text.ts';
import { sortDiagnostics, type Diagnostic } from '../../schema/diagnostics.ts';
import type { Sources } from '../../schema/source/sources.ts';
import { blobStore } from '../../sources/blobs.ts';
import { classifyFiles } from '../../sources/classify-files.ts';
import { parseText } from '../../sources/unit.ts';
import { lintCapabilities } from '../lint/lint-capabilities.ts';
import { readCapabilities } from '../read-capabilities.ts';

/** Everything that is wrong with the atoms and roles of a handbook, and how many files they have. */
export async function lintCapabilityFiles(sources: Sources): Promise<{ faults: Diagnostic[]; files: number }> {
  const own = [`${sources.folder}/capabilities/`, `${sources.folder}/roles/`];
  const isOwn = (path: string) => own.some((it) => path.startsWith(it));
  const { site, faults } = classifyFiles(sources);
  const files = [...sources.tree.values()].filter(({ path, mode }) => isOwn(path) && mode.startsWith('100'));
  const blobs = blobStore(sources);
  await blobs.load(files.map((it) => it.blob));
  const { capabilities, faults: unread } = readCapabilities(site, sources.folder, blobs.read);
  const found = [...faults.filter((it) => isOwn(it.file)), ...unread, ...lintCapabilities(capabilities)];
  for (const file of files) {
    const { value } = parseText(file.path, blobs.read(file));
    if (value !== null) found.push(...(await lintText(file.path, value)));
  }
  return { faults: sortDiagnostics(found), files: files.length };
}

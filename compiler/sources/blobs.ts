import { MAX_SENTENCES_BYTES } from '../schema/source/probe.ts';
import type { Sources, TreeFile } from '../schema/source/sources.ts';
import { MAX_UNIT_BYTES } from '../schema/source/unit.ts';
import { mostBytes, type AgentSite, type Site } from './classify-files.ts';

/** The blobs of an agent's units and of its boot.md. */
export function unitBlobs(site: AgentSite): string[] {
  return [...site.units, site.boot].flatMap((file) => file?.blob ?? []);
}

export type BlobStore = ReturnType<typeof blobStore>;

/** The bytes of source files by blob, without those that are too large for their kind. */
export async function readFiles(
  { folder, read }: Pick<Sources, 'folder' | 'read'>,
  files: readonly TreeFile[],
): Promise<ReadonlyMap<string, Buffer>> {
  const found = new Map<string, Buffer>();
  for (const limit of new Set(files.map(({ path }) => mostBytes(folder, path)))) {
    const alike = files.filter(({ path }) => mostBytes(folder, path) === limit);
    const blobs = await read(
      alike.map(({ blob }) => blob),
      limit,
    );
    for (const [blob, bytes] of blobs) found.set(blob, bytes);
  }
  return found;
}

/** Blobs, each read from git once. */
export function blobStore(sources: Sources) {
  const blobs = new Map<string, Buffer>();
  const asked = new Set<string>();
  const load = async (ids: readonly string[], limit = MAX_UNIT_BYTES) => {
    for (const id of ids) asked.add(id);
    const found = await sources.read(
      ids.filter((id) => !blobs.has(id)),
      limit,
    );
    for (const [id, bytes] of found) blobs.set(id, bytes);
  };
  /** Loads the files that hold sentences for all units of a garden, and may be larger than a unit. */
  const loadSentences = ({ probes, phrases }: Pick<Site, 'probes' | 'phrases'>) =>
    load(
      [...probes.values(), ...phrases.values()].map((file) => file.blob),
      MAX_SENTENCES_BYTES,
    );
  const blob = (id: string) => blobs.get(id);
  /** The bytes of a loaded file; none if it is too large for its kind. A file that was not loaded is our fault. */
  const read = (file: TreeFile): Buffer => {
    if (!asked.has(file.blob)) throw new Error(`${file.path} was read before it was loaded`);
    return blob(file.blob) ?? Buffer.alloc(0);
  };
  return { load, loadSentences, blob, read };
}

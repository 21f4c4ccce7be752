import type { Sources, TreeFile } from '../schema/source/sources.ts';
import { MAX_UNIT_BYTES } from '../schema/source/unit.ts';
import type { AgentSite } from './classify-files.ts';

/** The blobs of an agent's units and of its boot.md. */
export function unitBlobs(site: AgentSite): string[] {
  return [...site.units, site.boot].flatMap((file) => file?.blob ?? []);
}

export type BlobStore = ReturnType<typeof blobStore>;

/** Blobs, each read from git once. */
export function blobStore(sources: Sources) {
  const blobs = new Map<string, Buffer>();
  const load = async (ids: readonly string[]) => {
    const found = await sources.read(
      ids.filter((id) => !blobs.has(id)),
      MAX_UNIT_BYTES,
    );
    for (const [id, bytes] of found) blobs.set(id, bytes);
  };
  const blob = (id: string) => blobs.get(id);
  return { load, blob, read: (file: TreeFile) => blob(file.blob) ?? Buffer.alloc(0) };
}

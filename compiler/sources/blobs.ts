import { MAX_SKILL_FILE_BYTES } from '../schema/bundle/skill.ts';
import type { Sources, TreeFile } from '../schema/source/sources.ts';
import { MAX_UNIT_BYTES } from '../schema/source/unit.ts';
import { mostBytes, type AgentSite, type Site } from './classify-files.ts';

/** Loads the files of skills that a garden may carry. */
export async function loadSkillFiles(units: readonly TreeFile[], { load }: Pick<BlobStore, 'load'>): Promise<void> {
  const files = units.flatMap(({ skill }) => skill?.files ?? []);
  await load(
    files.flatMap(({ blob, size }) => (size > MAX_SKILL_FILE_BYTES ? [] : blob)),
    MAX_SKILL_FILE_BYTES,
  );
}

/** The blobs of an agent's units and of its boot.md. */
export function unitBlobs(site: AgentSite): string[] {
  return [...site.units, site.boot].flatMap((file) => file?.blob ?? []);
}

export type BlobStore = ReturnType<typeof blobStore>;

/** The trust roots of the sources, by version; their signatures are not verified. */
export async function readOfferedRoots(
  { trust }: Pick<Site, 'trust'>,
  blobs: Pick<BlobStore, 'loadFiles' | 'read'>,
): Promise<ReadonlyMap<number, Buffer>> {
  await blobs.loadFiles([...trust.values()]);
  return new Map([...trust].map(([version, file]) => [version, blobs.read(file)]));
}

/**
 * Blobs, each read from git once. A reader of the sources gets the store and loads what it reads by itself, so that no
 * caller can load too little; bytes that nobody loaded are a fault of the program, never an absent file.
 */
export function blobStore(sources: Pick<Sources, 'folder' | 'read'>) {
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
  /** Loads files, each up to the size that its kind may have. */
  const loadFiles = async (files: readonly (TreeFile | null)[]) => {
    const limitOf = ({ path }: TreeFile) => mostBytes(sources.folder, path);
    const present = files.filter((file) => file !== null);
    for (const limit of new Set(present.map(limitOf))) {
      const alike = present.filter((file) => limitOf(file) === limit);
      await load(
        alike.map((file) => file.blob),
        limit,
      );
    }
  };
  /** The bytes of a loaded blob; undefined if it is too large for its kind. */
  const blob = (id: string) => {
    if (!asked.has(id)) throw new Error(`blob ${id} was read before it was loaded`);
    return blobs.get(id);
  };
  /** The bytes of a loaded file; none if it is too large for its kind. */
  const read = (file: TreeFile): Buffer => blob(file.blob) ?? Buffer.alloc(0);
  return { load, loadFiles, blob, read };
}

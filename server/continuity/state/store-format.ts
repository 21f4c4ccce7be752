import { VadeError } from '../../../compiler/schema/errors.ts';
import { canonicalBytes } from '../../../compiler/trust/canonical.ts';
import { shardedPath } from '../git/shards.ts';

/**
 * The format of what a store holds. Format 1 is the layout of the specification, without a file that names it; format 3
 * has each file in a shard of its folder.
 */
const STORE_FORMAT = 3;
const FIRST_WITH_SHARDS = 3;

/** The file that names the format and the owner. */
export const FORMAT_PATH = 'memory/store.json';

/** A store of an earlier format. */
export interface EarlierStore {
  readonly owner: string;
  /** All of its files, by path and blob; asked for only where they have to be moved. */
  readonly files: () => readonly { readonly path: string; readonly blob: string }[];
}

/** What an upgrade writes: path to bytes, or to the id of a blob that git has; null removes. */
export type Upgrade = ReadonlyMap<string, Buffer | string | null>;

/** Steps from one format to the next. */
const UPGRADES: Readonly<Record<number, (store: EarlierStore) => Upgrade>> = {
  // a repository of the specification's own server, or a new one: it gets its name
  1: ({ owner }) => new Map([[FORMAT_PATH, canonicalBytes({ format: 2, owner })]]),
  2: ({ owner, files }) => {
    const moved = files().filter(({ path }) => shardedPath(path) !== path);
    const writes = moved.flatMap(({ path, blob }) => [[path, null] as const, [shardedPath(path), blob] as const]);
    return new Map<string, Buffer | string | null>([[FORMAT_PATH, canonicalBytes({ format: 3, owner })], ...writes]);
  },
};

/** Whether a store has its files in shards. @param bytes the file that names its format; null without one */
export function hasShards(bytes: Buffer | null): boolean {
  const named = bytes === null ? null : parsed(bytes);
  return named !== null && named.format >= FIRST_WITH_SHARDS;
}

/**
 * Refuses a store that this version would misread, whoever made the copy of it.
 *
 * @param bytes the file that names its format; null without one
 * @throws continuity_unavailable if it is of a later format, or of another owner
 */
export function requireKnown(bytes: Buffer | null, owner: string): void {
  formatOf(bytes, owner);
}

/**
 * What brings a store to this format; nothing if it has it.
 *
 * @param bytes the file that names its format; null without one
 * @throws continuity_unavailable if it is of a later format, or of another owner
 */
export function upgradesOf(bytes: Buffer | null, store: EarlierStore): Upgrade {
  const writes = new Map<string, Buffer | string | null>();
  for (let format = formatOf(bytes, store.owner); format < STORE_FORMAT; format++) {
    for (const [path, content] of UPGRADES[format]?.(store) ?? []) writes.set(path, content);
  }
  return writes;
}

function formatOf(bytes: Buffer | null, owner: string): number {
  const named = bytes === null ? { format: 1, owner } : parsed(bytes);
  if (named === null || named.format > STORE_FORMAT) {
    throw new VadeError(
      'continuity_unavailable',
      `the store of ${owner} is of a format that this version does not know`,
    );
  }
  if (named.owner !== owner)
    throw new VadeError('continuity_unavailable', `the store of ${owner} belongs to another owner`);
  return named.format;
}

function parsed(bytes: Buffer): { readonly format: number; readonly owner: string } | null {
  try {
    const { format, owner } = JSON.parse(bytes.toString('utf8')) as Record<string, unknown>;
    return Number.isInteger(format) && typeof owner === 'string' ? { format: format as number, owner } : null;
  } catch {
    return null;
  }
}

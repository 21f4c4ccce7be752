import { VadeError } from '../../../compiler/schema/errors.ts';
import { canonicalBytes } from '../../../compiler/trust/canonical.ts';

/** The format of what a store holds. Format 1 is the layout of the specification, without a file that names it. */
const STORE_FORMAT = 2;

/** The file that names the format and the owner. */
export const FORMAT_PATH = 'memory/store.json';

/** Steps from one format to the next; each makes the files that it changes. */
const UPGRADES: Readonly<Record<number, (owner: string) => ReadonlyMap<string, Buffer | null>>> = {
  // a repository of the specification's own server, or a new one: it gets its name
  1: (owner) => new Map([[FORMAT_PATH, canonicalBytes({ format: 2, owner })]]),
};

/**
 * What brings a store to this format; nothing if it has it.
 *
 * @param bytes the file that names its format; null without one
 * @throws continuity_unavailable if it is of a later format, or of another owner
 */
export function upgradesOf(bytes: Buffer | null, owner: string): ReadonlyMap<string, Buffer | null> {
  const named = bytes === null ? { format: 1, owner } : parsed(bytes);
  if (named === null || named.format > STORE_FORMAT) {
    throw new VadeError(
      'continuity_unavailable',
      `the store of ${owner} is of a format that this version does not know`,
    );
  }
  if (named.owner !== owner)
    throw new VadeError('continuity_unavailable', `the store of ${owner} belongs to another owner`);
  const writes = new Map<string, Buffer | null>();
  for (let format = named.format; format < STORE_FORMAT; format++) {
    for (const [path, content] of UPGRADES[format]?.(owner) ?? []) writes.set(path, content);
  }
  return writes;
}

function parsed(bytes: Buffer): { readonly format: number; readonly owner: string } | null {
  try {
    const { format, owner } = JSON.parse(bytes.toString('utf8')) as Record<string, unknown>;
    return Number.isInteger(format) && typeof owner === 'string' ? { format: format as number, owner } : null;
  } catch {
    return null;
  }
}

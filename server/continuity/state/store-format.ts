import { VadeError } from '../../../compiler/schema/errors.ts';
import { canonicalBytes } from '../../../compiler/trust/canonical.ts';

/** The format of what a store holds. */
const STORE_FORMAT = 1;

/** Each file lies at its path of the specification. A store without this name has its files in other folders. */
const STORE_LAYOUT = 'specification';

/** The file that names the format and the owner. */
export const FORMAT_PATH = 'memory/store.json';

/** The record of a new store. */
export function formatFile(owner: string): Buffer {
  return canonicalBytes({ format: STORE_FORMAT, layout: STORE_LAYOUT, owner });
}

/**
 * Refuses a store that this version would misread, whoever made it, or the copy of it.
 *
 * @param bytes the file that names its format; null without one
 * @param isNew whether the store has no commit yet, so that nothing names its format
 * @throws continuity_unusable if it is of another format, layout or owner
 */
export function requireKnown(bytes: Buffer | null, owner: string, isNew: boolean): void {
  if (bytes === null && isNew) return;
  const named = bytes === null ? null : parsed(bytes);
  if (named === null) throw unknown(owner, `its ${FORMAT_PATH} is missing, or names no format`);
  if (named.format !== STORE_FORMAT)
    throw unknown(owner, `it is of format ${named.format}, and this release reads ${STORE_FORMAT}`);
  if (named.layout !== STORE_LAYOUT)
    throw unknown(owner, `its ${FORMAT_PATH} does not name the layout "${STORE_LAYOUT}": its files lie elsewhere`);
  if (named.owner !== owner) throw unknown(owner, 'it belongs to another owner');
}

function unknown(owner: string, why: string): VadeError {
  return new VadeError('continuity_unusable', `the store of ${owner} cannot be used: ${why}`);
}

function parsed(bytes: Buffer): { readonly format: number; readonly layout: unknown; readonly owner: string } | null {
  try {
    const { format, layout, owner } = JSON.parse(bytes.toString('utf8')) as Record<string, unknown>;
    return Number.isInteger(format) && typeof owner === 'string' ? { format: format as number, layout, owner } : null;
  } catch {
    return null;
  }
}

import { orNull } from '../../schema/or-null.ts';
import { PLACEHOLDERS } from '../../schema/source/placeholders.ts';
import { blobId } from '../../trust/canonical.ts';
import { readLibrary } from '../files/library-files.ts';

/** The IDs that git gives to bytes, by SHA-1 and by SHA-256. */
function blobIds(bytes: Buffer): string[] {
  return ['sha1', 'sha256'].map((hash) => blobId(bytes, hash));
}

const placeholders: ReadonlySet<string> = new Set(['', ...PLACEHOLDERS].flatMap((text) => blobIds(Buffer.from(text))));

/** Whether a blob is an empty file or a placeholder of `vade init`: who commits one has not written it. */
export function isPlaceholder(blob: string): boolean {
  return placeholders.has(blob);
}

let library: ReadonlySet<string> | null = null;

/** Whether nobody of the deployment wrote a blob: a placeholder, or a file of the shipped atoms and roles. */
export function isUnwritten(blob: string): boolean {
  library ??= new Set([...(orNull(readLibrary)?.values() ?? [])].flatMap(blobIds));
  return isPlaceholder(blob) || library.has(blob);
}

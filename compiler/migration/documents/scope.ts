import { posix } from 'node:path';
import { hostFileAt, hostFolderOf } from '../../hosts/host-files.ts';
import { sortPatterns, type SortedPatterns } from '../../schema/source/file-pattern.ts';

/** The folder that a nested file of rules is for; null for one at the top, and for a document that no host reads. */
export function scopeOf(path: string): string | null {
  if (hostFileAt(path)?.kind !== 'rules') return null;
  // rules in a folder of a host are for the folder that it is in
  const folder = posix.dirname(hostFolderOf(path) ?? path);
  return folder === '.' ? null : folder;
}

/** The pattern of all files of a folder; a character that patterns read in another way is written `?`. */
export const patternsOf = (folder: string): SortedPatterns =>
  sortPatterns([`${folder.replace(/[*?{}[\](),!\\]/g, '?')}/**`]);

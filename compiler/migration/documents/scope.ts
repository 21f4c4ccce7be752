import { hostFileAt } from '../../hosts/host-files.ts';
import { sortPatterns, type SortedPatterns } from '../../schema/source/file-pattern.ts';

/** The folder that a nested file of rules is for; null for one at the top, and for a document that no host reads. */
export function scopeOf(path: string): string | null {
  if (hostFileAt(path)?.kind !== 'rules') return null;
  const folders = path.split('/').slice(0, -1);
  // rules in a hidden folder are for the folder that it is in
  const hidden = folders.findIndex((it) => it.startsWith('.'));
  const own = hidden === -1 ? folders : folders.slice(0, hidden);
  return own.length === 0 ? null : own.join('/');
}

/** The pattern of all files of a folder; a character that patterns read in another way is written `?`. */
export const patternsOf = (folder: string): SortedPatterns =>
  sortPatterns([`${folder.replace(/[*?{}[\](),!\\]/g, '?')}/**`]);
